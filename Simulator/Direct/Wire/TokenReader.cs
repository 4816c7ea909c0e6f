using System.Buffers.Binary;

namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Goes through the tokens of a frame, never beyond its end. The bytes come from anywhere.</summary>
internal ref struct TokenReader(ReadOnlySpan<byte> frame, int start)
{
    private readonly ReadOnlySpan<byte> _frame = frame;
    private int _at = start;

    public ushort Id { get; private set; }

    public TokenType Type { get; private set; }

    /// <summary>The value's bytes, without the length that stands in front of text.</summary>
    public TokenRange Value { get; private set; }

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
        int prefix;
        uint length;
        switch (Type)
        {
            case TokenType.Byte:
                (prefix, length) = (0, 1);
                break;
            case TokenType.UInt16:
                (prefix, length) = (0, 2);
                break;
            case TokenType.UInt32 or TokenType.Int32 or TokenType.Float:
                (prefix, length) = (0, 4);
                break;
            case TokenType.UInt64 or TokenType.Int64 or TokenType.Double:
                (prefix, length) = (0, 8);
                break;
            case TokenType.Guid:
                (prefix, length) = (0, 16);
                break;
            case TokenType.SmallString or TokenType.SmallBytes when rest.Length >= 1:
                (prefix, length) = (1, rest[0]);
                break;
            case TokenType.String or TokenType.Bytes when rest.Length >= 2:
                (prefix, length) = (2, BinaryPrimitives.ReadUInt16LittleEndian(rest));
                break;
            case TokenType.LongString or TokenType.LongBytes when rest.Length >= 4:
                (prefix, length) = (4, BinaryPrimitives.ReadUInt32LittleEndian(rest));
                break;
            default:
                return false;
        }

        if (length > (uint)(rest.Length - prefix))
            return false;
        Value = new TokenRange(_at + idAndType + prefix, (int)length);
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
