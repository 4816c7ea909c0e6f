using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Batches as the JavaScript and Python SDKs send them: JSON arrays to the gateway.</summary>
public sealed class JsonBatchTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Fact]
    public async Task Bulk_EveryKindOfOperation_GetsItsOwnResult()
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "old", Key = "k", Value = 1 });
        (var status, var results, _) = await SendAsync(container, isAtomic: false, """
            [{"operationType":"Create","partitionKey":"[\"k\"]","resourceBody":{"id":"1","pk":"k","value":7}},
             {"operationType":"Upsert","partitionKey":"[\"k\"]","resourceBody":{"id":"old","pk":"k","value":2}},
             {"operationType":"Create","partitionKey":"[\"k\"]","resourceBody":{"id":"1","pk":"k"}},
             {"operationType":"Read","partitionKey":"[\"k\"]","id":"old"},
             {"operationType":"Replace","partitionKey":"[\"k\"]","id":"1","resourceBody":{"id":"1","pk":"k","value":8},"ifMatch":"\"x\""},
             {"operationType":"Delete","partitionKey":"[\"k\"]","id":"old"}]
            """);

        Assert.Equal(HttpStatusCode.MultiStatus, status);
        Assert.Equal([201, 200, 409, 200, 412, 204], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(7, results[0].GetProperty("resourceBody").GetProperty("value").GetInt32());
        Assert.Equal(2, results[3].GetProperty("resourceBody").GetProperty("value").GetInt32());
        Assert.Equal(results[1].GetProperty("eTag").GetString(), results[3].GetProperty("eTag").GetString());
        Assert.True(results[0].GetProperty("requestCharge").GetDouble() > 4.9);
        var ledger = LedgerOf(container);
        Assert.Equal((3L, 1L, 1L), (ledger.Operations.Create.Attempts, ledger.Operations.Delete.Attempts, ledger.DocumentCount));
    }

    [Fact]
    public async Task Transaction_OneFails_DoesNothingAndMarksTheRest()
    {
        var container = await CreateContainerAsync();
        (var status, var results, var charge) = await SendAsync(container, isAtomic: true, """
            [{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}},
             {"operationType":"Read","id":"none"},
             {"operationType":"Create","resourceBody":{"id":"2","pk":"k"}}]
            """);

        Assert.Equal(HttpStatusCode.MultiStatus, status);
        Assert.True(charge > 4.9);
        Assert.Equal(charge, results.Sum(result => result.GetProperty("requestCharge").GetDouble()), tolerance: 0.005);
        Assert.Equal([424, 404, 424], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(0, LedgerOf(container).DocumentCount);
    }

    [Fact]
    public async Task Transaction_AllSucceed_IsOneOperationInTheLedger()
    {
        var container = await CreateContainerAsync();
        (var status, var results, var charge) = await SendAsync(container, isAtomic: true, """
            [{"operationType":"Create","resourceBody":{"id":"1","pk":"k","value":3}},
             {"operationType":"Patch","id":"1","resourceBody":{"operations":[{"op":"incr","path":"/value","value":2}]}}]
            """);

        Assert.Equal(HttpStatusCode.OK, status);
        Assert.Equal([201, 200], results.Select(result => result.GetProperty("statusCode").GetInt32()));
        Assert.Equal(5, results[1].GetProperty("resourceBody").GetProperty("value").GetInt32());
        var ledger = LedgerOf(container);
        Assert.Equal((1L, 0L), (ledger.Operations.Batch.Attempts, ledger.Operations.Create.Attempts));
        Assert.Equal(charge, results.Sum(result => result.GetProperty("requestCharge").GetDouble()), tolerance: 0.005);
        Assert.Equal(charge, ledger.Operations.Batch.RequestUnits.Value, 6);
    }

    [Fact]
    public async Task Bulk_OperationsWithoutAKey_TakeThatOfTheHeader()
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), """[{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}}]"""u8.ToArray(),
            ("x-ms-cosmos-is-batch-request", "True"), ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("1", response.Headers.GetValues("x-ms-item-count").Single());
        Assert.Equal(HttpStatusCode.OK, await container.StatusOfAsync("1", new PartitionKey("k")));
    }

    /// <summary>The JavaScript SDK asks so by <c>contentResponseOnWriteEnabled: false</c>.</summary>
    [Theory]
    [InlineData("True")]
    [InlineData("False")]
    public async Task Batch_WithAMinimalResponse_HasTheContentOfReadsOnly(string isAtomic)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container),
            """[{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}},{"operationType":"Read","id":"1"}]"""u8.ToArray(),
            ("x-ms-cosmos-is-batch-request", "True"), ("x-ms-cosmos-batch-atomic", isAtomic), ("Prefer", "return=minimal"),
            ("x-ms-documentdb-partitionkey", """["k"]"""));
        using var json = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Token));
        Assert.Equal([false, true], json.RootElement.EnumerateArray().Select(one => one.TryGetProperty("resourceBody", out _)));
    }

    [Theory]
    [InlineData("""{"operationType":"Create"}""")]
    [InlineData("""[{"operationType":"Execute","id":"1"}]""")]
    [InlineData("""[{"operationType":"Create","partitionKey":"[\"k\"]"}]""")]
    [InlineData("""[{"operationType":"Create","resourceBody":{"id":"1","pk":"k"}},]""")]
    [InlineData("[5]")]
    public async Task Batch_Malformed_Is400(string body)
    {
        var container = await CreateContainerAsync();
        (var status, _, _) = await SendAsync(container, isAtomic: false, body);
        Assert.Equal(HttpStatusCode.BadRequest, status);
    }

    private async Task<(HttpStatusCode Status, JsonElement[] Results, double Charge)> SendAsync(
        Container container, bool isAtomic, string body)
    {
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), Encoding.UTF8.GetBytes(body), ("x-ms-cosmos-is-batch-request", "true"),
            ("x-ms-cosmos-batch-atomic", isAtomic ? "true" : "false"),
            isAtomic ? ("x-ms-documentdb-partitionkey", """["k"]""") : ("x-ms-cosmos-batch-continue-on-error", "true"));
        using var json = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Token));
        var charge = response.Headers.TryGetValues("x-ms-request-charge", out var given) ? given.Single() : "0";
        return (
            response.StatusCode,
            json.RootElement.ValueKind == JsonValueKind.Array ? [.. json.RootElement.EnumerateArray().Select(one => one.Clone())] : [],
            double.Parse(charge, CultureInfo.InvariantCulture));
    }
}
