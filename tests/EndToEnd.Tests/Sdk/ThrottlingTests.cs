using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ThrottlingTests : ModesTests
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BudgetUsedUp_Is429WithRetryAfterAndTheLedgerAgreesWithTheClient(ConnectionMode mode)
    {
        await using var own = await StartAsync(mode, 1_000);
        var (inserted, throttled, charged) = (0, 0, 0.0);
        var retryAfters = new List<double>();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async loop =>
        {
            for (var i = 0; i < 60; i++)
            {
                using var response = await own.Container.AddJsonAsync(
                    $$"""{"id":"{{loop}}-{{i}}","pk":"{{i}}"}""", new PartitionKey($"{i}"));
                lock (retryAfters)
                {
                    charged += response.Headers.RequestCharge;
                    if (response.StatusCode == HttpStatusCode.Created)
                        inserted++;
                    if (response.StatusCode != HttpStatusCode.TooManyRequests)
                        continue;
                    throttled++;
                    Assert.Equal("3200", response.Headers["x-ms-substatus"]);
                    retryAfters.Add(double.Parse(response.Headers["x-ms-retry-after-ms"], CultureInfo.InvariantCulture));
                }
            }
        }));

        var ledger = own.Account.ReadLedger().Containers.Single();
        Assert.Equal(480, inserted + throttled);
        Assert.True(throttled > 0);
        var creates = ledger.Operations.Create;
        Assert.Equal((480, throttled), (creates.Attempts, creates.Throttled));
        Assert.Equal(charged, creates.RequestUnits.Value + creates.ThrottledRequestUnits.Value, 2);
        Assert.Equal((inserted, inserted), (ledger.DocumentCount, ledger.Documents.Created));
        Assert.All(retryAfters, milliseconds => Assert.InRange(milliseconds, 1, 2_000));
        AssertSecondsAddUp(ledger);
    }

    [Fact]
    public async Task Create_WithThrottlingOff_IsNever429()
    {
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Direct, new AccountSettings { Throttling = new ThrottlingSpec { IsOff = true } }, throughput: 400);

        // Each takes more than the budget of one second.
        for (var i = 0; i < 3; i++)
        {
            var json = $$"""{"id":"{{i}}","pk":"k","text":"{{new string('x', 1_800_000)}}"}""";
            using var response = await own.Container.AddJsonAsync(json, new PartitionKey("k"));
            Assert.Equal(HttpStatusCode.Created, response.StatusCode);
            Assert.True(response.Headers.RequestCharge > 400);
        }
    }

    /// <summary>The header of a 429 charges 0.38 RU. The ledger has them, and the budget does not pay for them.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_BudgetUsedUp_IsCharged38HundredthsThatTheBudgetDoesNotPay(ConnectionMode mode)
    {
        await using var own = await StartAsync(mode, 400);
        // It takes the budget of three seconds, in which at least the first of the others come.
        using var first = await own.Container.AddJsonAsync($$"""{"id":"1","pk":"k","text":"{{new string('x', 1_900_000)}}"}""", new("k"));
        Assert.Equal(HttpStatusCode.Created, first.StatusCode);
        for (var i = 0; i < 20; i++)
        {
            using var response = await own.Container.AddJsonAsync($$"""{"id":"{{i}}","pk":"k"}""", new PartitionKey("k"));
            if (response.StatusCode == HttpStatusCode.TooManyRequests)
                Assert.Equal(0.38, response.Headers.RequestCharge);
        }

        var ledger = own.Account.ReadLedger().Containers.Single();
        var creates = ledger.Operations.Create;
        Assert.True(creates.Throttled > 0, $"{creates}");
        Assert.Equal(0.38 * creates.Throttled, creates.ThrottledRequestUnits.Value, 6);
        Assert.Equal(first.Headers.RequestCharge + (5.91 * (ledger.DocumentCount - 1)), creates.RequestUnits.Value, 6);
        AssertSecondsAddUp(ledger);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Bulk_BudgetUsedUp_IsCountedPerDocument(ConnectionMode mode)
    {
        await using var own = await StartAsync(mode, 1_000, bulk: true);
        var responses = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(i =>
            own.Container.AddJsonAsync($$"""{"id":"{{i}}","pk":"{{i}}"}""", new PartitionKey($"{i}"))));

        var ledger = own.Account.ReadLedger().Containers.Single();
        ResponseMessage[] throttled = [.. responses.Where(response => response.StatusCode == HttpStatusCode.TooManyRequests)];
        var inserted = responses.Count(response => response.StatusCode == HttpStatusCode.Created);
        Assert.Equal(1_000, inserted + throttled.Length);
        Assert.NotEmpty(throttled);
        Assert.Equal((inserted, 0L), (ledger.DocumentCount, ledger.Operations.Batch.Attempts));
        // The SDK sends a throttled bulk operation again by itself, so the ledger holds at least what the caller sees.
        Assert.True(ledger.Operations.Create.Throttled >= throttled.Length);
        Assert.Equal(ledger.Operations.Create.Attempts, ledger.Operations.Create.Throttled + inserted);
        Assert.All(throttled, response => Assert.NotNull(response.Headers["x-ms-retry-after-ms"]));
        Assert.All(throttled, response => Assert.Equal(0.38, response.Headers.RequestCharge));
        AssertSecondsAddUp(ledger);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Transaction_BudgetUsedUp_IsThrottledAsAWhole(ConnectionMode mode)
    {
        await using var own = await StartAsync(mode, 400);
        var statuses = new List<HttpStatusCode>();
        for (var i = 0; i < 12; i++)
        {
            var batch = own.Container.CreateTransactionalBatch(new PartitionKey("k"));
            for (var j = 0; j < 50; j++)
                batch.CreateItem(new Item { Id = $"{i}-{j}", Key = "k" });
            using var response = await batch.ExecuteAsync(Token);
            statuses.Add(response.StatusCode);
        }

        var ledger = own.Account.ReadLedger().Containers.Single();
        var done = statuses.Count(status => status == HttpStatusCode.OK);
        var throttled = statuses.Count(status => status == HttpStatusCode.TooManyRequests);
        Assert.Equal(12, done + throttled);
        Assert.True(throttled > 0);
        Assert.Equal((12, throttled), (ledger.Operations.Batch.Attempts, ledger.Operations.Batch.Throttled));
        Assert.Equal(done * 50, ledger.DocumentCount);
    }

    private static void AssertSecondsAddUp(ContainerLedger ledger)
    {
        foreach (var partition in ledger.Partitions)
        {
            Assert.Equal(partition.Counts.RequestUnits.Value, partition.Seconds.Sum(second => second.RequestUnits), 6);
            Assert.Equal(partition.Counts.Throttled, partition.Seconds.Sum(second => second.Throttled));
        }

        Assert.Equal(ledger.DocumentCount, ledger.Partitions.Sum(partition => partition.Documents));
    }

    private static Task<OwnAccount> StartAsync(ConnectionMode mode, int throughput, bool bulk = false) => OwnAccount.StartAsync(
        mode, new AccountSettings { PhysicalPartitions = 3 }, throughput, options => options.AllowBulkExecution = bulk);
}
