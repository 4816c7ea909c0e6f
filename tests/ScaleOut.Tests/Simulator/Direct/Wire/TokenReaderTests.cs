namespace ScaleOut.Tests.Simulator.Direct.Wire;

public sealed class TokenReaderTests
{
    public static TheoryData<byte, byte[], int, int> Values => new()
    {
        { (byte)TokenType.Byte, [9], 0, 1 },
        { (byte)TokenType.UInt16, [1, 2], 0, 2 },
        { (byte)TokenType.UInt32, [1, 2, 3, 4], 0, 4 },
        { (byte)TokenType.Int32, [1, 2, 3, 4], 0, 4 },
        { (byte)TokenType.UInt64, new byte[8], 0, 8 },
        { (byte)TokenType.Int64, new byte[8], 0, 8 },
        { (byte)TokenType.Guid, new byte[16], 0, 16 },
        { (byte)TokenType.SmallString, [2, 65, 66], 1, 2 },
        { (byte)TokenType.String, [2, 0, 65, 66], 2, 2 },
        { (byte)TokenType.LongString, [2, 0, 0, 0, 65, 66], 4, 2 },
        { (byte)TokenType.SmallBytes, [0], 1, 0 },
        { (byte)TokenType.Bytes, [1, 0, 7], 2, 1 },
        { (byte)TokenType.LongBytes, [1, 0, 0, 0, 7], 4, 1 },
        { (byte)TokenType.Float, new byte[4], 0, 4 },
        { (byte)TokenType.Double, new byte[8], 0, 8 },
    };

    [Theory, MemberData(nameof(Values))]
    public void TryRead_EachType_FindsTheValueAndTheNextToken(byte type, byte[] value, int prefix, int length)
    {
        byte[] frame = [0x35, 0x01, type, .. value, 0x02, 0x00, (byte)TokenType.Byte, 1];
        var reader = new TokenReader(frame, 0);

        Assert.True(reader.TryRead());
        Assert.Equal((0x135, (TokenType)type, new TextRange(3 + prefix, length)), (reader.Id, reader.Type, reader.Value));
        Assert.True(reader.TryRead());
        Assert.True(reader.TryGetByte(out byte flag));
        Assert.Equal((2, 1, true), (reader.Id, flag, reader.IsAtEnd));
    }

    [Theory, MemberData(nameof(Values))]
    public void TryRead_CutAnywhere_IsRejected(byte type, byte[] value, int prefix, int length)
    {
        Assert.Equal(value.Length, prefix + length);
        byte[] frame = [0x35, 0x01, type, .. value];
        for (int end = 1; end < frame.Length; end++)
            Assert.False(new TokenReader(frame.AsSpan(0, end), 0).TryRead(), $"cut at {end}");
    }

    [Theory]
    [InlineData(0x0F)]
    [InlineData(0xFF)]
    public void TryRead_UnknownType_IsRejected(byte type) =>
        Assert.False(new TokenReader([0, 0, type, 0, 0, 0, 0, 0, 0, 0, 0], 0).TryRead());

    [Theory]
    [InlineData((byte)TokenType.String, new byte[] { 255, 255, 1 })]
    [InlineData((byte)TokenType.LongString, new byte[] { 255, 255, 255, 255, 1 })]
    [InlineData((byte)TokenType.LongBytes, new byte[] { 0, 0, 0, 128, 1 })]
    public void TryRead_LengthBeyondTheFrame_IsRejected(byte type, byte[] value) =>
        Assert.False(new TokenReader([0, 0, type, .. value], 0).TryRead());
}
