namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>
/// Numbers of the HybridRow format, as far as batches use it. A body is a segment header and then records: a record header (length, CRC-32) and a row.
/// A row is a header (version, schema), a byte of presence bits, the fixed columns, the variable columns that are present (length and bytes), and
/// sparse columns (type, token of the path, value).
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
