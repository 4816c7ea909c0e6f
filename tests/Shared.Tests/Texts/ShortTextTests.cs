namespace ScaleOut.Tests.Shared.Texts;

public sealed class ShortTextTests
{
    [Theory]
    [InlineData("abcd", 4, "abcd")]
    [InlineData("abcde", 4, "abc…")]
    [InlineData("abcde", 1, "…")]
    [InlineData("", 0, "")]
    [InlineData("abcde", 0, "")]
    // An emoji is a surrogate pair.
    [InlineData("ab😀de", 4, "ab…")]
    [InlineData("ab😀de", 5, "ab😀…")]
    [InlineData("😀😀", 2, "…")]
    public void From_Text_HasAtMostTheLengthAndWholeCharacters(string text, int maxLength, string expected) =>
        Assert.Equal(expected, ShortText.From(text, maxLength));

    [Theory]
    [InlineData("abcd", 4, "abcd")]
    [InlineData("abcde", 4, "abcd")]
    [InlineData("abcde", 0, "")]
    [InlineData("ab😀de", 3, "ab")]
    [InlineData("ab😀de", 4, "ab😀")]
    public void Cut_Text_IsItsBeginningInWholeCharacters(string text, int maxLength, string expected) =>
        Assert.Equal(expected, ShortText.Cut(text, maxLength));

    [Fact]
    public void From_AnyLength_CanBeWrittenAsJson()
    {
        var text = string.Concat(Enumerable.Repeat("a😀é", 20));
        for (var maxLength = 1; maxLength <= text.Length; maxLength++)
        {
            var shortened = ShortText.From(text, maxLength);
            Assert.InRange(shortened.Length, 1, maxLength);
            Assert.Equal(shortened, JsonSerializer.Deserialize<string>(JsonSerializer.SerializeToUtf8Bytes(shortened)));
        }
    }

    [Fact]
    public void OneLine_Lines_AreJoinedAndShortened()
    {
        Assert.Equal("one two three", OneLine.From(" one\r\ntwo\t three\n"));
        Assert.Equal($"{new string('x', 299)}…", OneLine.From(new string('x', 299) + "😀"));
    }

    [Theory]
    [InlineData(null, "")]
    [InlineData("\n  first \r\nsecond", "first")]
    [InlineData("only", "only")]
    public void FirstOf_Lines_IsTheFirst(string? text, string expected) => Assert.Equal(expected, OneLine.FirstOf(text));

    [Fact]
    public void FirstOf_LongLine_HasTheGivenLength() => Assert.Equal("xxxx…", OneLine.FirstOf("xxxxxx\ny", maxLength: 5));
}
