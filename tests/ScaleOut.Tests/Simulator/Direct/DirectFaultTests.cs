using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class DirectFaultTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(410, 0)]
    [InlineData(410, 1007)]
    [InlineData(410, 1008)]
    [InlineData(449, 0)]
    public async Task Fault_ThatTheSdkSitsOut_IsNotSeenByItsCaller(int status, int subStatus)
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = status, SubStatus = subStatus, MaxHits = 1 });
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client);

        Assert.Equal(HttpStatusCode.Created, await CreateAsync(container, "1"));

        Assert.Equal(1, account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task RangeGone_OnAPointOperation_IsSeenByItsCaller()
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 410, SubStatus = 1002, MaxHits = 1 });
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client);

        Assert.Equal(HttpStatusCode.Gone, await CreateAsync(container, "1"));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(container, "1"));
    }

    [Fact]
    public async Task ConnectionMode_OfARule_LeavesTheOtherModeAlone()
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 400, ConnectionMode = ScaleOut.Specs.ConnectionMode.Direct });
        using CosmosClient direct = AccountClients.Create(account, ConnectionMode.Direct);
        using CosmosClient gateway = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(direct);

        Assert.Equal(HttpStatusCode.BadRequest, await CreateAsync(container, "1"));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(gateway.GetContainer("tests", container.Id), "1"));
    }

    [Fact]
    public async Task ClosedConnection_AfterTheWrite_LeavesTheOutcomeUnknownAndTheDocumentStored()
    {
        await using SimulatedAccount account = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, CloseConnection = true, AfterOperation = true, MaxHits = 1 });
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client);

        Assert.Equal(HttpStatusCode.ServiceUnavailable, await CreateAsync(container, "1"));
        Assert.Equal(HttpStatusCode.Conflict, await CreateAsync(container, "1"));

        Assert.Equal((2, 1), (account.ReadLedger().Operations.Create.Attempts, account.ReadLedger().Documents.Created));
    }

    private static async Task<HttpStatusCode> CreateAsync(Container container, string id)
    {
        using var body = new MemoryStream(System.Text.Encoding.UTF8.GetBytes($$"""{"id":"{{id}}","pk":"k"}"""));
        using ResponseMessage response = await container.CreateItemStreamAsync(body, new PartitionKey("k"), cancellationToken: Token);
        return response.StatusCode;
    }

    private static Task<SimulatedAccount> StartAsync(params FaultRule[] faults) =>
        SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 2, Faults = faults }, Token);
}
