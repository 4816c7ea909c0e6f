using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Engine;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The physical partitions of a container whose throughput is raised.</summary>
public sealed class RaisedThroughputTests : ModesTests
{
    private const int Documents = 1_200;

    [Theory, MemberData(nameof(Modes))]
    public async Task ReplaceThroughput_AboveWhatThePartitionsServe_SplitsWhileClientsWriteAndLosesNothing(ConnectionMode mode)
    {
        await using var own = await OwnAccount.StartAsync(
            mode, new AccountSettings(), 18_000, options => options.MaxRetryAttemptsOnRateLimitedRequests = 100);
        var container = own.Container;
        var next = -1;
        async Task WriteAsync()
        {
            for (var i = Interlocked.Increment(ref next); i < Documents; i = Interlocked.Increment(ref next))
            {
                // The service's own example: 3 partitions serve 30,000 RU/s as they are, and 45,000 RU/s once two of them are split.
                if (i is Documents / 3 or Documents / 2)
                    await container.ReplaceThroughputAsync(i == Documents / 3 ? 30_000 : 45_000, cancellationToken: Token);
                Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(new Item { Id = $"{i}", Key = $"k{i}" })).StatusCode);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(WriteAsync, Token)));

        var ledger = own.Account.ReadLedger().Containers.Single();
        Assert.Equal((Documents, (long)Documents), (ledger.Documents.Created, ledger.DocumentCount));
        Assert.Equal(["0", "1"], ledger.Partitions.Where(partition => partition.WasSplit).Select(partition => partition.Id));
        PartitionLedger[] live = [.. ledger.Partitions.Where(partition => !partition.WasSplit)];
        Assert.Equal(5, live.Length);
        Assert.All(live, partition => Assert.Equal(9_000, partition.BudgetPerSecond, 6));
        Assert.Equal([Documents], await container.QueryAsync<int>("SELECT VALUE COUNT(1) FROM c"));
    }

    [Fact]
    public async Task ReplaceThroughput_WhileTheLastChangeIsPending_Is423()
    {
        var time = new ManualTime(DateTimeOffset.UtcNow);
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Gateway, new AccountSettings { SplitDelay = TimeSpan.FromMinutes(10) }, 12_000, time: time);
        var container = own.Container;
        Assert.False((await container.ReadThroughputAsync(new RequestOptions(), Token)).IsReplacePending);
        Assert.True((await container.ReplaceThroughputAsync(ThroughputProperties.CreateManualThroughput(36_000), cancellationToken: Token))
            .IsReplacePending);
        Assert.True((await container.ReadThroughputAsync(new RequestOptions(), Token)).IsReplacePending);
        await FailsAsync(HttpStatusCode.Locked, () => container.ReplaceThroughputAsync(12_000, cancellationToken: Token));

        time.Advance(TimeSpan.FromMinutes(10));
        await container.AddIdAsync();
        while ((await container.ReadThroughputAsync(new RequestOptions(), Token)).IsReplacePending == true)
            await Task.Delay(5, Token);
        Assert.Equal(HttpStatusCode.OK, (await container.ReplaceThroughputAsync(12_000, cancellationToken: Token)).StatusCode);
    }

    /// <summary>The portal turns fixed throughput into autoscale by a header, and no other request may.</summary>
    [Theory]
    [InlineData(2_500, 3_000)]
    [InlineData(400, 1_000)]
    [InlineData(12_000, 12_000)]
    public async Task ReplaceOffer_WithTheHeaderOfAMigration_TurnsFixedIntoAutoscaleAndBack(int throughput, int maximum)
    {
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Gateway, new AccountSettings(), throughput);
        var container = own.Container;
        await FailsAsync(HttpStatusCode.BadRequest, () => container.ReplaceThroughputAsync(
            ThroughputProperties.CreateAutoscaleThroughput(4_000), cancellationToken: Token));

        Assert.Equal(HttpStatusCode.OK, await MigrateAsync(own, "x-ms-cosmos-migrate-offer-to-autopilot"));
        var scaled = (await container.ReadThroughputAsync(new RequestOptions(), Token)).Resource;
        Assert.Equal(maximum, scaled.AutoscaleMaxThroughput);
        await FailsAsync(HttpStatusCode.BadRequest, () => container.ReplaceThroughputAsync(4_000, cancellationToken: Token));

        Assert.Equal(HttpStatusCode.OK, await MigrateAsync(own, "x-ms-cosmos-migrate-offer-to-manual-throughput"));
        var back = (await container.ReadThroughputAsync(new RequestOptions(), Token)).Resource;
        Assert.Equal(((int?)maximum, (int?)null), (back.Throughput, back.AutoscaleMaxThroughput));
    }

    private static async Task<HttpStatusCode> MigrateAsync(OwnAccount own, string header)
    {
        using var wire = new WireClient(own.Account);
        using var feed = await wire.SendAsync(HttpMethod.Get, "/offers");
        var offer = JsonNode.Parse(await feed.Content.ReadAsStringAsync(Token))!["Offers"]![0]!;
        using var replaced = await wire.SendAsync(
            HttpMethod.Put, $"/offers/{offer["id"]}", offer.ToJsonString(), change: request => request.Headers.Add(header, "true"));
        return replaced.StatusCode;
    }

    [Fact]
    public async Task Rescale_DuringTheDelay_Serves10000RequestUnitsAPartition()
    {
        var time = new ManualTime(new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero));
        using var engine = new AccountEngine(new SimulationSpec { SplitDelay = TimeSpan.FromHours(4) }, seed: 1, time, NullLogger.Instance);
        var container = Create(engine, new Offer { Throughput = 12_000, Autoscale = false });
        container.Rescale(new Offer { Throughput = 36_000, Autoscale = false });
        container.Splits.Observe();
        Assert.Equal([10_000, 10_000], container.Map.Live.Select(partition => partition.Budget.UnitsPerSecond));

        time.Advance(TimeSpan.FromHours(4));
        container.Splits.Observe();
        while (container.Map.Live.Count < 4)
            await Task.Delay(5, Token);
        container.Rescale(container.Offer);
        Assert.Equal([9_000, 9_000, 9_000, 9_000], container.Map.Live.Select(partition => partition.Budget.UnitsPerSecond));
    }

    [Fact]
    public void Rescale_OfADatabase_Serves10000RequestUnitsAPartition()
    {
        using var engine = new AccountEngine(new SimulationSpec(), seed: 1, TimeProvider.System, NullLogger.Instance);
        var database = engine.Catalog.CreateDatabase("d", new Offer { Throughput = 12_000, Autoscale = false });
        database.Rescale(new Offer { Throughput = 36_000, Autoscale = false });
        Assert.Equal([10_000, 10_000], Enumerable.Range(0, 2).Select(i => database.Shared!.BudgetOf(i).UnitsPerSecond));
    }

    [Theory]
    [InlineData(null, 10_000, true, 1)]
    [InlineData(null, 10_000, false, 2)]
    [InlineData(null, 40_000, true, 4)]
    [InlineData(3, 40_000, true, 3)]
    public void Create_NumberOfPartitions_IsThatOfTheService(int? asked, int throughput, bool autoscale, int partitions)
    {
        using var engine = new AccountEngine(
            new SimulationSpec { PhysicalPartitions = asked }, seed: 1, TimeProvider.System, NullLogger.Instance);
        var container = Create(engine, new Offer { Throughput = throughput, Autoscale = autoscale });
        Assert.Equal(partitions, container.Map.Live.Count);
        // A configured number stays, whatever the throughput.
        container.Rescale(new Offer { Throughput = 60_000, Autoscale = autoscale });
        Assert.Equal(asked ?? 6, container.Map.Live.Count);
    }

    private static ContainerResource Create(AccountEngine engine, Offer offer)
    {
        var definition = """{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}"""u8.ToArray();
        return engine.Catalog.CreateContainer(engine.Catalog.CreateDatabase("d"), ContainerSettings.Parse(definition), offer);
    }
}
