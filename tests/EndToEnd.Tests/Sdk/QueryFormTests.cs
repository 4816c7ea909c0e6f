using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Query forms of other programs, over four partitions.</summary>
public sealed class QueryFormTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Select_WithoutFrom_ReturnsOneResultForAllPartitions(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        Assert.Equal(["""{"$1":1}"""], await ReadAsync(container, "SELECT 1"));
        Assert.Equal(["""{"a":1}"""], await ReadAsync(container, """SELECT VALUE {"a": 1}"""));
        Assert.Equal(["3"], await ReadAsync(container, "SELECT DISTINCT TOP 1 VALUE 1 + 2 WHERE LENGTH('ab') = 2"));
        Assert.Equal(["2"], await ReadAsync(container, "SELECT VALUE 2", new PartitionKey("k3")));
        Assert.Empty(await ReadAsync(container, "SELECT VALUE 1 WHERE false"));
        Assert.Empty(await ReadAsync(container, "SELECT VALUE 1 OFFSET 1 LIMIT 1"));
        Assert.Empty(await ReadAsync(container, "SELECT VALUE undefined"));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_AliasWithoutAs_NamesTheProperty(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        Assert.Equal(["""{"count":9,"most":8}"""], await ReadAsync(container, "SELECT COUNT(1) count, MAX(c.n) most FROM c"));
        Assert.Equal(["""{"x":"k4"}"""], await ReadAsync(container, "SELECT c.pk x FROM c WHERE c.n = 4"));
        Assert.Equal(["4"], await ReadAsync(container, "SELECT VALUE c.n number FROM c WHERE c.n = 4"));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_SeveralPaths_NeedsACompositeIndexOfThem(ConnectionMode mode)
    {
        var container = await FillAsync(mode, "/g, /n DESC");

        Assert.Equal(
            ["6", "3", "0", "7", "4", "1", "8", "5", "2"], await ReadAsync(container, "SELECT VALUE c.n FROM c ORDER BY c.g, c.n DESC"));
        Assert.Equal(
            ["2", "5", "8", "1", "4", "7", "0", "3", "6"], await ReadAsync(container, "SELECT VALUE c.n FROM c ORDER BY c.g DESC, c.n"));
        foreach (var order in new[] { "c.g, c.n", "c.n DESC, c.g", "c.g, c.n DESC, c.id", "c.g, c.id" })
        {
            var e = await FailsAsync(HttpStatusCode.BadRequest, () => ReadAsync(container, $"SELECT * FROM c ORDER BY {order}"));
            Assert.Contains("does not have a corresponding composite index", e.Message, StringComparison.Ordinal);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task IndexMetrics_AskedFor_NameTheIndexes(ConnectionMode mode)
    {
        var container = await FillAsync(mode, "/g, /n");
        await AssertAsync("""c.id = "1" AND c.n = 2""", """["/n/?","/id/?"]""", "[]", "[]", "[]");
        await AssertAsync("""c.id = "1" AND c.n > 2""", """["/n/?","/id/?"]""", "[]", "[]", """["/id ASC","/n ASC"]""");
        await AssertAsync("c.g = 1 AND c.n > 2", """["/n/?","/g/?"]""", "[]", """["/g ASC","/n ASC"]""", "[]");
        await AssertAsync("""STARTSWITH(c["a b"].z, "x") OR LOWER(c.y) = "y" """, "[]", "[]", "[]", "[]");
        await AssertAsync("""STARTSWITH(c["a \"b"]["ä"], "x")""", """["/\"a \\\"b\"/ä/?"]""", "[]", "[]", "[]");
        await AssertAsync("""c._etag = "x" """, "[]", """["/_etag/?"]""", "[]", "[]");

        async Task AssertAsync(string where, string utilized, string potential, string utilizedComposites, string potentialComposites)
        {
            using var iterator = container.GetItemQueryIterator<JToken>(
                $"SELECT * FROM c WHERE {where}", requestOptions: new QueryRequestOptions { PopulateIndexMetrics = true });
            var metrics = JObject.Parse((await iterator.ReadNextAsync(Token)).IndexMetrics);
            Assert.Equal(utilized, Specs(metrics["UtilizedIndexes"]!["SingleIndexes"]!, "IndexSpec"));
            Assert.Equal(potential, Specs(metrics["PotentialIndexes"]!["SingleIndexes"]!, "IndexSpec"));
            Assert.Equal(utilizedComposites, Specs(metrics["UtilizedIndexes"]!["CompositeIndexes"]!, "IndexSpecs"));
            Assert.Equal(potentialComposites, Specs(metrics["PotentialIndexes"]!["CompositeIndexes"]!, "IndexSpecs"));
        }

        static string Specs(JToken indexes, string property) =>
            new JArray(indexes.SelectMany(index => index[property] is JArray several ? several : new JArray(index[property]!)))
                .ToString(Newtonsoft.Json.Formatting.None);
    }

    [Fact]
    public async Task Metrics_OlderForms_AreHeadersOfTheGateway()
    {
        var container = await FillAsync(ConnectionMode.Gateway);
        using var asked = await AskAsync("True");
        using var notAsked = await AskAsync("False");

        var index = JObject.Parse(Encoding.UTF8.GetString(
            Convert.FromBase64String(asked.Headers.GetValues("x-ms-cosmos-index-utilization").Single())));
        Assert.Equal("/n/?", (string?)index["UtilizedSingleIndexes"]![0]!["IndexSpec"]);
        var metrics = asked.Headers.GetValues("x-ms-documentdb-query-metrics").Single();
        Assert.StartsWith("totalExecutionTimeInMs=", metrics, StringComparison.Ordinal);
        Assert.Contains(";retrievedDocumentCount=1;", metrics, StringComparison.Ordinal);
        Assert.Contains(";outputDocumentCount=1;", metrics, StringComparison.Ordinal);
        Assert.EndsWith(";indexUtilizationRatio=1.00", metrics, StringComparison.Ordinal);
        Assert.False(notAsked.Headers.Contains("x-ms-cosmos-index-utilization"));
        Assert.False(notAsked.Headers.Contains("x-ms-documentdb-query-metrics"));

        Task<HttpResponseMessage> AskAsync(string populate) => SendAsync(
            HttpMethod.Post, DocumentsOf(container), """{"query":"SELECT * FROM c WHERE c.n = 4"}""",
            ("x-ms-documentdb-isquery", "True"), ("x-ms-documentdb-partitionkey", """["k4"]"""),
            ("x-ms-cosmos-populateindexmetrics", populate), ("x-ms-documentdb-populatequerymetrics", populate));
    }

    /// <summary>The SDK itself always asks for query metrics.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task QueryMetrics_OfASplitUpQuery_AddUp(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        ServerSideMetrics? total = null;
        using var iterator = container.GetItemQueryIterator<JToken>("SELECT VALUE c.n FROM c WHERE c.n * 2 > 9");
        while (iterator.HasMoreResults)
            total = (await iterator.ReadNextAsync(Token)).Diagnostics.GetQueryMetrics().CumulativeMetrics;

        Assert.NotNull(total);
        Assert.InRange(total.RetrievedDocumentCount, 1, 9);
        Assert.True(total.RetrievedDocumentSize > 0);
        Assert.InRange(total.OutputDocumentCount, 0, total.RetrievedDocumentCount);
        Assert.True(total.QueryPreparationTime > TimeSpan.Zero);
    }

    private static async Task<List<string>> ReadAsync(Container container, string query, PartitionKey? key = null) =>
        (await container.QueryAsync<JToken>(query, new QueryRequestOptions { PartitionKey = key })).ConvertAll(
            one => one.ToString(Newtonsoft.Json.Formatting.None));

    private Task<Container> FillAsync(ConnectionMode mode, params string[] composites) => FillAsync(
        mode, Enumerable.Range(0, 9).Select(i => (new { id = $"{i}", pk = $"k{i}", n = i, g = i % 3 }, $"k{i}")),
        CompositeIndexes.Properties(composites));
}
