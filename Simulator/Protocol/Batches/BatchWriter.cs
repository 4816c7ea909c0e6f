using System.IO.Hashing;

namespace ScaleOut.Simulator.Protocol.Batches;

internal static class BatchWriter
{
    private const byte HasStatus = 1 << 0;
    private const byte HasSubStatus = 1 << 1;
    private const byte HasEtag = 1 << 2;
    private const byte HasBody = 1 << 3;
    private const byte RetryAfterToken = 5;
    private const byte ChargeToken = 6;
    private const int MaxWithoutBody =
        HybridRow.RecordHeaderLength + HybridRow.HeaderLength + 1 + 8 + 1 + DocumentEtag.Length + 2 + 5 + 6 + 10;

    /// <summary>Writes a segment with a record for each operation.</summary>
    public static void Write(IBufferWriter<byte> output, BatchWork batch, ReadOnlySpan<byte> documents)
    {
        var segment = output.GetSpan(HybridRow.SegmentLength);
        WriteHeader(segment, HybridRow.SegmentSchema);
        segment[HybridRow.HeaderLength] = 1;
        BinaryPrimitives.WriteInt32LittleEndian(segment[(HybridRow.HeaderLength + 1)..], HybridRow.SegmentLength);
        output.Advance(HybridRow.SegmentLength);
        foreach (var operation in batch.Operations)
        {
            var body = operation.Output.Length > 0 ? documents.Slice(operation.Output.Start, operation.Output.Length)
                : operation.Result.Message is { } message ? Encoding.UTF8.GetBytes(message) : [];
            WriteRecord(output, batch.Container, operation, body);
        }
    }

    private static void WriteRecord(
        IBufferWriter<byte> output, ContainerResource container, DocumentOperation operation, ReadOnlySpan<byte> body)
    {
        var result = operation.Result;
        var record = output.GetSpan(MaxWithoutBody + body.Length);
        var row = record[HybridRow.RecordHeaderLength..];
        var hasEtag = result.Version > 0;
        WriteHeader(row, HybridRow.ResultSchema);
        row[HybridRow.HeaderLength] = (byte)(HasStatus | HasSubStatus | (hasEtag ? HasEtag : 0) | (body.IsEmpty ? 0 : HasBody));
        var at = HybridRow.HeaderLength + 1;
        BinaryPrimitives.WriteInt32LittleEndian(row[at..], result.Status);
        BinaryPrimitives.WriteInt32LittleEndian(row[(at + 4)..], result.SubStatus);
        at += 8;
        if (hasEtag)
        {
            row[at++] = DocumentEtag.Length + 2;
            row[at++] = (byte)'"';
            DocumentEtag.Write(row[at..], container.Number, result.Version);
            at += DocumentEtag.Length;
            row[at++] = (byte)'"';
        }

        if (!body.IsEmpty)
        {
            at = WriteLength(row, at, body.Length);
            body.CopyTo(row[at..]);
            at += body.Length;
        }

        if (result.RetryAfterMs > 0)
        {
            row[at++] = HybridRow.TypeUInt32;
            row[at++] = RetryAfterToken;
            BinaryPrimitives.WriteInt32LittleEndian(row[at..], result.RetryAfterMs);
            at += 4;
        }

        row[at++] = HybridRow.TypeFloat64;
        row[at++] = ChargeToken;
        BinaryPrimitives.WriteDoubleLittleEndian(row[at..], result.Charge.Value);
        at += 8;

        WriteHeader(record, HybridRow.RecordSchema);
        BinaryPrimitives.WriteInt32LittleEndian(record[HybridRow.HeaderLength..], at);
        BinaryPrimitives.WriteUInt32LittleEndian(record[(HybridRow.HeaderLength + 4)..], Crc32.HashToUInt32(row[..at]));
        output.Advance(HybridRow.RecordHeaderLength + at);
    }

    private static void WriteHeader(Span<byte> destination, int schema)
    {
        destination[0] = HybridRow.Version;
        BinaryPrimitives.WriteInt32LittleEndian(destination[1..], schema);
    }

    private static int WriteLength(Span<byte> destination, int at, int length)
    {
        while (length >= 0x80)
        {
            destination[at++] = (byte)(length | 0x80);
            length >>= 7;
        }

        destination[at++] = (byte)length;
        return at;
    }
}
