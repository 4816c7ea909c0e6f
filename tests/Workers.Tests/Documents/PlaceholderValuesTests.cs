using ScaleOut.Templates;

namespace ScaleOut.Tests.Workers.Documents;

public sealed class PlaceholderValuesTests
{
    /// <summary>The share is what the documents that are written have.</summary>
    [Theory]
    [InlineData("{{random:text:1}}")]
    [InlineData("{{random:int:1:30}}")]
    [InlineData("{{pick:a,b,a,c}}-{{random:bool}}")]
    [InlineData("{{pick:big*12,small*88}}")]
    [InlineData("{{pick:a*0.125,b*0.25,c}}")]
    [InlineData("{{zipf:1:50:1.1}}")]
    public void From_Text_HasItsMostFrequentValueAsOftenAsValidationSays(string text)
    {
        const int documents = 100_000;
        var parts = TextTemplate.Parse(text, (_, message) => Assert.Fail(message));
        var values = new PlaceholderValues("r-1", parts);
        var counts = Enumerable.Range(0, documents).CountBy(number => values.From(number, id: "", key: "")).ToDictionary();

        var ratio = counts.Values.Max() / (KeyShare.LargestOf(parts) * documents);
        Assert.True(ratio is > 0.95 and < 1.1, $"{ratio:0.00} times the calculated share");
    }
}
