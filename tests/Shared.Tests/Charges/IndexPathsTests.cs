namespace ScaleOut.Tests.Shared.Charges;

public sealed class IndexPathsTests
{
    /// <summary>The most specific path decides, as "Indexing policies in Azure Cosmos DB" says of include and exclude strategies.</summary>
    [Theory]
    [InlineData("/SomeText", true)]
    [InlineData("/SomeText", false, "", "/*")]
    [InlineData("/SomeText", true, "/SomeText/?", "/*")]
    [InlineData("/Other", false, "/SomeText/?", "/*")]
    [InlineData("/food/ingredients/nutrition/fat", true, "/food/ingredients/nutrition/*", "/food/ingredients/*")]
    [InlineData("/food/ingredients/fat", false, "/food/ingredients/nutrition/*", "/food/ingredients/*")]
    [InlineData("/food/fat", true, "/food/ingredients/nutrition/*", "/food/ingredients/*")]
    [InlineData("/a", false, "/a/*", "/a/?")]
    [InlineData("/a", true, "/a/?", "/a/*")]
    [InlineData("/a/b", true, "/a/*", "/*")]
    [InlineData("/tags/[]", true, "/\"tags\"/*", "/*")]
    [InlineData("/tags/[]", false, "/tags/?", "/*")]
    public void Holds_IncludedAndExcluded_TheMostSpecificDecides(
        string leaf, bool expected, string included = "", string excluded = "")
    {
        string[] within = included.Length == 0 ? [] : [included];
        string[] without = excluded.Length == 0 ? [] : [excluded];
        var all = excluded == "/*" ? within : (string[])["/*", .. within];
        Assert.Equal(expected, IndexPaths.TryCreate(all, without, out _)!.Holds(leaf[1..].Split('/')));
    }

    [Fact]
    public void Holds_PathThatIsIncludedAndExcluded_IsExcluded() =>
        Assert.False(IndexPaths.TryCreate(["/*", "/a/*"], ["/a/*"], out _)!.Holds(["a", "b"]));

    [Theory]
    [InlineData("/SomeText")]
    [InlineData("nonsense")]
    [InlineData("/a/")]
    [InlineData("/?")]
    public void TryCreate_MalformedPath_NamesIt(string path)
    {
        Assert.Null(IndexPaths.TryCreate(["/*"], [path], out var malformed));
        Assert.Equal(path, malformed);
    }

    [Theory]
    [InlineData("/*", "/a/?", true)]
    [InlineData("/a/*", "/a/?", true)]
    [InlineData("/a/?", "/a/?", true)]
    [InlineData("/\"a\"/?", "/a/?", true)]
    [InlineData("/a/*", "/a/b/*", true)]
    [InlineData("/a/*", "/ab/?", false)]
    [InlineData("/a/?", "/a/b/?", false)]
    [InlineData("/a/b/*", "/a/*", false)]
    public void Contains_TwoPaths_WhetherAllOfTheOtherIsCovered(string path, string other, bool expected) =>
        Assert.Equal(expected, IndexPaths.Contains(path, other));
}
