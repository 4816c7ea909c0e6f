using ScaleOut.Simulator.Engine.Queries.Syntax;

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

    /// <summary>One entry for a path, one for each value, two for an array with its content; none of a value that there is not.</summary>
    [Theory]
    [InlineData("/*", "A", 0)]
    [InlineData("/lower/?", "A", 2)]
    [InlineData("/pair/*", "A", 5)]
    [InlineData("/pair/?", "A", 0)]
    [InlineData("/endless/?", "A", 0)]
    [InlineData("/lower/?", null, 0)]
    public void CountEntries_ComputedProperties_AreThoseThatAPathNames(string path, string? name, int entries)
    {
        var body = Body(name, n: 1);
        Assert.Equal(Create("/*").CountEntries(body) + entries, Create("/*", path).CountEntries(body));
    }

    [Theory]
    [InlineData("B", 2 + 2)]
    [InlineData("a", 2)]
    [InlineData(null, 2 + 2)]
    public void ChangedEntries_ComputedProperties_AreThoseWhoseValueChanges(string? after, int entries) =>
        Assert.Equal(entries, Create("/*", "/lower/?").ChangedEntries(Body("A", n: 1), Body(after, n: 1)));

    private static byte[] Body(string? name, int n) =>
        Encoding.UTF8.GetBytes($$"""{"id":"1","n":{{n}}{{(name is null ? "" : $",\"name\":\"{name}\"")}}}""");

    private static IndexingPolicy Create(params string[] included)
    {
        var computed = ComputedProperties.Read(JsonDocument.Parse(
            """
            [{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"},{"name":"pair","query":"SELECT VALUE [c.name, c.n] FROM c"},
             {"name":"endless","query":"SELECT VALUE c.n / 0 FROM c"}]
            """).RootElement);
        return IndexingPolicy.Create(IndexingMode.Consistent, included, [], computed: computed);
    }
}
