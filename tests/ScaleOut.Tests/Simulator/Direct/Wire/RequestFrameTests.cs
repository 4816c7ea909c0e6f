namespace ScaleOut.Tests.Simulator.Direct.Wire;

public sealed class RequestFrameTests
{
    private readonly AccountRequest _request = new(ConnectionMode.Direct);

    [Fact]
    public void TryRead_KnownAndUnknownTokens_TakesTheKnown()
    {
        byte[] frame = new FrameBuilder(ResourceType.Document, OperationType.Upsert)
            .Text(0x7FFF, "unknown")
            .Text(RequestTokens.Database, "db ü")
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(0xFFFFFFFE))
            .Token(RequestTokens.ReturnPreference, TokenType.Byte, [1])
            .Token(RequestTokens.PayloadPresent, TokenType.Byte, [1])
            .Token(RequestTokens.CollectionRid, TokenType.SmallString, [3, 65, 66, 67])
            .Build();

        Assert.True(RequestFrame.TryRead(frame, _request, out FrameIds ids));

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
        byte[] value = new byte[type == (byte)TokenType.Guid ? 16 : 4];
        byte[] frame = new FrameBuilder(ResourceType.Document, OperationType.Read).Token(token, (TokenType)type, value).Build();

        Assert.False(RequestFrame.TryRead(frame, _request, out _));
    }

    [Fact]
    public void TryRead_ShorterThanAHead_IsRejected() =>
        Assert.False(RequestFrame.TryRead(new byte[FrameLimits.HeadBytes - 1], _request, out _));
}
