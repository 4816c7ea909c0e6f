using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Batches as the JavaScript and Python SDKs send them: JSON arrays to the gateway.</summary>
public sealed class JsonBatchTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Fact]
    public async Task Bulk_EveryKindOfOperation_GetsItsOwnResult()
    {
        Container container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });

        (HttpStatusCode status, JsonElement[] results, _) = await SendAsync(container, isAtomic: false, """
            [{"operationType":"Create","partitionKey":"[\"k\"]","resourceBody":{"id":"1","pk":"k","value":7}},
             {"operationType":"Upsert","partitionKey":"[\"k\"]","resourceBody":{"id":"old","pk":"k","value":2}},
             {"operationType":"Create","partitionKey":"[\"k\"]","resourceBody":{"id":"1","pk":"k"}},
             {"operationType":"Read","partitionKey":"[\"k\"]","id":"old"},
             {"operationType":"Replace","partitionKey":"[\"k\"]","id":"1","resourceBody":{"id":"1","pk":"k","value":8},"ifMatch":"\"x\""},
             {"operationType":"Delete","partitionKey":"[\"k\"]","id":"old"}]
            """);

        Assert.Equal((HttpStatusCode)207, status);
        Assert.Equal([201, 200, 409, 200, 412, 204], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(7, results[0].GetProperty("resourceBody").GetProperty("value").GetInt32());
        Assert.Equal(2, results[3].GetProperty("resourceBody").GetProperty("value").GetInt32());
        Assert.Equal(results[1].GetProperty("eTag").GetString(), results[3].GetProperty("eTag").GetString());
        Assert.True(results[0].GetProperty("requestCharge").GetDouble() > 4.9);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal((3L, 1L, 1L), (ledger.Operations.Create.Attempts, ledger.Operations.Delete.Attempts, ledger.DocumentCount));
    }

    [Fact]
    public async Task Transaction_OneFails_DoesNothingAndMarksTheRest()
    {
        Container container = await CreateContainerAsync();

        (HttpStatusCode status, JsonElement[] results, double charge) = await SendAsync(container, isAtomic: true, """
            [{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}},
             {"operationType":"Read","id":"none"},
             {"operationType":"Create","resourceBody":{"id":"2","pk":"k"}}]
            """);

        Assert.Equal((HttpStatusCode)207, status);
        Assert.True(charge > 4.9);
        Assert.Equal(charge, results.Sum(result => result.GetProperty("requestCharge").GetDouble()), 6);
        Assert.Equal([424, 404, 424], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(0, LedgerOf(container).DocumentCount);
    }

    [Fact]
    public async Task Transaction_AllGood_IsOneOperationInTheLedger()
    {
        Container container = await CreateContainerAsync();

        (HttpStatusCode status, JsonElement[] results, double charge) = await SendAsync(container, isAtomic: true, """
            [{"operationType":"Create","resourceBody":{"id":"1","pk":"k","value":3}},
             {"operationType":"Patch","id":"1","resourceBody":{"operations":[{"op":"incr","path":"/value","value":2}]}}]
            """);

        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal([201, 200], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(5, results[1].GetProperty("resourceBody").GetProperty("value").GetInt32());
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal((1L, 0L), (ledger.Operations.Batch.Attempts, ledger.Operations.Create.Attempts));
        Assert.Equal(charge, results.Sum(result => result.GetProperty("requestCharge").GetDouble()), 6);
        Assert.Equal(charge, ledger.Operations.Batch.RequestUnits, 6);
    }

    [Theory]
    [InlineData("""{"operationType":"Create"}""")]
    [InlineData("""[{"operationType":"Execute","id":"1"}]""")]
    [InlineData("""[{"operationType":"Create","partitionKey":"[\"k\"]"}]""")]
    [InlineData("""[{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}},]""")]
    [InlineData("[5]")]
    public async Task Batch_Malformed_Is400(string body)
    {
        Container container = await CreateContainerAsync();

        (HttpStatusCode status, _, _) = await SendAsync(container, isAtomic: false, body);

        Assert.Equal(HttpStatusCode.BadRequest, status);
    }

    private async Task<(HttpStatusCode Status, JsonElement[] Results, double Charge)> SendAsync(
        Container container, bool isAtomic, string body)
    {
        using var wire = new WireClient(Account);
        using HttpResponseMessage response = await wire.SendAsync(
            HttpMethod.Post, $"dbs/tests/colls/{container.Id}/docs", Encoding.UTF8.GetBytes(body), request =>
            {
                request.Headers.Add("x-ms-cosmos-is-batch-request", "true");
                request.Headers.Add("x-ms-cosmos-batch-atomic", isAtomic ? "true" : "false");
                if (isAtomic)
                    request.Headers.Add("x-ms-documentdb-partitionkey", """["k"]""");
                else
                    request.Headers.Add("x-ms-cosmos-batch-continue-on-error", "true");
            });
        string text = await response.Content.ReadAsStringAsync(Token);
        using JsonDocument json = JsonDocument.Parse(text);
        string charge = response.Headers.TryGetValues("x-ms-request-charge", out var given) ? given.Single() : "0";
        return (
            response.StatusCode,
            json.RootElement.ValueKind == JsonValueKind.Array ? [.. json.RootElement.EnumerateArray().Select(one => one.Clone())] : [],
            double.Parse(charge, CultureInfo.InvariantCulture));
    }
}
