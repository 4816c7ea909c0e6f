using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>An account in which a byte counts as 10 MB: a partition key is full at 2,000 bytes, a partition at 5,000.</summary>
public sealed class CrampedAccount() : AccountFixture(new SimulatedAccountOptions { PhysicalPartitions = 1, StorageFactor = 10_000_000 });

public sealed class StorageLimitTests(CrampedAccount fixture) : AccountTests<CrampedAccount>(fixture)
{
    private const int PartitionKeyFull = 1014;

    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_ToAPartitionKeyOf20Gigabytes_AreForbidden(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        var key = new PartitionKey("full");
        Task<ItemResponse<Sized>> Create(string id, string pk = "full") =>
            container.CreateItemAsync(new Sized(id, pk), cancellationToken: Token);
        await Create("a");
        await Create("b");

        var larger = new Sized("a", "full") { Text = new string('x', 1_500) };
        await AssertFullAsync(() => Create("c"));
        await AssertFullAsync(() => container.UpsertItemAsync(new Sized("c", "full"), key, cancellationToken: Token));
        await AssertFullAsync(() => container.ReplaceItemAsync(larger, "a", key, cancellationToken: Token));
        await AssertFullAsync(
            () => container.PatchItemAsync<Sized>("a", key, [PatchOperation.Set("/text", larger.Text)], cancellationToken: Token));
        TransactionalBatchResponse batch = await container.CreateTransactionalBatch(key)
            .DeleteItem("a").CreateItem(new Sized("c", "full")).CreateItem(new Sized("d", "full")).ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.Forbidden, batch.StatusCode);

        Assert.Equal(HttpStatusCode.Created, (await Create("c", "other")).StatusCode);
        var smaller = new Sized("a", "full") { Text = "" };
        Assert.Equal(HttpStatusCode.OK, (await container.ReplaceItemAsync(smaller, "a", key, cancellationToken: Token)).StatusCode);
        Assert.Equal(HttpStatusCode.Created, (await Create("c")).StatusCode);
        await container.DeleteItemAsync<Sized>("b", key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.Created, (await Create("d")).StatusCode);
    }

    /// <summary>About 570 GB of 60 keys: partitions split until each holds at most 50 GB, and the least throughput grows.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_ToAPartitionOf50Gigabytes_SplitIt(ConnectionMode mode)
    {
        const int documents = 60;
        Container container = await CreateContainerAsync(mode, throughput: 50_000);

        for (int i = 0; i < documents; i++)
            await container.CreateItemAsync(new Sized($"{i}", $"k{i}"), cancellationToken: Token);
        while (!Live().All(partition => partition.Documents <= 5))
            await Task.Delay(5, Token);

        Assert.Equal(documents, Live().Sum(partition => partition.Documents));
        for (int i = 0; i < documents; i++)
            await container.ReadItemAsync<Sized>($"{i}", new PartitionKey($"k{i}"), cancellationToken: Token);
        ThroughputResponse throughput = await container.ReadThroughputAsync(new RequestOptions(), Token);
        Assert.Equal(600, throughput.MinThroughput);
        CosmosException tooLow = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReplaceThroughputAsync(500, cancellationToken: Token));
        Assert.Equal(HttpStatusCode.BadRequest, tooLow.StatusCode);
        // What came out of the last split is too large to be merged again.
        PartitionLedger[] live = [.. Live().OrderBy(partition => partition.MinInclusive, StringComparer.Ordinal)];
        PartitionLedger lower = live.Zip(live.Skip(1)).First(pair => pair.First.Documents + pair.Second.Documents > 5).First;
        using var http = new HttpClient();
        using HttpResponseMessage merge = await http.PostAsync(
            new Uri(Account.ControlEndpoint, $"merge?database=tests&container={container.Id}&partition={lower.Id}"), null, Token);
        Assert.Equal(HttpStatusCode.BadRequest, merge.StatusCode);
        Assert.Contains("50 GB", await merge.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);

        IEnumerable<PartitionLedger> Live() => LedgerOf(container).Partitions
            .Where(partition => !partition.WasSplit);
    }

    /// <summary>The documentation's own examples: throughput was at first 400 and 1,000 RU/s, then 50,000.</summary>
    [Theory]
    [InlineData(false, 0, 50_000, 500)]
    [InlineData(false, 20, 50_000, 500)]
    [InlineData(false, 2_000, 50_000, 2_000)]
    [InlineData(false, 15, 400, 400)]
    [InlineData(true, 20, 50_000, 5_000)]
    [InlineData(true, 2_000, 50_000, 20_000)]
    [InlineData(true, 15, 1_000, 1_000)]
    public void LeastFor_StorageAndHighestThroughput_IsTheServices(bool autoscale, int gigabytes, int highest, int expected)
    {
        var before = new Offer { Throughput = autoscale ? 1_000 : 400, Autoscale = autoscale };
        Offer raised = new Offer { Throughput = highest, Autoscale = autoscale }.Replacing(before, gigabytes);

        Offer lowered = new Offer { Throughput = expected, Autoscale = autoscale }.Replacing(raised, gigabytes);

        Assert.Equal((expected, expected), (raised.LeastFor(gigabytes), lowered.LeastFor(gigabytes)));
        var tooLow = new Offer { Throughput = expected - (autoscale ? 1_000 : 100), Autoscale = autoscale };
        Assert.Equal(400, Assert.Throws<RequestException>(() => tooLow.Replacing(lowered, gigabytes)).Status);
    }

    private static async Task AssertFullAsync(Func<Task> write)
    {
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(write);
        Assert.Equal((HttpStatusCode.Forbidden, PartitionKeyFull), (e.StatusCode, e.SubStatusCode));
        Assert.Contains("Partition key reached maximum size of 20 GB", e.Message, StringComparison.Ordinal);
    }

    /// <summary>About 950 bytes.</summary>
    private sealed record Sized(
        [property: Newtonsoft.Json.JsonProperty("id")] string Id, [property: Newtonsoft.Json.JsonProperty("pk")] string Key)
    {
        [Newtonsoft.Json.JsonProperty("text")]
        public string Text { get; init; } = new('x', 920);
    }
}
