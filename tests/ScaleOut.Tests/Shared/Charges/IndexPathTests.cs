namespace ScaleOut.Tests.Shared.Charges;

public sealed class IndexPathTests
{
    [Theory]
    [InlineData("/*", "/SomeText", true)]
    [InlineData("/*", "/a/b", true)]
    [InlineData("/SomeText/?", "/SomeText", true)]
    [InlineData("/SomeText/?", "/SomeText/inner", false)]
    [InlineData("/SomeText/?", "/SomeTextual", false)]
    [InlineData("/a/*", "/a", true)]
    [InlineData("/a/*", "/a/b/c", true)]
    [InlineData("/a/*", "/ab", false)]
    [InlineData("/tags/[]/?", "/tags/[]", true)]
    [InlineData("/tags/*", "/tags/[]", true)]
    [InlineData("/\"SomeText\"/?", "/SomeText", true)]
    [InlineData("/SomeText", "/SomeText", false)]
    public void Covers_PathAndLeaf_AsTheServiceDoes(string indexPath, string leafPath, bool expected) =>
        Assert.Equal(expected, IndexPath.Covers(indexPath, leafPath));

    [Theory]
    [InlineData("/SomeText/?")]
    [InlineData("/SomeText/*")]
    [InlineData("/\"with / slash\"/*")]
    [InlineData("/a/[]/b/?")]
    [InlineData("/a b/?")]
    [InlineData("/ä-1/?")]
    public void ExcludedPath_ThatValidationAccepts_IsAcceptedByTheSimulatedAccount(string path)
    {
        Assert.Empty(RunSpecReader.Check(new RunSpec { Container = new ContainerSpec { ExcludedPaths = [path] } }).Errors);
        Assert.True(IndexingPolicy.Create(IndexingMode.Consistent, ["/*"], [path]).ChargesLeaves);
    }
}
