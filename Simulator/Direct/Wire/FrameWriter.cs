namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Writes a frame's tokens into a span that is long enough for all of them.</summary>
internal ref struct FrameWriter(Span<byte> destination)
{
    private const int TokenHead = 3;

    private readonly Span<byte> _destination = destination;

    /// <summary>Bytes written so far.</summary>
    public int Length { get; private set; } = FrameLimits.HeadBytes;

    public void Add(ushort token, byte value) => Begin(token, TokenType.Byte, sizeof(byte))[0] = value;

    public void Add(ushort token, uint value) =>
        BinaryPrimitives.WriteUInt32LittleEndian(Begin(token, TokenType.UInt32, sizeof(uint)), value);

    public void Add(ushort token, long value) =>
        BinaryPrimitives.WriteInt64LittleEndian(Begin(token, TokenType.Int64, sizeof(long)), value);

    public void Add(ushort token, double value) =>
        BinaryPrimitives.WriteDoubleLittleEndian(Begin(token, TokenType.Double, sizeof(double)), value);

    /// <summary>Text of up to 65,535 bytes.</summary>
    public void Add(ushort token, scoped ReadOnlySpan<byte> utf8) => utf8.CopyTo(AddText(token, utf8.Length));

    /// <summary>Text that the caller fills in.</summary>
    public Span<byte> AddText(ushort token, int length)
    {
        Span<byte> value = Begin(token, TokenType.String, sizeof(ushort) + length);
        BinaryPrimitives.WriteUInt16LittleEndian(value, checked((ushort)length));
        return value[sizeof(ushort)..];
    }

    /// <summary>Text of up to 255 bytes.</summary>
    public void AddSmall(ushort token, scoped ReadOnlySpan<byte> utf8)
    {
        Span<byte> value = Begin(token, TokenType.SmallString, 1 + utf8.Length);
        value[0] = checked((byte)utf8.Length);
        utf8.CopyTo(value[1..]);
    }

    /// <summary>Tokens that were written before.</summary>
    public void AddRaw(ReadOnlySpan<byte> tokens)
    {
        tokens.CopyTo(_destination[Length..]);
        Length += tokens.Length;
    }

    /// <summary>Writes the head in front, with the length of all that was written.</summary>
    public readonly void Complete(uint status, Guid activityId)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_destination, Length);
        BinaryPrimitives.WriteUInt32LittleEndian(_destination[4..], status);
        activityId.TryWriteBytes(_destination[8..]);
    }

    private Span<byte> Begin(ushort token, TokenType type, int length)
    {
        Span<byte> at = _destination.Slice(Length, TokenHead + length);
        BinaryPrimitives.WriteUInt16LittleEndian(at, token);
        at[2] = (byte)type;
        Length += at.Length;
        return at[TokenHead..];
    }
}

/// <summary>Sizes that no frame may exceed; a frame that claims more closes its connection before anything is allocated for it.</summary>
internal static class FrameLimits
{
    /// <summary>Length, resource, operation and activity id: what every frame begins with.</summary>
    public const int HeadBytes = 24;

    /// <summary>Head and tokens. The largest tokens are the session's and the continuation.</summary>
    public const int MostHeaderBytes = 128 * 1024;

    /// <summary>The largest document or batch is allowed; somewhat more ends with 413, and far more is no request at all.</summary>
    public const int MostBodyBytes = 8 * 1024 * 1024;

    /// <summary>Head and tokens of a handshake.</summary>
    public const int MostHandshakeBytes = 8 * 1024;
}
