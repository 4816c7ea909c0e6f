namespace ScaleOut.Tests.Simulator.Engine.Charges;

public sealed class RequestChargesTests
{
    [Fact]
    public void Strong_EachOperation_DoublesReadsAndNothingElse()
    {
        var weak = RequestCharges.Default;
        var strong = weak.Strong;
        Assert.Equal(2 * weak.QueryPage(1, 0.5).Parts, strong.QueryPage(1, 0.5).Parts);
        Assert.Equal(2 * weak.EmptyRead.Parts, strong.EmptyRead.Parts);
        Assert.Equal((weak.Model.Rejected, weak.Model.Create(155, 4), weak.Model.Conflict(4), weak.Model.Replace(155, 155, 2)),
            (strong.Model.Rejected, strong.Model.Create(155, 4), strong.Model.Conflict(4), strong.Model.Replace(155, 155, 2)));
    }

    [Theory]
    [InlineData("", "", 11)]
    [InlineData("/*", "/SomeText/?", 9)]
    [InlineData("/SomeText/?", "/*", 5)]
    [InlineData("", "/*", 3)]
    [InlineData("/*", "/KeyNumber/*,/SomeCount/?", 7)]
    public void Entries_OfThePerfTestDocument_FollowTheIndexingPolicy(string included, string excluded, int expected) =>
        Assert.Equal(
            expected,
            Entries("""{"id":"1","KeyNumber":1,"SomeText":"blah blah","SomeCount":100,"PartitionKey":"p"}""", included, excluded));

    [Fact]
    public void Entries_WithoutConsistentIndex_AreNone() => Assert.All(
        [IndexingMode.None, IndexingMode.Lazy], mode => Assert.Equal(0, Entries("""{"id":"1","a":1}""", "", "", mode)));

    private static int Entries(string document, string included, string excluded, IndexingMode mode = IndexingMode.Consistent)
    {
        var includedPaths = included.Length == 0 && excluded.Length == 0 ? ["/*"] : Split(included);
        var inspector = new DocumentInspector(
            new PartitionKeyDefinition(PartitionKeyVersion.V2, [JsonPath.Parse("/pk")!], false),
            IndexingPolicy.Create(mode, includedPaths, Split(excluded)));
        DocumentFacts facts = default;
        Assert.True(inspector.TryInspect(Encoding.UTF8.GetBytes(document), ref facts, out var fault), fault);
        return facts.Entries;
    }

    private static string[] Split(string paths) => paths.Split(',', StringSplitOptions.RemoveEmptyEntries);
}
