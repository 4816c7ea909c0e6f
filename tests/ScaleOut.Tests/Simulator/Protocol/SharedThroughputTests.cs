using Microsoft.Azure.Cosmos;
using Mode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>Throughput of a database. The clock stands still, so that no second brings new request units.</summary>
public sealed class SharedThroughputTests
{
    public static TheoryData<Mode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task ContainersWithoutTheirOwn_DrawOnOneBudget(Mode mode)
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, mode);
        Database database = await client.CreateDatabaseAsync("shared", throughput: 400, cancellationToken: Token);
        Container first = await database.CreateContainerAsync(new ContainerProperties("first", "/pk"), cancellationToken: Token);
        Container second = await database.CreateContainerAsync(new ContainerProperties("second", "/pk"), cancellationToken: Token);
        Container own = await database.CreateContainerAsync(new ContainerProperties("own", "/pk"), 400, cancellationToken: Token);

        (int written, double charged) = await WriteUntilThrottledAsync(first);
        HttpStatusCode other = await WriteAsync(second, 0);
        (int ownWritten, _) = await WriteUntilThrottledAsync(own);
        await database.ReplaceThroughputAsync(500, cancellationToken: Token);
        (int more, _) = await WriteUntilThrottledAsync(second);

        Assert.InRange(charged, 400, 410);
        Assert.Equal(HttpStatusCode.TooManyRequests, other);
        Assert.Equal(written, ownWritten);
        Assert.InRange(more, 1, written);
        Assert.Equal(500, await database.ReadThroughputAsync(Token));
        Assert.Null(await first.ReadThroughputAsync(Token));
        Assert.Equal(400, await own.ReadThroughputAsync(Token));
        ContainerLedger ledger = account.ReadLedger().Containers.Single(one => one.Name == "first");
        Assert.Equal((500, 1L), (ledger.Throughput, ledger.Operations.Create.Throttled));
    }

    [Fact]
    public async Task Split_GoesOnDrawingOnTheDatabase()
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, Mode.Gateway);
        Database database = await client.CreateDatabaseAsync("shared", throughput: 400, cancellationToken: Token);
        Container first = await database.CreateContainerAsync(new ContainerProperties("first", "/pk"), cancellationToken: Token);
        Container second = await database.CreateContainerAsync(new ContainerProperties("second", "/pk"), cancellationToken: Token);
        await AccountClients.ChangeAsync(account, "split", first, 0);

        (_, double charged) = await WriteUntilThrottledAsync(first);

        Assert.InRange(charged, 400, 410);
        Assert.Equal(HttpStatusCode.TooManyRequests, await WriteAsync(second, 0));
    }

    [Fact]
    public async Task Autoscale_OfADatabase_IsReadAndReplaced()
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, Mode.Gateway);
        Database database = await client.CreateDatabaseAsync(
            "shared", ThroughputProperties.CreateAutoscaleThroughput(4_000), cancellationToken: Token);

        ThroughputResponse read = await database.ReadThroughputAsync(new RequestOptions(), Token);
        ThroughputResponse replaced = await database.ReplaceThroughputAsync(
            ThroughputProperties.CreateAutoscaleThroughput(10_000), cancellationToken: Token);

        Assert.Equal(4_000, read.Resource.AutoscaleMaxThroughput);
        Assert.Equal(10_000, replaced.Resource.AutoscaleMaxThroughput);
    }

    [Fact]
    public async Task TwentySixthContainer_NeedsItsOwn()
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, Mode.Gateway);
        Database database = await client.CreateDatabaseAsync("shared", throughput: 400, cancellationToken: Token);
        for (int i = 0; i < 25; i++)
            await database.CreateContainerAsync(new ContainerProperties($"c{i}", "/pk"), cancellationToken: Token);

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => database.CreateContainerAsync(new ContainerProperties("c25", "/pk"), cancellationToken: Token));
        await database.CreateContainerAsync(new ContainerProperties("c25", "/pk"), 400, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.BadRequest, e.StatusCode);
    }

    private static Task<SimulatedAccount> StartAsync() => SimulatedAccount.StartAsync(
        new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 1 },
        new ManualTime(DateTimeOffset.UtcNow), Token);

    private static async Task<(int Written, double Charged)> WriteUntilThrottledAsync(Container container)
    {
        double charged = 0;
        for (int i = 0; ; i++)
        {
            using ResponseMessage response = await CreateAsync(container, i);
            if (response.StatusCode == HttpStatusCode.TooManyRequests)
                return (i, charged);
            Assert.Equal(HttpStatusCode.Created, response.StatusCode);
            charged += response.Headers.RequestCharge;
        }
    }

    private static async Task<HttpStatusCode> WriteAsync(Container container, int id)
    {
        using ResponseMessage response = await CreateAsync(container, id);
        return response.StatusCode;
    }

    private static Task<ResponseMessage> CreateAsync(Container container, int id) => container.CreateItemStreamAsync(
        new MemoryStream(Encoding.UTF8.GetBytes($$"""{"id":"{{id}}","pk":"k"}""")), new PartitionKey("k"), cancellationToken: Token);
}
