using System.Buffers.Binary;

namespace ScaleOut.Simulator.Protocol.Batches;

/// <summary>Reads little-endian values, never beyond the end.</summary>
internal struct HybridRowReader(ReadOnlyMemory<byte> data)
{
    private int _at;

    public readonly bool IsAtEnd => _at == data.Length;

    public bool TryReadHeader(int schema) => TryReadByte(out byte version) && version == HybridRow.Version && TryReadInt32(out int found) && found == schema;

    public bool TryReadByte(out byte value)
    {
        value = IsAtEnd ? (byte)0 : data.Span[_at];
        if (IsAtEnd)
            return false;
        _at++;
        return true;
    }

    public bool TryReadInt32(out int value)
    {
        if (!BinaryPrimitives.TryReadInt32LittleEndian(data.Span[_at..], out value))
            return false;
        _at += sizeof(int);
        return true;
    }

    /// <summary>A number of 7 bits a byte, lowest first; only as large as a length can be.</summary>
    public bool TryReadLength(out int value)
    {
        value = 0;
        for (int shift = 0; shift < 28; shift += 7)
        {
            if (!TryReadByte(out byte part))
                return false;
            value |= (part & 0x7F) << shift;
            if (part < 0x80)
                return true;
        }

        return false;
    }

    public bool TryReadBytes(out ReadOnlyMemory<byte> value)
    {
        value = default;
        if (!TryReadLength(out int length) || length > data.Length - _at)
            return false;
        value = data.Slice(_at, length);
        _at += length;
        return true;
    }
}
