using System.Text;
using ScaleOut.Simulator.Direct.Wire;

namespace ScaleOut.Tests.Simulator.Direct.Wire;

public sealed class RequestHeadTests
{
    [Fact]
    public void TryRead_KnownAndUnknownTokens_TakesTheKnown()
    {
        byte[] frame = new FrameBuilder(ResourceTypes.Document, OperationTypes.Upsert)
            .Text(0x7FFF, "unknown")
            .Text(RequestTokens.Database, "db ü")
            .Token(RequestTokens.TransportRequestId, TokenType.UInt32, BitConverter.GetBytes(0xFFFFFFFE))
            .Token(RequestTokens.ReturnPreference, TokenType.Byte, [1])
            .Token(RequestTokens.PayloadPresent, TokenType.Byte, [1])
            .Token(RequestTokens.CollectionRid, TokenType.SmallString, [3, 65, 66, 67])
            .Build();

        Assert.True(RequestHead.TryRead(frame, out RequestHead head));

        Assert.Equal((ResourceTypes.Document, OperationTypes.Upsert, 0xFFFFFFFE), (head.Resource, head.Operation, head.TransportRequestId));
        Assert.True(head is { HasBody: true, WantsNoBody: true, IsAtomic: false, Consistency: byte.MaxValue });
        Assert.Equal(("db ü", "ABC"), (Encoding.UTF8.GetString(head.Database.In(frame)), Encoding.UTF8.GetString(head.CollectionRid.In(frame))));
        Assert.True(head.Container.IsEmpty);
    }

    [Theory]
    [InlineData(RequestTokens.Database, (byte)TokenType.UInt32)]
    [InlineData(RequestTokens.TransportRequestId, (byte)TokenType.Guid)]
    [InlineData(RequestTokens.PayloadPresent, (byte)TokenType.UInt32)]
    public void TryRead_KnownTokenOfAnotherType_IsRefused(ushort token, byte type) =>
        Assert.False(RequestHead.TryRead(new FrameBuilder(ResourceTypes.Document, OperationTypes.Read).Token(token, (TokenType)type, new byte[type == (byte)TokenType.Guid ? 16 : 4]).Build(), out _));

    [Fact]
    public void TryRead_ShorterThanAHead_IsRefused() => Assert.False(RequestHead.TryRead(new byte[FrameLimits.HeadBytes - 1], out _));
}
