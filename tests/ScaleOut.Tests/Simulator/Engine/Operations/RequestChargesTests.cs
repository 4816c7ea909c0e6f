using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Simulator.Engine.Operations;

public sealed class RequestChargesTests
{
    [Theory]
    [InlineData(155, 4, 5.71)]
    [InlineData(1024, 0, 4.95)]
    [InlineData(100 * 1024, 0, 49.5)]
    [InlineData(4 * 1024, 10, 11.8)]
    public void Write_KnownDocument_CostsTheKnownCharge(int bytes, int leaves, double expected) =>
        Assert.Equal(expected, RequestCharges.Write(bytes, leaves).Value);

    [Theory]
    [InlineData(1, 1)]
    [InlineData(1024, 1)]
    [InlineData(100 * 1024, 10)]
    public void Read_KnownSize_CostsTheKnownCharge(int bytes, double expected) => Assert.Equal(expected, RequestCharges.Read(bytes).Value);

    [Fact]
    public void QueryPage_NineOfWhichOneFindsADocument_Cost29And3Point4()
    {
        RequestUnits nine = RequestCharges.QueryPage(155);
        for (int i = 0; i < 8; i++)
            nine += RequestCharges.QueryPage(0);

        Assert.Equal(29, nine.Value);
        Assert.Equal(3.4, RequestCharges.QueryPage(155).Value);
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
    public void Leaves_WithoutConsistentIndex_AreNone()
    {
        Assert.Equal(0, Leaves("""{"id":"1","a":1}""", "", "", IndexingMode.None));
        Assert.Equal(0, Leaves("""{"id":"1","a":1}""", "", "", IndexingMode.Lazy));
    }

    private static int Leaves(string document, string included, string excluded, IndexingMode mode = IndexingMode.Consistent)
    {
        string[] includedPaths = included.Length == 0 && excluded.Length == 0 ? ["/*"] : Split(included);
        var inspector = new DocumentInspector(PartitionKeyVersion.V2, ["pk"], IndexingPolicy.Create(mode, includedPaths, Split(excluded)));
        DocumentFacts facts = default;
        Assert.True(inspector.TryInspect(Encoding.UTF8.GetBytes(document), ref facts, out string? fault), fault);
        return facts.Leaves;
    }

    private static string[] Split(string paths) => paths.Split(',', StringSplitOptions.RemoveEmptyEntries);
}
