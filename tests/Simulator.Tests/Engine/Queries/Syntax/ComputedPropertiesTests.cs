using ScaleOut.Simulator.Engine.Queries.Syntax;

namespace ScaleOut.Tests.Simulator.Engine.Queries.Syntax;

/// <summary>The rules are those of the service's documentation, "Computed properties".</summary>
public sealed class ComputedPropertiesTests
{
    private const int Most = 20;

    [Theory]
    [InlineData("SELECT VALUE c.a FROM c")]
    [InlineData("SELECT VALUE LOWER(root.a) FROM root")]
    [InlineData("SELECT VALUE p.a ?? p.b[0] FROM products p")]
    public void Read_QueryOfOneDocument_IsKeptByItsName(string query) => Assert.Equal(["x"], Read(("x", query)).Keys);

    [Theory]
    [InlineData("SELECT VALUE 1", "FROM")]
    [InlineData("SELECT VALUE x FROM c.a x", "FROM")]
    [InlineData("SELECT VALUE x FROM x IN c.a", "FROM")]
    [InlineData("SELECT VALUE x FROM c JOIN x IN c.a", "JOIN")]
    [InlineData("SELECT c.a FROM c", "SELECT VALUE")]
    [InlineData("SELECT * FROM c", "SELECT VALUE")]
    [InlineData("SELECT DISTINCT VALUE c.a FROM c", "clauses")]
    [InlineData("SELECT TOP 1 VALUE c.a FROM c", "clauses")]
    [InlineData("SELECT VALUE c.a FROM c WHERE c.b = 1", "clauses")]
    [InlineData("SELECT VALUE c.a FROM c GROUP BY c.a", "clauses")]
    [InlineData("SELECT VALUE c.a FROM c ORDER BY c.a", "clauses")]
    [InlineData("SELECT VALUE c.a FROM c OFFSET 0 LIMIT 1", "clauses")]
    [InlineData("SELECT VALUE COUNT(1) FROM c", "aggregates")]
    [InlineData("SELECT VALUE (SELECT VALUE c.a) FROM c", "subqueries")]
    [InlineData("SELECT VALUE EXISTS(SELECT VALUE x FROM x IN c.a) FROM c", "subqueries")]
    [InlineData("SELECT VALUE c.a + @p FROM c", "parameters")]
    [InlineData("SELECT VALUE CONCAT(c.a, GetCurrentDateTime()) FROM c", "chance")]
    [InlineData("SELECT VALUE GetCurrentTimestamp() FROM c", "chance")]
    [InlineData("SELECT VALUE GetCurrentTicks() FROM c", "chance")]
    [InlineData("SELECT VALUE RAND() FROM c", "chance")]
    [InlineData("SELECT VALUE udf.f(c.a) FROM c", "user-defined functions")]
    [InlineData("SELECT VALUE", "Syntax error")]
    public void Read_OtherQuery_IsRejectedForItsReason(string query, string reason)
    {
        var e = Assert.Throws<RequestException>(() => Read(("x", query)));
        Assert.Equal(400, e.Status);
        Assert.Contains(reason, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("id")]
    [InlineData("_rid")]
    [InlineData("_ts")]
    [InlineData("_etag")]
    public void Read_ReservedName_IsRejected(string name) =>
        Assert.Equal(400, Assert.Throws<RequestException>(() => Read((name, "SELECT VALUE c.a FROM c"))).Status);

    [Fact]
    public void Read_NameTwiceOrTooMany_IsRejected()
    {
        (string, string)[] most = [.. Enumerable.Range(0, Most).Select(i => ($"p{i}", "SELECT VALUE c.a FROM c"))];
        Assert.Equal(Most, Read(most).Count);
        var tooMany = Assert.Throws<RequestException>(() => Read([.. most, ("one", "SELECT VALUE c.a FROM c")]));
        var twice = Assert.Throws<RequestException>(() => Read(most[0], most[0]));

        Assert.Contains("at most 20", tooMany.Message, StringComparison.Ordinal);
        Assert.Contains("more than once", twice.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("\"x\"")]
    [InlineData("[1]")]
    [InlineData("""[{"name":"x"}]""")]
    [InlineData("""[{"name":1,"query":"SELECT VALUE c.a FROM c"}]""")]
    public void Parse_MalformedList_IsRejected(string list) =>
        Assert.Equal(400, Assert.Throws<RequestException>(() => Parse(list)).Status);

    /// <summary>Wildcards do not cover computed properties, and a path that names one does.</summary>
    [Theory]
    [InlineData("", false)]
    [InlineData(""",{"path":"/x/?"}""", true)]
    [InlineData(""",{"path":"/x/*"}""", true)]
    public void Holds_ComputedProperty_OnlyByAPathThatNamesIt(string path, bool isHeld)
    {
        var settings = Parse("""[{"name":"x","query":"SELECT VALUE c.x FROM c"}]""", $$"""{"includedPaths":[{"path":"/*"}{{path}}]}""");
        var index = settings.Indexing;
        var query = QueryParser.Parse("SELECT * FROM c WHERE c.x = 1 AND c.y = 1", new Dictionary<string, Datum>(), index: index);

        Assert.Equal(isHeld, index.Holds(["x"]));
        Assert.True(index.Holds(["y"]));
        Assert.Equal((isHeld ? 1 : 0, isHeld ? 0 : 1, 1),
            (query.Condition.Served.Count, query.Condition.Loaded.Count, query.Condition.Filters.Count));
    }

    private static IReadOnlyDictionary<string, QuerySyntax> Read(params (string Name, string Query)[] properties) =>
        ComputedProperties.Read(JsonSerializer.SerializeToElement(properties.Select(one => new { name = one.Name, query = one.Query })));

    private static ContainerSettings Parse(string computed, string policy = "{}") => ContainerSettings.Parse(Encoding.UTF8.GetBytes(
        $$"""{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash"},"indexingPolicy":{{policy}},"computedProperties":{{computed}}}"""));
}
