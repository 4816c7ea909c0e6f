using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Query plans and errors that contain one, which clients other than the .NET SDK read.</summary>
public sealed class QueryPlanTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory]
    [InlineData("SELECT * FROM c WHERE c.a = 1", "", """{"distinctType":"None","hasSelectValue":false}""")]
    [InlineData("SELECT TOP 3 c.a FROM root c ORDER BY c.b DESC, c.a",
        """SELECT TOP 3 c._rid, [{"item": c.b}, {"item": c.a}] AS orderByItems, {"a": c.a} AS payload FROM root c """
            + "WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY c.b DESC, c.a ASC",
        """{"top":3,"orderBy":["Descending","Ascending"],"orderByExpressions":["c.b","c.a"]}""")]
    [InlineData("SELECT VALUE AVG(c.a) FROM c WHERE c.b OR c.d",
        """SELECT VALUE [{"item": AVG(c.a), "item2": {"sum": SUM(c.a), "count": COUNT(c.a)}}] FROM c WHERE (c.b OR c.d)""",
        """{"aggregates":["Average"],"hasSelectValue":true,"groupByAliasToAggregateType":{}}""")]
    [InlineData("SELECT c.a, (MAX(c.b)) FROM c GROUP BY c.a",
        """SELECT [{"item": c.a}] AS groupByItems, {"a": c.a, "$1": {"item": MAX(c.b), "item2": {"max": MAX(c.b), "count": COUNT(c.b)}}} """
            + "AS payload FROM c GROUP BY c.a",
        """{"aggregates":[],"groupByAliases":["a","$1"],"groupByAliasToAggregateType":{"a":null,"$1":"Max"}}""")]
    [InlineData("SELECT DISTINCT VALUE c.a FROM c OFFSET 2 LIMIT 5",
        "SELECT DISTINCT VALUE c.a FROM c OFFSET 0 LIMIT 7",
        """{"distinctType":"Unordered","offset":2,"limit":5,"hasSelectValue":true}""")]
    [InlineData("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a",
        """SELECT c._rid, [{"item": c.a}] AS orderByItems, c.a AS payload FROM c """
            + "WHERE ({documentdb-formattableorderbyquery-filter}) AND (IS_DEFINED(c.a)) ORDER BY c.a ASC",
        """{"distinctType":"Ordered"}""")]
    public async Task Plan_OfAQuery_HasTheRewrittenQueryAndItsSteps(string query, string rewritten, string info)
    {
        (var status, var plan) = await PostAsync(query, "x-ms-cosmos-is-query-plan-request");
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
    [InlineData("SELECT COUNT(1) AS n FROM c", "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.")]
    public async Task Query_ThatNeedsAPlan_IsBadRequestWithThePlan(string query, string message)
    {
        (var status, var error) = await PostAsync(query, "x-ms-documentdb-isquery");
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Contains(message, error.GetProperty("message").GetString(), StringComparison.Ordinal);
        var plan = JsonDocument.Parse(error.GetProperty("additionalErrorInfo").GetString()!).RootElement;
        Assert.NotEqual("", plan.GetProperty("queryInfo").GetProperty("rewrittenQuery").GetString());
    }

    private async Task<(HttpStatusCode Status, JsonElement Body)> PostAsync(string query, string header)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), JsonSerializer.Serialize(new { query }), (header, "True"));
        var body = await response.Content.ReadAsStringAsync(Token);
        return (response.StatusCode, JsonDocument.Parse(body).RootElement);
    }
}
