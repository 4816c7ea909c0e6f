using System.IO.Hashing;

namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>Reads the operations of a batch request. The bytes may be anything, so every length is checked.</summary>
internal static class BatchReader
{
    public const int MaxOperations = 100;
    private const byte HasOperationType = 1 << 0;
    private const byte HasResourceType = 1 << 1;
    private const byte HasPartitionKey = 1 << 2; // 1 << 3, the effective partition key, and 1 << 5, the binary id, are not needed.
    private const byte HasId = 1 << 4;
    private const byte HasBody = 1 << 6;
    private const int DocumentResource = 2;

    /// <summary>The service's own message.</summary>
    public const string TooManyOperations = "Batch request has more operations than what is supported.";

    public static string Malformed(int record) => $"Record {record} of the batch is malformed.";

    /// <summary>Adds the operations to the batch. Returns an error for a 400, or null. The operations borrow the body.</summary>
    public static string? Read(ReadOnlyMemory<byte> body, BatchWork batch)
    {
        batch.Clear();
        if (JsonBatchReader.IsJson(body.Span))
            return JsonBatchReader.Read(body, batch);
        var segment = new SequenceReader<byte>(new ReadOnlySequence<byte>(body));
        if (!segment.TryReadHeader(HybridRow.SegmentSchema) || !segment.TryRead(out var present) || (present & 1) == 0
            || !segment.TryReadLittleEndian(out int segmentLength)
            || segmentLength < HybridRow.SegmentLength || segmentLength > body.Length)
            return "The batch is neither a HybridRow segment nor a JSON array.";
        var rest = body[segmentLength..];
        for (var count = 0; !rest.IsEmpty; count++)
        {
            if (count == MaxOperations)
                return TooManyOperations;
            var header = new SequenceReader<byte>(new ReadOnlySequence<byte>(rest));
            if (!header.TryReadHeader(HybridRow.RecordSchema)
                || !header.TryReadLittleEndian(out int length) || !header.TryReadLittleEndian(out int crc)
                || length <= 0 || length > rest.Length - HybridRow.RecordHeaderLength
                || Crc32.HashToUInt32(rest.Span.Slice(HybridRow.RecordHeaderLength, length)) != (uint)crc
                || !TryReadOperation(rest.Slice(HybridRow.RecordHeaderLength, length), batch.Add()))
                return Malformed(count);
            rest = rest[(HybridRow.RecordHeaderLength + length)..];
        }

        return null;
    }

    private static bool TryReadOperation(ReadOnlyMemory<byte> row, DocumentOperation operation)
    {
        const byte required = HasOperationType | HasResourceType;
        var reader = new SequenceReader<byte>(new ReadOnlySequence<byte>(row));
        if (!reader.TryReadHeader(HybridRow.OperationSchema) || !reader.TryRead(out var present)
            || !reader.TryReadLittleEndian(out int type) || !reader.TryReadLittleEndian(out int resource)
            || (present & required) != required || resource != DocumentResource || KindOf(type) is not { } kind)
            return false;
        operation.Kind = kind;
        operation.ReturnsBody = true;
        // The variable columns follow in the order of their bits.
        for (int column = HasPartitionKey; column <= HasBody; column <<= 1)
        {
            if ((present & column) == 0)
                continue;
            if (!reader.TryReadBytes(out var value))
                return false;
            if (column == HasPartitionKey)
                operation.PartitionKeyJson = value;
            else if (column == HasId)
                operation.Id = value;
            else if (column == HasBody)
                operation.Body = value;
        }

        while (!reader.End)
        {
            if (!reader.TryRead(out var code) || !reader.TryReadLength(out var token)
                || !TryReadSparse(ref reader, code, token, operation))
                return false;
        }

        return true;
    }

    private static bool TryReadSparse(ref SequenceReader<byte> reader, byte code, int token, DocumentOperation operation)
    {
        const int indexingDirective = 8;
        const int ifMatch = 9;
        const int ifNoneMatch = 10;
        const int minimalReturnPreference = 12;
        switch (code)
        {
            case HybridRow.TypeTrue:
            case HybridRow.TypeFalse:
                if (token == minimalReturnPreference)
                    operation.ReturnsBody = code == HybridRow.TypeFalse;
                return true;
            case HybridRow.TypeInt32:
                return reader.TryReadLittleEndian(out int _);
            case HybridRow.TypeUtf8:
                if (!reader.TryReadBytes(out var text))
                    return false;
                if (token == indexingDirective)
                    operation.IndexingDirective = Encoding.UTF8.GetString(text.Span);
                else if (token == ifMatch)
                    operation.IfMatch = Encoding.UTF8.GetString(text.Span);
                else if (token == ifNoneMatch)
                    operation.IfNoneMatch = Encoding.UTF8.GetString(text.Span);
                return true;
            default:
                return false;
        }
    }

    private static OperationKind? KindOf(int operationType) => operationType switch
    {
        0 => OperationKind.Create,
        1 => OperationKind.Patch,
        2 => OperationKind.Read,
        4 => OperationKind.Delete,
        5 => OperationKind.Replace,
        20 => OperationKind.Upsert,
        _ => null,
    };
}
