namespace ScaleOut.Tests.Simulator.Engine.Charges;

public sealed class RequestChargesTests
{
    [Fact]
    public void Charges_EachOperation_AreThoseOfTheModel()
    {
        for (var bytes = 0; bytes < 2_100_000; bytes += 1 + (bytes / 50))
        {
            Assert.Equal(ChargeModel.Default.Create(bytes, bytes % 30), RequestCharges.Default.Create(bytes, bytes % 30).Value);
            Assert.Equal(ChargeModel.Default.Read(bytes), RequestCharges.Default.Read(bytes).Value);
            Assert.Equal(2 * ChargeModel.Default.Read(bytes), RequestCharges.Default.Strong.Read(bytes).Value, 6);
        }
    }

    [Theory]
    [InlineData(0.4)]
    [InlineData(0.125)]
    [InlineData(0.333)]
    public void Patch_AnyOperations_IsThatOfTheModelAndRoundsThemSeparately(double patchedProperty)
    {
        var known = ChargeModel.Default;
        var model = new ChargeModel(known.ReadPoints, known.WritePoints, known.Index, patchedProperty, known.Query);
        var charges = new RequestCharges(model);
        for (var bytes = 0; bytes < 2_100_000; bytes += 1 + (bytes / 50))
        {
            var operations = 1 + (bytes % 10);
            var replace = charges.Replace(bytes, bytes, 2, true);
            var patch = charges.Patch(replace, operations);

            Assert.Equal(model.Patch(model.Replace(bytes, bytes, 2, true), operations), patch.Value);
            Assert.Equal(replace + RequestUnits.From(patchedProperty * operations), patch);
        }
    }

    [Fact]
    public void Strong_EachOperation_DoublesReadsAndNothingElse()
    {
        var weak = RequestCharges.Default;
        var strong = weak.Strong;
        Assert.Equal(2 * weak.QueryPage(1, 0.5).Hundredths, strong.QueryPage(1, 0.5).Hundredths);
        Assert.Equal(2 * weak.EmptyRead.Hundredths, strong.EmptyRead.Hundredths);
        Assert.Equal((weak.LookUp, weak.Create(155, 4), weak.Delete(155, 4), weak.Replace(155, 155, 2, true)),
            (strong.LookUp, strong.Create(155, 4), strong.Delete(155, 4), strong.Replace(155, 155, 2, true)));
    }

    [Theory]
    [InlineData("", "", 4)]
    [InlineData("/*", "/SomeText/?", 3)]
    [InlineData("/SomeText/?", "/*", 1)]
    [InlineData("", "/*", 0)]
    [InlineData("/*", "/KeyNumber/*,/SomeCount/?", 2)]
    public void Leaves_OfThePerfTestDocument_FollowTheIndexingPolicy(string included, string excluded, int expected) =>
        Assert.Equal(
            expected, Leaves("""{"id":"1","KeyNumber":1,"SomeText":"blah blah","SomeCount":100,"PartitionKey":"p"}""", included, excluded));

    [Theory]
    [InlineData("/*", "", 8)]
    [InlineData("/*", "/a/*", 3)]
    [InlineData("/*", "/a/b/?", 7)]
    [InlineData("/a/b/?", "/*", 1)]
    [InlineData("/a/*", "/*", 5)]
    [InlineData("/*,/a/list/[]/?", "/a/*", 5)]
    [InlineData("/*,/a/b/?", "/a/*", 4)]
    [InlineData("/*", "/\"quoted name\"/?", 7)]
    [InlineData("/*", "/objects/[]/x/?", 7)]
    public void Leaves_OfANestedDocument_FollowTheMostSpecificPath(string included, string excluded, int expected) =>
        Assert.Equal(expected, Leaves(
            """
            {"id":"1","_etag":"e","_ts":5,"a":{"b":1,"list":[1,2],"c":{"d":null,"id":true}},"quoted name":"q","pk":"p","objects":[{"x":1}]}
            """,
            included, excluded));

    [Fact]
    public void Leaves_WithoutConsistentIndex_AreNone() => Assert.All(
        [IndexingMode.None, IndexingMode.Lazy], mode => Assert.Equal(0, Leaves("""{"id":"1","a":1}""", "", "", mode)));

    private static int Leaves(string document, string included, string excluded, IndexingMode mode = IndexingMode.Consistent)
    {
        var includedPaths = included.Length == 0 && excluded.Length == 0 ? ["/*"] : Split(included);
        var inspector = new DocumentInspector(
            new PartitionKeyDefinition(PartitionKeyVersion.V2, [JsonPath.Parse("/pk")!], false),
            IndexingPolicy.Create(mode, includedPaths, Split(excluded)));
        DocumentFacts facts = default;
        Assert.True(inspector.TryInspect(Encoding.UTF8.GetBytes(document), ref facts, out var fault), fault);
        return facts.Leaves;
    }

    private static string[] Split(string paths) => paths.Split(',', StringSplitOptions.RemoveEmptyEntries);
}
