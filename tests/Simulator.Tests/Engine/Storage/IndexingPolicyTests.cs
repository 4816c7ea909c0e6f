namespace ScaleOut.Tests.Simulator.Engine.Storage;

public sealed class IndexingPolicyTests
{
    [Theory]
    [InlineData("/SomeText/?")]
    [InlineData("/SomeText/*")]
    [InlineData("/\"with / slash\"/*")]
    [InlineData("/a/[]/b/?")]
    [InlineData("/a b/?")]
    [InlineData("/ä-1/?")]
    public void Create_ExcludedPathThatValidationAccepts_IsAccepted(string path)
    {
        Assert.Empty(RunSpecReader.Check(new RunSpec { Container = new ContainerSpec { ExcludedPaths = [path] } }).Errors);
        Assert.True(IndexingPolicy.Create(IndexingMode.Consistent, ["/*"], [path]).Charged is not null);
    }
}
