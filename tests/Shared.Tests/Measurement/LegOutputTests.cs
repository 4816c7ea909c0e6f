namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LegOutputTests
{
    [Theory]
    [InlineData(null, null)]
    [InlineData("", "")]
    [InlineData("12345", "12345")]
    [InlineData("123456", "1234\u2026")]
    [InlineData("1234\n6", "1234\u2026")]
    public void Shorten_AnyReason_IsAtMostTheMaximumLength(string? reason, string? shortened) =>
        Assert.Equal(shortened, LegOutput.Shorten(reason, maxLength: 5));

    [Fact]
    public void Shorten_WithoutAMaximum_KeepsFourHundredCharacters()
    {
        Assert.Equal(new string('x', 400), LegOutput.Shorten(new string('x', 400)));
        Assert.Equal($"{new string('x', 399)}\u2026", LegOutput.Shorten(new string('x', 401)));
    }

    [Theory]
    [InlineData('\u0007', "Control")]
    [InlineData('\u200E', "Format")]
    [InlineData('\uE000', "PrivateUse")]
    [InlineData('\u0378', "OtherNotAssigned")]
    [InlineData('\u2028', "LineSeparator")]
    [InlineData('\u2029', "ParagraphSeparator")]
    [InlineData('\u00A0', "SpaceSeparator")]
    public void Shorten_CharacterThatJsonEscapes_IsABlank(char character, string category)
    {
        Assert.Equal(category, $"{char.GetUnicodeCategory(character)}");
        Assert.Equal("a b", LegOutput.Shorten($"a{character}b"));
    }

    [Fact]
    public void Shorten_SurrogatePair_IsTwoBlanks() => Assert.Equal("a  b", LegOutput.Shorten("a\U0001F600b"));

    [Fact]
    public void Shorten_LettersDigitsAndSigns_Stay() => Assert.Equal("Ä9 é-\"<€>", LegOutput.Shorten("Ä9 é-\"<€>"));
}
