using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class FaultTests
{
    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task Status_InsteadOfTheOperation_LeavesNoDocument(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 400, SubStatus = 5, MaxHits = 1 });
        using CosmosClient client = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(client);

        using ResponseMessage hit = await CreateAsync(container);
        using ResponseMessage after = await CreateAsync(container);

        Assert.Equal(HttpStatusCode.BadRequest, hit.StatusCode);
        Assert.Equal("5", hit.Headers["x-ms-substatus"]);
        Assert.Equal(HttpStatusCode.Created, after.StatusCode);
        Assert.Equal(2, account.ReadLedger().Operations.Create.Attempts);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Status429AfterTheOperation_IsDoneAndCountedAsThrottled(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 429, SubStatus = 3200, AfterOperation = true, MaxHits = 1 });
        using CosmosClient client = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(client);

        using ResponseMessage hit = await CreateAsync(container);
        using ResponseMessage after = await CreateAsync(container);

        Assert.Equal(HttpStatusCode.TooManyRequests, hit.StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, after.StatusCode);
        AccountLedger ledger = account.ReadLedger();
        Assert.Equal((2, 1, 1), (ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled, ledger.Documents.Created));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CloseConnection_BreaksTheRequestAndDoesTheOperationOnlyIfAfterIt(bool afterOperation)
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, CloseConnection = true, AfterOperation = afterOperation });
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client);
        using var wire = new WireClient(account);

        await Assert.ThrowsAsync<HttpRequestException>(
            () => wire.SendAsync(
                HttpMethod.Post, $"/dbs/tests/colls/{container.Id}/docs", """{"id":"1","pk":"k"}""",
                ("x-ms-documentdb-partitionkey", "[\"k\"]")));

        Assert.Equal(1, account.ReadLedger().Operations.Create.Attempts);
        Assert.Equal(afterOperation ? 1 : 0, account.ReadLedger().Documents.Created);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Status_OnABulkRequest_IsEveryOperations(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync(new FaultRule { Operation = FaultOperation.Batch, Status = 400 });
        using CosmosClient client = AccountClients.Create(account, mode, options => options.AllowBulkExecution = true);
        Container container = await AccountClients.CreateContainerAsync(client);

        ResponseMessage[] responses = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => CreateAsync(container, $"{i}")));

        Assert.All(responses, response => Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode));
        AccountLedger ledger = account.ReadLedger();
        Assert.Equal((20, 0), (ledger.Operations.Create.Attempts, ledger.Documents.Created));
    }

    private static Task<ResponseMessage> CreateAsync(Container container, string id = "1") =>
        container.CreateItemStreamAsync(
            new MemoryStream(System.Text.Encoding.UTF8.GetBytes($$"""{"id":"{{id}}","pk":"k"}""")), new PartitionKey("k"),
            cancellationToken: Token);

    private static Task<SimulatedAccount> StartAsync(params FaultRule[] faults) =>
        SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 2, Faults = faults }, Token);
}
