using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class FaultTests : ModesTests
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Status_InsteadOfTheOperation_LeavesNoDocument(ConnectionMode mode)
    {
        await using var own = await StartAsync(
            mode, new FaultRule { Operation = FaultOperation.Create, Status = 400, SubStatus = 5, MaxHits = 1 });
        using var hit = await own.Container.AddIdAsync();
        using var after = await own.Container.AddIdAsync();
        Assert.Equal((HttpStatusCode.BadRequest, "5"), (hit.StatusCode, hit.Headers["x-ms-substatus"]));
        Assert.Equal(HttpStatusCode.Created, after.StatusCode);
        Assert.Equal(2, own.Account.ReadLedger().Operations.Create.Attempts);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Fault_429AfterTheOperation_DoesItAndCountsAsThrottled(ConnectionMode mode)
    {
        await using var own = await StartAsync(
            mode, new FaultRule { Operation = FaultOperation.Create, Status = 429, SubStatus = 3200, AfterOperation = true, MaxHits = 1 });
        using var hit = await own.Container.AddIdAsync();
        using var after = await own.Container.AddIdAsync();
        Assert.Equal((HttpStatusCode.TooManyRequests, HttpStatusCode.Conflict), (hit.StatusCode, after.StatusCode));
        var ledger = own.Account.ReadLedger();
        Assert.Equal((2, 1, 1), (ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled, ledger.Documents.Created));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CloseConnection_FailsTheRequest_AfterTheOperationIfAskedFor(bool afterOperation)
    {
        await using var own = await StartAsync(
            ConnectionMode.Gateway,
            new FaultRule { Operation = FaultOperation.Create, CloseConnection = true, AfterOperation = afterOperation });
        using var wire = new WireClient(own.Account);
        await Assert.ThrowsAsync<HttpRequestException>(() => wire.SendAsync(
            HttpMethod.Post, $"/dbs/tests/colls/{own.Container.Id}/docs", """{"id":"1","pk":"k"}""",
            ("x-ms-documentdb-partitionkey", "[\"k\"]")));

        Assert.Equal(1, own.Account.ReadLedger().Operations.Create.Attempts);
        Assert.Equal(afterOperation ? 1 : 0, own.Account.ReadLedger().Documents.Created);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Status_OnABulkRequest_IsThatOfEachOperation(ConnectionMode mode)
    {
        await using var own = await StartAsync(mode, new FaultRule { Operation = FaultOperation.Batch, Status = 400 }, bulk: true);
        var responses = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => own.Container.AddIdAsync($"{i}")));
        Assert.All(responses, response => Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode));
        var ledger = own.Account.ReadLedger();
        Assert.Equal((20, 0), (ledger.Operations.Create.Attempts, ledger.Documents.Created));
    }

    private static Task<OwnAccount> StartAsync(ConnectionMode mode, FaultRule rule, bool bulk = false) => OwnAccount.StartAsync(
        mode, new AccountSettings { PhysicalPartitions = 2, Faults = [rule] },
        configure: options => options.AllowBulkExecution = bulk);
}
