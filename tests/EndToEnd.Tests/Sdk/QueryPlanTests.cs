using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Query plans and errors that contain one, which clients other than the .NET SDK read.</summary>
public sealed class QueryPlanTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly (string Name, string Value) CrossPartition = ("x-ms-documentdb-query-enablecrosspartition", "True");

    private static readonly (string Name, string Value) AllFeatures = ("x-ms-cosmos-supported-query-features",
        "Aggregate, Distinct, GroupBy, MultipleOrderBy, MultipleAggregates, NonValueAggregate, OffsetAndLimit, OrderBy, Top");

    [Theory]
    [InlineData("SELECT * FROM c WHERE c.a = 1", "", """{"distinctType":"None","hasSelectValue":false}""")]
    [InlineData("SELECT TOP 3 c.a FROM root c ORDER BY c.b DESC, c.a",
        """SELECT TOP 3 c._rid, [{"item": c.b}, {"item": c.a}] AS orderByItems, {"a": c.a} AS payload"""
            + "\nFROM root c"
            + "\nWHERE ({documentdb-formattableorderbyquery-filter})\nORDER BY c.b DESC, c.a",
        """{"top":3,"orderBy":["Descending","Ascending"],"orderByExpressions":["c.b","c.a"]}""")]
    [InlineData("SELECT VALUE AVG(c.a) FROM c WHERE c.b OR c.d",
        """SELECT VALUE [{"item": AVG(c.a), "item2": {"sum": SUM(c.a), "count": COUNT(c.a)}}]""" + "\nFROM c\nWHERE (c.b OR c.d)",
        """{"aggregates":["Average"],"hasSelectValue":true,"groupByAliasToAggregateType":{}}""")]
    [InlineData("SELECT c.a, (MAX(c.b)) FROM c GROUP BY c.a",
        """SELECT [{"item": c.a}] AS groupByItems, {"a": c.a, "$1": {"item": MAX(c.b), "item2": {"max": MAX(c.b), "count": COUNT(c.b)}}} """
            + "AS payload\nFROM c\nGROUP BY c.a",
        """{"aggregates":[],"groupByAliases":["a","$1"],"groupByAliasToAggregateType":{"a":null,"$1":"Max"}}""")]
    [InlineData("SELECT DISTINCT VALUE c.a FROM c OFFSET 2 LIMIT 5",
        "SELECT DISTINCT VALUE c.a\nFROM c\nOFFSET 0 LIMIT 7",
        """{"distinctType":"Unordered","offset":2,"limit":5,"hasSelectValue":true}""")]
    [InlineData("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a",
        """SELECT c._rid, [{"item": c.a}] AS orderByItems, c.a AS payload"""
            + "\nFROM c\nWHERE ({documentdb-formattableorderbyquery-filter}) AND (IS_DEFINED(c.a))\nORDER BY c.a",
        """{"distinctType":"Ordered"}""")]
    [InlineData("SELECT TOP 3 c.a FROM c", "", """{"top":3}""")]
    [InlineData("SELECT c.a -- what\nFROM c -- where\nORDER BY c.a -- how",
        """SELECT c._rid, [{"item": c.a}] AS orderByItems, {"a": c.a} AS payload"""
            + "\nFROM c\nWHERE ({documentdb-formattableorderbyquery-filter})\nORDER BY c.a",
        """{"orderByExpressions":["c.a"]}""")]
    public async Task Plan_OfAQuery_HasTheRewrittenQueryAndItsSteps(string query, string rewritten, string info)
    {
        (var status, var plan) = await PostAsync(query, "x-ms-cosmos-is-query-plan-request", AllFeatures);
        Assert.Equal(HttpStatusCode.OK, status);
        var actual = plan.GetProperty("queryInfo");
        Assert.Equal(rewritten, actual.GetProperty("rewrittenQuery").GetString());
        foreach (var expected in JsonDocument.Parse(info).RootElement.EnumerateObject())
            Assert.Equal(expected.Value.GetRawText(), actual.GetProperty(expected.Name).GetRawText());
        var range = Assert.Single(plan.GetProperty("queryRanges").EnumerateArray());
        Assert.Equal(("", "FF"), (range.GetProperty("min").GetString(), range.GetProperty("max").GetString()));
    }

    [Theory]
    [InlineData("SELECT VALUE COUNT(1) FROM c", "can not be directly served by the gateway")]
    [InlineData("SELECT * FROM c ORDER BY c.a", "can not be directly served by the gateway")]
    [InlineData("SELECT DISTINCT c.a FROM c", "can not be directly served by the gateway")]
    [InlineData("SELECT c.a FROM c OFFSET 1 LIMIT 1", "can not be directly served by the gateway")]
    public async Task Query_ThatNeedsAPlan_IsBadRequestWithThePlan(string query, string message)
    {
        (var status, var error) = await PostAsync(query, "x-ms-documentdb-isquery", CrossPartition);
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Contains(message, error.GetProperty("message").GetString(), StringComparison.Ordinal);
        var plan = JsonDocument.Parse(error.GetProperty("additionalErrorInfo").GetString()!).RootElement;
        Assert.Equal(2, plan.GetProperty("partitionedQueryExecutionInfoVersion").GetInt32());
    }

    [Theory]
    [InlineData("SELECT COUNT(1) AS n FROM c", true)]
    [InlineData("SELECT c.a FROM c GROUP BY c.a", true)]
    [InlineData("SELECT VALUE COUNT(1) FROM c GROUP BY c.a", true)]
    [InlineData("SELECT c.a FROM c", false)]
    [InlineData("SELECT * FROM c WHERE c.pk > 'k'", false)]
    public async Task Query_ThatNoGatewayServes_IsBadRequestWithoutAPlan(string query, bool isAsked)
    {
        (var status, var error) = await PostAsync(query, "x-ms-documentdb-isquery", isAsked ? CrossPartition : ("x-none", ""));
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Contains(
            isAsked ? "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates."
                : "Cross partition query is required but disabled.",
            error.GetProperty("message").GetString(), StringComparison.Ordinal);
        Assert.False(error.TryGetProperty("additionalErrorInfo", out _));
    }

    /// <summary>A partition knows only its own results, so that their concatenation would repeat values.</summary>
    [Fact]
    public async Task Query_OfDistinctRowsInFrom_IsNotServedByTheGateway() => Assert.Equal(
        HttpStatusCode.BadRequest,
        (await PostAsync("SELECT VALUE a FROM (SELECT DISTINCT VALUE c.a FROM c) a", "x-ms-documentdb-isquery", CrossPartition)).Status);

    [Theory]
    [InlineData("SELECT c.id FROM c WHERE c.pk = 'k'")]
    [InlineData("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'k'")]
    [InlineData("SELECT 1")]
    public async Task Query_OfOnePartitionKeyOrNone_NeedsNoHeader(string query) =>
        Assert.Equal(HttpStatusCode.OK, (await PostAsync(query, "x-ms-documentdb-isquery", ("x-none", ""))).Status);

    [Theory]
    [InlineData("SELECT VALUE COUNT(1) FROM c", "Aggregate")]
    [InlineData("SELECT DISTINCT TOP 1 c.a FROM c ORDER BY c.a", "Distinct", "Top", "OrderBy")]
    [InlineData("SELECT c.a FROM c ORDER BY c.a, c.b OFFSET 1 LIMIT 1", "OffsetAndLimit", "MultipleOrderBy")]
    [InlineData("SELECT c.a FROM c GROUP BY c.a", "GroupBy")]
    [InlineData("SELECT COUNT(1) AS n FROM c", "NonValueAggregate")]
    public async Task Plan_ForAClientThatLacksAFeature_NamesEachOfThem(string query, params string[] features)
    {
        (var status, var error) = await PostAsync(query, "x-ms-cosmos-is-query-plan-request", ("x-none", ""));
        Assert.Equal(HttpStatusCode.BadRequest, status);
        var message = error.GetProperty("message").GetString()!;
        Assert.All(features, feature => Assert.Contains(
            $"\r\nQuery contained {feature}, which the calling client does not support.", message, StringComparison.Ordinal));
        Assert.Equal(HttpStatusCode.OK, (await PostAsync(
            query, "x-ms-cosmos-is-query-plan-request", ("x-ms-cosmos-supported-query-features", string.Join(", ", features)))).Status);
    }

    private async Task<(HttpStatusCode Status, JsonElement Body)> PostAsync(
        string query, string header, (string Name, string Value) other)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), JsonSerializer.Serialize(new { query }), (header, "True"), other);
        var body = await response.Content.ReadAsStringAsync(Token);
        return (response.StatusCode, JsonDocument.Parse(body).RootElement);
    }
}
