namespace ScaleOut.Tests.Simulator.Direct.Wire;

public sealed class FrameWriterTests
{
    [Fact]
    public void Complete_AfterTokensOfEachKind_IsAFrameThatTheReaderReads()
    {
        byte[] buffer = new byte[200];
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
        for (int i = 0; i < expected.Length; i++)
        {
            Assert.True(reader.TryRead());
            Assert.Equal((i + 1, expected[i].Type, expected[i].Length), (reader.Id, reader.Type, reader.Value.Length));
        }

        Assert.True(reader.IsAtEnd);
    }
}
