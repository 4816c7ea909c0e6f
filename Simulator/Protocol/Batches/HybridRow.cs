namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>
/// The part of the HybridRow format that batches use. A body is a segment header and records. A record is a header (length, CRC-32) and a
/// row. A row is a header (version, schema), a byte of presence bits, the fixed columns, the present variable columns (length and bytes),
/// and sparse columns (type, token of the path, value).
/// </summary>
internal static class HybridRow
{
    public const byte Version = 0x81;
    public const int HeaderLength = 5;
    public const int SegmentSchema = 2147473648;
    public const int RecordSchema = 2147473649;
    public const int OperationSchema = 2145473648;
    public const int ResultSchema = 2145473649;

    public const int SegmentLength = HeaderLength + 1 + 4;
    public const int RecordHeaderLength = HeaderLength + 4 + 4;

    public const byte TypeFalse = 2;
    public const byte TypeTrue = 3;
    public const byte TypeInt32 = 7;
    public const byte TypeUInt32 = 11;
    public const byte TypeFloat64 = 16;
    public const byte TypeUtf8 = 20;
}

/// <summary>What the format has beyond little-endian values.</summary>
internal static class HybridRowReading
{
    public static bool TryReadHeader(ref this SequenceReader<byte> reader, int schema) =>
        reader.TryRead(out var version) && version == HybridRow.Version && reader.TryReadLittleEndian(out int found) && found == schema;

    /// <summary>Reads a number with 7 bits in each byte, the lowest first.</summary>
    public static bool TryReadLength(ref this SequenceReader<byte> reader, out int value)
    {
        value = 0;
        for (var shift = 0; shift < 28; shift += 7)
        {
            if (!reader.TryRead(out var part))
                return false;
            value |= (part & 0x7F) << shift;
            if (part < 0x80)
                return true;
        }

        return false;
    }

    /// <summary>Borrows bytes of a body that is in one piece.</summary>
    public static bool TryReadBytes(ref this SequenceReader<byte> reader, out ReadOnlyMemory<byte> value)
    {
        value = default;
        if (!reader.TryReadLength(out var length) || !reader.TryReadExact(length, out var bytes))
            return false;
        value = bytes.First;
        return true;
    }
}
