using System.Buffers.Binary;
using System.Text;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>Reads the operations of a batch request. The bytes come from anywhere, so every length is checked.</summary>
internal static class BatchReader
{
    private const int MaxOperations = 100;
    private const byte HasOperationType = 1 << 0;
    private const byte HasResourceType = 1 << 1;
    private const byte HasPartitionKey = 1 << 2;
    private const byte HasEffectivePartitionKey = 1 << 3;
    private const byte HasId = 1 << 4;
    private const byte HasBinaryId = 1 << 5;
    private const byte HasBody = 1 << 6;
    private const int DocumentResource = 2;

    /// <summary>Fills an operation from <paramref name="add"/> for each record; otherwise says what is wrong, for a 400. The operations borrow the body.</summary>
    public static bool TryRead(ReadOnlyMemory<byte> body, Func<DocumentOperation> add, out string? fault)
    {
        var segment = new HybridRowReader(body);
        fault = "The batch is no HybridRow segment.";
        if (!segment.TryReadHeader(HybridRow.SegmentSchema) || !segment.TryReadByte(out byte present) || (present & 1) == 0
            || !segment.TryReadInt32(out int segmentLength) || segmentLength < HybridRow.SegmentLength || segmentLength > body.Length)
            return false;
        ReadOnlyMemory<byte> rest = body[segmentLength..];
        for (int count = 0; !rest.IsEmpty; count++)
        {
            if (count == MaxOperations)
            {
                fault = $"Batch request has more operations than what is supported: {MaxOperations}.";
                return false;
            }

            fault = $"Record {count} of the batch is malformed.";
            var header = new HybridRowReader(rest);
            if (!header.TryReadHeader(HybridRow.RecordSchema) || !header.TryReadInt32(out int length) || !header.TryReadInt32(out int crc)
                || length <= 0 || length > rest.Length - HybridRow.RecordHeaderLength)
                return false;
            ReadOnlyMemory<byte> row = rest.Slice(HybridRow.RecordHeaderLength, length);
            if (Crc32.Compute(row.Span) != (uint)crc || !TryReadOperation(row, add()))
                return false;
            rest = rest[(HybridRow.RecordHeaderLength + length)..];
        }

        fault = null;
        return true;
    }

    private static bool TryReadOperation(ReadOnlyMemory<byte> row, DocumentOperation operation)
    {
        var reader = new HybridRowReader(row);
        if (!reader.TryReadHeader(HybridRow.OperationSchema) || !reader.TryReadByte(out byte present)
            || !reader.TryReadInt32(out int type) || !reader.TryReadInt32(out int resource)
            || (present & HasOperationType) == 0 || (present & HasResourceType) == 0 || resource != DocumentResource || KindOf(type) is not { } kind)
            return false;
        operation.Kind = kind;
        operation.ReturnsBody = true;
        ReadOnlyMemory<byte> value;
        if ((present & HasPartitionKey) != 0)
        {
            if (!reader.TryReadBytes(out value))
                return false;
            operation.PartitionKeyJson = value;
        }

        if ((present & HasEffectivePartitionKey) != 0 && !reader.TryReadBytes(out _))
            return false;
        if ((present & HasId) != 0)
        {
            if (!reader.TryReadBytes(out value))
                return false;
            operation.Id = value;
        }

        if ((present & HasBinaryId) != 0 && !reader.TryReadBytes(out _))
            return false;
        if ((present & HasBody) != 0)
        {
            if (!reader.TryReadBytes(out value))
                return false;
            operation.Body = value;
        }

        while (!reader.IsAtEnd)
        {
            if (!reader.TryReadByte(out byte code) || !reader.TryReadLength(out int token) || !TryReadSparse(ref reader, code, token, operation))
                return false;
        }

        return true;
    }

    private static bool TryReadSparse(ref HybridRowReader reader, byte code, int token, DocumentOperation operation)
    {
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
                return reader.TryReadInt32(out _);
            case HybridRow.TypeUtf8:
                if (!reader.TryReadBytes(out ReadOnlyMemory<byte> text))
                    return false;
                if (token == ifMatch)
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
        2 => OperationKind.Read,
        4 => OperationKind.Delete,
        5 => OperationKind.Replace,
        20 => OperationKind.Upsert,
        _ => null,
    };
}
