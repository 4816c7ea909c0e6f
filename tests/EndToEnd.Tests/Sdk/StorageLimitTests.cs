using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>An account in which a byte counts as 10 MB: a partition key is full at 2,000 bytes, a partition at 5,000.</summary>
public sealed class CrampedAccount() : AccountFixture(new AccountSettings { PhysicalPartitions = 1, StorageFactor = 10_000_000 });

public sealed class StorageLimitTests(CrampedAccount fixture) : AccountTests<CrampedAccount>(fixture)
{
    private const int PartitionKeyFull = 1014;

    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_ToAPartitionKeyOf20Gigabytes_AreForbidden(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var key = new PartitionKey("full");
        Task<ItemResponse<Sized>> Create(string id, string pk = "full") =>
            container.CreateItemAsync(new Sized(id, pk), cancellationToken: Token);
        await Create("a");
        await Create("b");

        var larger = new Sized("a", "full") { Text = new string('x', 1_500) };
        await AssertFullAsync(() => Create("c"));
        await AssertFullAsync(() => container.UpsertAsync(new Sized("c", "full"), key));
        await AssertFullAsync(() => container.ReplaceAsync(larger, "a", key));
        await AssertFullAsync(
            () => container.PatchItemAsync<Sized>("a", key, [PatchOperation.Set("/text", larger.Text)], cancellationToken: Token));
        var batch = await container.CreateTransactionalBatch(key)
            .DeleteItem("a").CreateItem(new Sized("c", "full")).CreateItem(new Sized("d", "full")).ExecuteAsync(Token);
        Assert.Equal(HttpStatusCode.Forbidden, batch.StatusCode);

        Assert.Equal(HttpStatusCode.Created, (await Create("c", "other")).StatusCode);
        var smaller = new Sized("a", "full") { Text = "" };
        Assert.Equal(HttpStatusCode.OK, (await container.ReplaceAsync(smaller, "a", key)).StatusCode);
        Assert.Equal(HttpStatusCode.Created, (await Create("c")).StatusCode);
        await container.DeleteAsync("b", key);
        Assert.Equal(HttpStatusCode.Created, (await Create("d")).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_ToAHierarchicalKeyOf20Gigabytes_AreForbiddenForAllItsLevelsAlone(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, properties: new ContainerProperties { PartitionKeyPaths = ["/pk", "/id"] });
        var grouped = await CreateContainerAsync(mode, properties: new ContainerProperties { PartitionKeyPaths = ["/pk", "/text"] });
        for (var i = 0; i < 4; i++)
            await container.CreateItemAsync(new Sized($"{i}", "one"), cancellationToken: Token);
        await grouped.CreateItemAsync(new Sized("a", "one"), cancellationToken: Token);
        await grouped.CreateItemAsync(new Sized("b", "one"), cancellationToken: Token);

        await AssertFullAsync(() => grouped.CreateItemAsync(new Sized("c", "one"), cancellationToken: Token));
        await grouped.CreateItemAsync(new Sized("c", "one") { Text = "other" }, cancellationToken: Token);
    }

    /// <summary>60 keys of about 570 GB: partitions split until each holds at most 50 GB, and the minimum throughput grows.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_ToAPartitionOf50Gigabytes_SplitIt(ConnectionMode mode)
    {
        const int documents = 60;
        var container = await CreateContainerAsync(mode, throughput: 50_000);
        for (var i = 0; i < documents; i++)
            await container.CreateItemAsync(new Sized($"{i}", $"k{i}"), cancellationToken: Token);
        while (!Live().All(partition => partition.Documents <= 5))
            await Task.Delay(5, Token);

        Assert.Equal(documents, Live().Sum(partition => partition.Documents));
        for (var i = 0; i < documents; i++)
            await container.ReadAsync<Sized>($"{i}", new PartitionKey($"k{i}"));
        var throughput = await container.ReadThroughputAsync(new RequestOptions(), Token);
        Assert.Equal(600, throughput.MinThroughput);
        await FailsAsync(HttpStatusCode.BadRequest, () => container.ReplaceThroughputAsync(500, cancellationToken: Token));
        // The partitions of the last split are too large for a merge.
        PartitionLedger[] live = [.. Live().OrderBy(partition => partition.MinInclusive, StringComparer.Ordinal)];
        var lower = live.Zip(live.Skip(1)).First(pair => pair.First.Documents + pair.Second.Documents > 5).First;
        using var http = new HttpClient();
        using var merge = await http.PostAsync(
            new Uri(Account.ControlEndpoint, $"merge?database=tests&container={container.Id}&partition={lower.Id}"), null, Token);
        Assert.Equal(HttpStatusCode.BadRequest, merge.StatusCode);
        Assert.Contains("50 GB", await merge.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);

        IEnumerable<PartitionLedger> Live() => LedgerOf(container).Partitions.Where(partition => !partition.WasSplit);
    }

    /// <summary>Examples of the documentation: throughput was 400 or 1,000 RU/s at first, then 50,000.</summary>
    [Theory]
    [InlineData(false, 0, 50_000, 500)]
    [InlineData(false, 20, 50_000, 500)]
    [InlineData(false, 2_000, 50_000, 2_000)]
    [InlineData(false, 15, 400, 400)]
    [InlineData(true, 20, 50_000, 5_000)]
    [InlineData(true, 2_000, 50_000, 20_000)]
    [InlineData(true, 15, 1_000, 1_000)]
    public void MinThroughputFor_StorageAndHighestThroughput_IsThatOfTheService(bool autoscale, int gigabytes, int highest, int expected)
    {
        var before = new Offer { Throughput = autoscale ? 1_000 : 400, Autoscale = autoscale };
        var raised = new Offer { Throughput = highest, Autoscale = autoscale }.Replacing(before, gigabytes);
        var lowered = new Offer { Throughput = expected, Autoscale = autoscale }.Replacing(raised, gigabytes);
        Assert.Equal((expected, expected), (raised.MinThroughputFor(gigabytes), lowered.MinThroughputFor(gigabytes)));
        var tooLow = new Offer { Throughput = expected - (autoscale ? 1_000 : 100), Autoscale = autoscale };
        Assert.Equal(400, Assert.Throws<RequestException>(() => tooLow.Replacing(lowered, gigabytes)).Status);
    }

    private static async Task AssertFullAsync(Func<Task> write)
    {
        var e = await FailsAsync(HttpStatusCode.Forbidden, write, PartitionKeyFull);
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
