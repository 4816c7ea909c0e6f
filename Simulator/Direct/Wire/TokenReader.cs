using System.Buffers.Binary;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>How a token's value is written; all numbers are little-endian.</summary>
internal enum TokenType : byte
{
    Byte = 0x0,
    UInt16 = 0x1,
    UInt32 = 0x2,
    Int32 = 0x3,
    UInt64 = 0x4,
    Int64 = 0x5,
    Guid = 0x6,

    /// <summary>Text behind one byte of length.</summary>
    SmallString = 0x7,

    /// <summary>Text behind two bytes of length.</summary>
    String = 0x8,

    /// <summary>Text behind four bytes of length.</summary>
    LongString = 0x9,

    SmallBytes = 0xA,
    Bytes = 0xB,
    LongBytes = 0xC,
    Float = 0xD,
    Double = 0xE,
}

/// <summary>Goes through the tokens of a frame, never beyond its end. The bytes come from anywhere.</summary>
internal ref struct TokenReader(ReadOnlySpan<byte> frame, int start)
{
    private readonly ReadOnlySpan<byte> _frame = frame;
    private int _at = start;

    public ushort Id { get; private set; }

    public TokenType Type { get; private set; }

    /// <summary>The value's bytes, without the length that stands in front of text.</summary>
    public TextRange Value { get; private set; }

    public readonly bool IsAtEnd => _at == _frame.Length;

    public readonly bool IsText => Type is >= TokenType.SmallString and <= TokenType.LongBytes;

    /// <summary>Moves to the next token; false when what follows is none.</summary>
    public bool TryRead()
    {
        const int idAndType = 3;
        ReadOnlySpan<byte> rest = _frame[_at..];
        if (rest.Length < idAndType)
            return false;
        Id = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        Type = (TokenType)rest[2];
        rest = rest[idAndType..];
        (int prefix, uint length) = Type switch
        {
            TokenType.Byte => (0, 1u),
            TokenType.UInt16 => (0, 2u),
            TokenType.UInt32 or TokenType.Int32 or TokenType.Float => (0, 4u),
            TokenType.UInt64 or TokenType.Int64 or TokenType.Double => (0, 8u),
            TokenType.Guid => (0, 16u),
            TokenType.SmallString or TokenType.SmallBytes when rest.Length >= 1 => (1, rest[0]),
            TokenType.String or TokenType.Bytes when rest.Length >= 2 => (2, BinaryPrimitives.ReadUInt16LittleEndian(rest)),
            TokenType.LongString or TokenType.LongBytes when rest.Length >= 4 => (4, BinaryPrimitives.ReadUInt32LittleEndian(rest)),
            _ => (-1, 0u),
        };
        if (prefix < 0 || length > (uint)(rest.Length - prefix))
            return false;
        Value = new TextRange(_at + idAndType + prefix, (int)length);
        _at += idAndType + prefix + (int)length;
        return true;
    }

    public readonly bool TryGetByte(out byte value)
    {
        value = Type == TokenType.Byte ? _frame[Value.Start] : (byte)0;
        return Type == TokenType.Byte;
    }

    public readonly bool TryGetUInt32(out uint value)
    {
        bool is32 = Type is TokenType.UInt32 or TokenType.Int32;
        value = is32 ? BinaryPrimitives.ReadUInt32LittleEndian(_frame[Value.Start..]) : 0;
        return is32;
    }
}
