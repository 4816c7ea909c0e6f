using FsCheck.Fluent;
using ScaleOut.Templates;

namespace ScaleOut.Tests.Shared.Templates;

public sealed class TextTemplateTests
{
    [Fact]
    public void Parse_EveryPlaceholder_IsAPart()
    {
        var parts = Parse(
            "a {{number}}{{guid}} {{ id }}-{{key}}{{random:int:-3:7}}{{random:number:0:1}}{{random:text:12}}{{random:bool}}{{pick: a , b "
                + "}} }} {",
            out var errors);

        Assert.Empty(errors);
        Assert.Equal(
            [
                PlaceholderKind.Literal, PlaceholderKind.Number, PlaceholderKind.Unique, PlaceholderKind.Literal, PlaceholderKind.Id,
                PlaceholderKind.Literal, PlaceholderKind.Key, PlaceholderKind.RandomInt, PlaceholderKind.RandomNumber,
                PlaceholderKind.RandomText, PlaceholderKind.RandomBool, PlaceholderKind.Pick, PlaceholderKind.Literal,
            ],
            parts.Select(part => part.Kind));
        Assert.Equal((-3, 7), (parts[7].Minimum, parts[7].Maximum));
        Assert.Equal(12, parts[9].Maximum);
        Assert.Equal(["a", "b"], parts[11].Choices);
        Assert.Equal(" }} {", parts[12].Text);
    }

    [Theory]
    [InlineData("{{nr}}", 1, "there is no placeholder \"{{nr}}\"")]
    [InlineData("ab{{number:5}}", 3, "there is no placeholder \"{{number:5}}\"")]
    [InlineData("{{}}", 1, "there is no placeholder \"{{}}\"")]
    [InlineData("x{{id", 2, "'{{' is never closed by '}}'")]
    [InlineData("{{pick:a,,b}}", 1, "\"{{pick:a,,b}}\" has an empty choice")]
    [InlineData("{{pick:a,*3}}", 1, "\"{{pick:a,*3}}\" has an empty choice")]
    [InlineData("x{{pick:big*0,b}}", 2, "\"{{pick:big*0,b}}\": the weight 0 of \"big\" is out of range: above 0, at most 1,000,000,000")]
    [InlineData("{{pick:a,big*-1.5}}", 1, "\"{{pick:a,big*-1.5}}\": the weight -1.5 of \"big\" is out of range")]
    [InlineData("{{pick:a,b*1000000001}}", 1, "\"{{pick:a,b*1000000001}}\": the weight 1000000001 of \"b\" is out of range")]
    [InlineData("{{random:int:2:1}}", 1, "the range 2 to 1 is empty")]
    [InlineData("{{random:int:a:1}}", 1, "\"{{random:int:a:1}}\" is none of")]
    [InlineData("{{random:int:1:99999999999999999999}}", 1, "\"{{random:int:1:99999999999999999999}}\" is none of")]
    [InlineData("{{random:text:10001}}", 1, "10001 characters are out of range 1..10000")]
    [InlineData("{{random:colour}}", 1, "\"{{random:colour}}\" is none of")]
    [InlineData("{{zipf:1:10}}", 1, "\"{{zipf:1:10}}\" is not {{zipf:from:to:exponent}}")]
    [InlineData("{{zipf:10:1:1.1}}", 1, "the range 10 to 1 is empty")]
    [InlineData("{{zipf:1:1000001:1.1}}", 1, "the range 1 to 1000001 has more than 1000000 values")]
    [InlineData("{{zipf:1:10:0}}", 1, "the exponent 0 is out of range: above 0, at most 10")]
    [InlineData("{{zipf:1:10:1e1}}", 1, "\"{{zipf:1:10:1e1}}\" is not {{zipf:from:to:exponent}}")]
    [InlineData("{{field:a}}", 1, "there is no placeholder \"{{field:a}}\"")]
    public void Parse_Invalid_SaysWhatAndAtWhichCharacter(string text, int character, string message)
    {
        Parse(text, out var errors);
        var error = Assert.Single(errors);
        Assert.Equal(character, error.Character);
        Assert.StartsWith(message, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{{pick:big*12,small*88}}", "big 12, small 88")]
    [InlineData("{{pick: big * 0.5 ,small}}", "big 0.5, small 1")]
    [InlineData("{{pick:a*b,*,2*,c**}}", "a*b 1, * 1, 2* 1, c** 1")]
    [InlineData("{{pick:2*4*1,a**3,b*1e3,c*NaN}}", "2*4 1, a* 3, b*1e3 1, c*NaN 1")]
    public void Parse_Pick_HasTheWeightBehindTheLastStar(string text, string expected)
    {
        var part = Assert.Single(Parse(text, out var errors));

        Assert.Empty(errors);
        var choices = part.Choices.Zip(part.Weights, (choice, weight) => FormattableString.Invariant($"{choice} {weight}"));
        Assert.Equal(expected, string.Join(", ", choices));
    }

    [Fact]
    public void Parse_SeveralErrors_NamesThemAll()
    {
        Parse("{{a}} {{number}} {{b}} {{c", out var errors);
        Assert.Equal([1, 18, 24], errors.Select(error => error.Character));
    }

    [Fact]
    public void Parse_FieldOfADocument_IsAPart()
    {
        var parts = TextTemplate.Parse("{{field:ownerId}}", (_, message) => throw new InvalidOperationException(message), ofDocument: true);
        Assert.Equal("ownerId", Assert.Single(parts).Text);
    }

    [Fact]
    public void Parse_AnyText_NeverThrowsAndLosesNoLiteral() =>
        Properties.Holds(Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
    {
        var random = new Random(seed);
        string[] pieces =
            ["{", "{{", "}}", "}", "number", "random", ":", "int", "1", "-2", ",", "pick", "a", " ", "é", "\"", "{{number}}", "{{id}}"];
        var text = string.Concat(Enumerable.Range(0, random.Next(30)).Select(_ => pieces[random.Next(pieces.Length)]));

        var parts = Parse(text, out var errors);

        Assert.All(errors, error => Assert.InRange(error.Character, 1, text.Length));
        if (!text.Contains("{{", StringComparison.Ordinal))
            Assert.Equal(text, string.Concat(parts.Select(part => part.Text)));
        Assert.All(parts, part => Assert.True(TemplateSize.Most(part) >= 0));
    }));

    private static IReadOnlyList<TemplatePart> Parse(string text, out List<(int Character, string Message)> errors)
    {
        var noted = errors = [];
        return TextTemplate.Parse(text, (character, message) => noted.Add((character, message)));
    }
}
