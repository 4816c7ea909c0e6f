namespace ScaleOut.Tests.Shared.PartitionKeys;

public sealed class MurmurHash3Tests
{
    [Theory]
    [InlineData("", 0u)]
    [InlineData("test", 0xba6bd213u)]
    [InlineData("Hello, world!", 0xc0363e43u)]
    [InlineData("The quick brown fox jumps over the lazy dog", 0x2e4ff723u)]
    public void Hash32_KnownText_IsTheKnownHash(string text, uint expected) =>
        Assert.Equal(expected, MurmurHash3.Hash32(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData("", "00000000000000000000000000000000")]
    [InlineData("The quick brown fox jumps over the lazy dog", "7A433CA9C49A9347E34BBC7BBC071B6C")]
    public void Hash128_KnownText_IsTheKnownHash(string text, string lowAndHigh) => Assert.Equal(
        UInt128.Parse(lowAndHigh, NumberStyles.HexNumber, CultureInfo.InvariantCulture), MurmurHash3.Hash128(Encoding.UTF8.GetBytes(text)));
}
