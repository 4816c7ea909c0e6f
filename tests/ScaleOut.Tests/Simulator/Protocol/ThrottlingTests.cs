using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class ThrottlingTests
{
    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BudgetUsedUp_Is429WithRetryAfterAndTheLedgerEqualsWhatTheClientSaw(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 1_000);
        int inserted = 0;
        int throttled = 0;
        double charged = 0;
        var retryAfters = new List<TimeSpan>();

        await Task.WhenAll(Enumerable.Range(0, 8).Select(async loop =>
        {
            for (int i = 0; i < 60; i++)
            {
                using ResponseMessage response = await container.CreateItemStreamAsync(
                    Json($$"""{"id":"{{loop}}-{{i}}","pk":"{{i}}"}"""), new PartitionKey($"{i}"), cancellationToken: Token);
                lock (retryAfters)
                {
                    charged += response.Headers.RequestCharge;
                    if (response.StatusCode == HttpStatusCode.Created)
                        inserted++;
                    else if (response.StatusCode == HttpStatusCode.TooManyRequests)
                        throttled++;
                    if (response.StatusCode == HttpStatusCode.TooManyRequests)
                    {
                        Assert.Equal("3200", response.Headers["x-ms-substatus"]);
                        retryAfters.Add(
                            TimeSpan.FromMilliseconds(
                                double.Parse(response.Headers["x-ms-retry-after-ms"], System.Globalization.CultureInfo.InvariantCulture)));
                    }
                }
            }
        }));

        ContainerLedger ledger = account.ReadLedger().Containers.Single();
        Assert.Equal(480, inserted + throttled);
        Assert.True(throttled > 0);
        Assert.Equal(
            (480, throttled, Math.Round(charged, 2)),
            (ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled, ledger.Operations.Create.RequestUnits));
        Assert.Equal(inserted, ledger.DocumentCount);
        Assert.Equal(inserted, ledger.Documents.Created);
        Assert.All(retryAfters, wait => Assert.InRange(wait, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(2)));
        AssertSecondsAddUp(ledger);
    }

    [Fact]
    public async Task Create_WithThrottlingOff_IsNever429()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, Throttling = new ThrottlingSpec { IsOff = true } }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 400);

        // Each takes the budget of a second and more.
        for (int i = 0; i < 3; i++)
        {
            using Stream body = Json($$"""{"id":"{{i}}","pk":"k","text":"{{new string('x', 1_800_000)}}"}""");
            using ResponseMessage response = await container.CreateItemStreamAsync(body, new PartitionKey("k"), cancellationToken: Token);
            Assert.Equal(HttpStatusCode.Created, response.StatusCode);
            Assert.True(response.Headers.RequestCharge > 400);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Bulk_BudgetUsedUp_IsCountedPerDocument(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, mode, options => options.AllowBulkExecution = true);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 1_000);

        ResponseMessage[] responses = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(i =>
            container.CreateItemStreamAsync(
                Json($$"""{"id":"{{i}}","pk":"{{i}}"}"""), new PartitionKey($"{i}"), cancellationToken: Token)));

        ContainerLedger ledger = account.ReadLedger().Containers.Single();
        int throttled = responses.Count(response => response.StatusCode == HttpStatusCode.TooManyRequests);
        int inserted = responses.Count(response => response.StatusCode == HttpStatusCode.Created);
        Assert.Equal(1_000, inserted + throttled);
        Assert.True(throttled > 0);
        Assert.Equal((inserted, 0L), (ledger.DocumentCount, ledger.Operations.Batch.Attempts));
        // The SDK sends a throttled bulk operation again by itself, so the ledger holds at least what the caller sees.
        Assert.True(ledger.Operations.Create.Throttled >= throttled);
        Assert.Equal(ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled + inserted);
        Assert.All(
            responses.Where(response => response.StatusCode == HttpStatusCode.TooManyRequests),
            response => Assert.NotNull(response.Headers["x-ms-retry-after-ms"]));
        AssertSecondsAddUp(ledger);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_BudgetUsedUp_IsThrottledAsAWhole(ConnectionMode mode)
    {
        await using SimulatedAccount account = await StartAsync();
        using CosmosClient client = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 400);
        var statuses = new List<HttpStatusCode>();
        for (int i = 0; i < 12; i++)
        {
            TransactionalBatch batch = container.CreateTransactionalBatch(new PartitionKey("k"));
            for (int j = 0; j < 50; j++)
                batch.CreateItem(new Item { Id = $"{i}-{j}", Key = "k" });
            using TransactionalBatchResponse response = await batch.ExecuteAsync(Token);
            statuses.Add(response.StatusCode);
        }

        ContainerLedger ledger = account.ReadLedger().Containers.Single();
        int done = statuses.Count(status => status == HttpStatusCode.OK);
        int throttled = statuses.Count(status => status == HttpStatusCode.TooManyRequests);
        Assert.Equal(12, done + throttled);
        Assert.True(throttled > 0);
        Assert.Equal((12, throttled), (ledger.Operations.Batch.Attempts, ledger.Operations.Batch.Throttled));
        Assert.Equal(done * 50, ledger.DocumentCount);
    }

    private static void AssertSecondsAddUp(ContainerLedger ledger)
    {
        foreach (PartitionLedger partition in ledger.Partitions)
        {
            Assert.Equal(partition.Counts.RequestUnits, partition.Seconds.Sum(second => second.RequestUnits), 6);
            Assert.Equal(partition.Counts.Throttled, partition.Seconds.Sum(second => second.Throttled));
        }

        Assert.Equal(ledger.DocumentCount, ledger.Partitions.Sum(partition => partition.Documents));
    }

    private static Task<SimulatedAccount> StartAsync() =>
        SimulatedAccount.StartAsync(new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 3 }, Token);

    private static MemoryStream Json(string text) => new(System.Text.Encoding.UTF8.GetBytes(text));
}
