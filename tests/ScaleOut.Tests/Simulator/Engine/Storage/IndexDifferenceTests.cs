namespace ScaleOut.Tests.Simulator.Engine.Storage;

public sealed class IndexDifferenceTests
{
    [Theory]
    // The index ignores the id, system properties, the order of properties, and white space.
    [InlineData("""{"id":"1","a":1}""", """{"id":"1","a":1}""", 0)]
    [InlineData("""{"id":"1","a":1,"b":2}""", """{ "b":2, "id":"1", "a":1 }""", 0)]
    [InlineData("""{"id":"1","a":1,"_ts":5,"_etag":"x"}""", """{"id":"1","a":1,"_ts":6,"_etag":"y"}""", 0)]
    // Escapes do not change a text.
    [InlineData("""{"id":"1","a":"\u00e9","\u00e9":1}""", """{"id":"1","a":"é","é":1}""", 0)]
    // One entry out and one in for each modified value.
    [InlineData("""{"id":"1","a":1,"b":2}""", """{"id":"1","a":3,"b":2}""", 2)]
    [InlineData("""{"id":"1","a":1,"b":2}""", """{"id":"1","a":3,"b":4}""", 4)]
    [InlineData("""{"id":"1","a":1}""", """{"id":"1","a":"1"}""", 2)]
    [InlineData("""{"id":"1","a":{"b":1}}""", """{"id":"1","a":{"c":1}}""", 2)]
    [InlineData("""{"id":"1","a":{"id":1}}""", """{"id":"1","a":{"id":2}}""", 2)]
    // One entry for each value added or removed.
    [InlineData("""{"id":"1","a":1}""", """{"id":"1","a":1,"b":null}""", 1)]
    [InlineData("""{"id":"1","a":1,"b":{"c":[1,2]}}""", """{"id":"1","a":1}""", 2)]
    // The elements of an array share one path.
    [InlineData("""{"id":"1","a":[1,2,3]}""", """{"id":"1","a":[3,1,2]}""", 0)]
    [InlineData("""{"id":"1","a":[1,2,3]}""", """{"id":"1","a":[1,2,4]}""", 2)]
    [InlineData("""{"id":"1","a":[{"b":1},[2]]}""", """{"id":"1","a":[{"b":2},[1]]}""", 4)]
    [InlineData("""{"id":"1","a":[1]}""", """{"id":"1","a":{"[]":1}}""", 2)]
    public void Count_OfTwoBodies_IsEntriesRemovedAndAdded(string before, string after, int expected) =>
        Assert.Equal(expected, Count(before, after, ["/*"], []));

    [Fact]
    public void Count_OfPathsThatAreNotIndexed_LeavesThemOut()
    {
        const string before = """{"id":"1","a":1,"b":{"c":1,"d":1}}""";
        const string after = """{"id":"1","a":2,"b":{"c":2,"d":2}}""";
        Assert.Equal(6, Count(before, after, ["/*"], []));
        Assert.Equal(4, Count(before, after, ["/*"], ["/a/?"]));
        Assert.Equal(2, Count(before, after, ["/b/d/?"], ["/*"]));
        Assert.Equal(0, Count(before, after, ["/*"], [], IndexingMode.None));
        Assert.Equal(0, Count(before, after, ["/*"], [], IndexingMode.Lazy));
    }

    [Fact]
    public void Count_OfManyValues_CountsEach()
    {
        var before = $$"""{"id":"1","a":[{{string.Join(',', Enumerable.Range(0, 500))}}]}""";
        var after = $$"""{"id":"1","a":[{{string.Join(',', Enumerable.Range(100, 500))}}]}""";
        Assert.Equal(200, Count(before, after, ["/*"], []));
    }

    private static int Count(
        string before, string after, string[] included, string[] excluded, IndexingMode mode = IndexingMode.Consistent) =>
        IndexDifference.Count(
            IndexingPolicy.Create(mode, included, excluded), Encoding.UTF8.GetBytes(before), Encoding.UTF8.GetBytes(after));
}
