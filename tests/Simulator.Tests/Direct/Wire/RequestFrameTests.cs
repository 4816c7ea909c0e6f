namespace ScaleOut.Tests.Simulator.Direct.Wire;

public sealed class RequestFrameTests
{
    private readonly AccountRequest _request = new(ConnectionMode.Direct);

    [Fact]
    public void TryRead_KnownAndUnknownTokens_ReadsTheKnown()
    {
        var frame = new FrameBuilder(ResourceType.Document, OperationType.Upsert)
            .Text(0x7FFF, "unknown")
            .Text(RequestTokens.Database, "db ü")
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(0xFFFFFFFE))
            .Token(RequestTokens.ReturnPreference, TokenType.Byte, [1])
            .Token(RequestTokens.PayloadPresent, TokenType.Byte, [1])
            .Token(RequestTokens.CollectionRid, TokenType.SmallString, [3, 65, 66, 67])
            .Build();

        Assert.True(RequestFrame.TryRead(frame, _request, out var ids));

        _request.Source = frame;
        Assert.Equal(
            (ResourceType.Document, OperationType.Upsert, 0xFFFFFFFE), (_request.Resource, _request.Operation, ids.TransportRequestId));
        Assert.True(_request.Has(RequestField.PayloadPresent) && _request.Has(RequestField.MinimalResponse));
        Assert.False(_request.Has(RequestField.BatchAtomic) || _request.Has(RequestField.Container));
        Assert.Equal((null, null), (_request.Consistency, _request.Error));
        Assert.Equal(("db ü", "ABC"), (_request.Text(RequestField.Database), _request.Text(RequestField.ContainerRid)));
    }

    [Theory]
    [InlineData(RequestTokens.Database, (byte)TokenType.UInt32)]
    [InlineData(RequestTokens.TransportRequestId, (byte)TokenType.Guid)]
    [InlineData(RequestTokens.PayloadPresent, (byte)TokenType.UInt32)]
    public void TryRead_KnownTokenOfAnotherType_IsRejected(ushort token, byte type)
    {
        var value = new byte[type == (byte)TokenType.Guid ? 16 : 4];
        var frame = new FrameBuilder(ResourceType.Document, OperationType.Read).Token(token, (TokenType)type, value).Build();
        Assert.False(RequestFrame.TryRead(frame, _request, out _));
    }

    [Fact]
    public void TryRead_ShorterThanAHead_IsRejected() =>
        Assert.False(RequestFrame.TryRead(new byte[FrameLimits.HeadBytes - 1], _request, out _));
}

public sealed class FrameWriterTests
{
    [Fact]
    public void Complete_AfterTokensOfEachKind_IsAFrameThatTheReaderReads()
    {
        var buffer = new byte[200];
        var writer = new FrameWriter(buffer);
        writer.Add(1, (byte)7);
        writer.Add(2, 8u);
        writer.Add(3, -9L);
        writer.Add(4, 1.5);
        writer.Add(5, "text"u8);
        writer.AddSmall(6, "small"u8);
        var activity = Guid.NewGuid();
        writer.Complete(429, activity);

        ReadOnlySpan<byte> frame = buffer.AsSpan(0, writer.Length);
        Assert.Equal(frame.Length, BinaryPrimitives.ReadInt32LittleEndian(frame));
        Assert.Equal(429u, BinaryPrimitives.ReadUInt32LittleEndian(frame[4..]));
        Assert.Equal(activity, new Guid(frame.Slice(8, 16)));
        var reader = new TokenReader(frame, FrameLimits.HeadBytes);
        (TokenType Type, int Length)[] expected =
        [
            (TokenType.Byte, 1), (TokenType.UInt32, 4), (TokenType.Int64, 8), (TokenType.Double, 8), (TokenType.String, 4),
            (TokenType.SmallString, 5),
        ];
        for (var i = 0; i < expected.Length; i++)
        {
            Assert.True(reader.TryRead());
            Assert.Equal((i + 1, expected[i].Type, expected[i].Length), (reader.Id, reader.Type, reader.Value.Length));
        }

        Assert.True(reader.IsAtEnd);
    }
}

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
        Assert.True(reader.TryGetByte(out var flag));
        Assert.Equal((2, 1, true), (reader.Id, flag, reader.IsAtEnd));
    }

    [Theory, MemberData(nameof(Values))]
    public void TryRead_CutAnywhere_IsRejected(byte type, byte[] value, int prefix, int length)
    {
        Assert.Equal(value.Length, prefix + length);
        byte[] frame = [0x35, 0x01, type, .. value];
        for (var end = 1; end < frame.Length; end++)
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
