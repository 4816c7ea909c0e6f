using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Errors of queries as clients see them: JSON within the gateway's message, and as the body of a replica.</summary>
public sealed class QueryErrorTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const string Error =
        """{"errors":[{"severity":"Error","location":{"start":0,"end":9},"code":"SC1001","message":"Syntax error, """
        + """incorrect syntax near 'selectttt'."}]}""";

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithASyntaxError_HasTheServicesErrors(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var e = await FailsAsync(HttpStatusCode.BadRequest, () => container.QueryAsync<Item>("selectttt"));
        // The SDK shows JSON in a message as it is, or escaped once more.
        Assert.Contains(Error, e.Message.Replace("\\\"", "\"", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("x-ms-documentdb-isquery", "Message: ")]
    [InlineData("x-ms-cosmos-is-query-plan-request", "Gateway Failed to Retrieve Query Plan: Message: ")]
    public async Task Gateway_WithASyntaxError_WrapsTheErrorsInItsMessage(string header, string before)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), """{"query":"selectttt"}""", (header, "True"),
            ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        var body = JsonNode.Parse(await response.Content.ReadAsStringAsync(Token))!;
        Assert.Equal("BadRequest", (string)body["code"]!);
        Assert.StartsWith($"{before}{Error}\r\nActivityId: ", (string)body["message"]!, StringComparison.Ordinal);
    }

    /// <summary>Also for one partition key, where a client needs no plan.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithAComposedAggregate_IsRejectedForOneKeyToo(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var options = new QueryRequestOptions { PartitionKey = new PartitionKey("k") };
        foreach (var query in new[] { "SELECT VALUE SUM(c.value) / COUNT(1) FROM c", "SELECT VALUE {\"n\": COUNT(1)} FROM c" })
        {
            var e = await FailsAsync(HttpStatusCode.BadRequest, () => container.QueryAsync<int>(query, options));
            Assert.Contains("Compositions of aggregates and other expressions are not allowed.", e.Message, StringComparison.Ordinal);
        }

        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), """{"query":"SELECT VALUE SUM(c.value) / COUNT(1) FROM c"}""",
            ("x-ms-documentdb-isquery", "True"), ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    /// <summary>The text of issue 3791 of azure-cosmos-dotnet-v3.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_WithALimitThatNoTokenKeeps_IsRejected(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var text = new string('x', 900);
        for (var i = 0; i < 2; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = "k", Text = text });

        var none = await FailsAsync(HttpStatusCode.BadRequest, () => ReadAsync("SELECT * FROM c", 0));
        Assert.Contains("The continuation token limit specified is not large enough", none.Message, StringComparison.Ordinal);
        Assert.Equal(2, (await ReadAsync("SELECT * FROM c", 1)).Count);
        // The token of an order has the last value in base64, which is longer than 1 KB.
        await FailsAsync(HttpStatusCode.BadRequest, () => ReadAsync("SELECT * FROM c ORDER BY c.text", 1));
        Assert.Equal(2, (await ReadAsync("SELECT * FROM c ORDER BY c.text", 4)).Count);

        Task<List<Item>> ReadAsync(string query, int limit) => container.QueryAsync<Item>(query, new QueryRequestOptions
        {
            PartitionKey = new PartitionKey("k"), MaxItemCount = 1, ResponseContinuationTokenLimitInKb = limit,
        });
    }
}
