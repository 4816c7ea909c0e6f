using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class SplitTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 1_000;

    [Theory, MemberData(nameof(ModesAndKeyVersions))]
    public async Task Split_WhileClientsWrite_LosesNothing(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        var container = await CreateAsync(mode, version);
        var next = -1;
        async Task WriteAsync()
        {
            for (var i = Interlocked.Increment(ref next); i < Documents; i = Interlocked.Increment(ref next))
            {
                if (i is Documents / 4 or Documents / 2)
                    await SplitAsync(container, i == Documents / 4 ? 0 : 4);
                Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(Item(i))).StatusCode);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(WriteAsync, Token)));

        await AssertWholeAsync(container, mode);
        var ledger = LedgerOf(container);
        Assert.Equal(Documents, ledger.Operations.Create.Attempts);
        Assert.Equal(["0", "4"], ledger.Partitions.Where(partition => partition.WasSplit).Select(partition => partition.Id));
        Assert.Equal([[], [], [], [], ["0"], ["0"], ["0", "4"], ["0", "4"]], ledger.Partitions.Select(partition => partition.Parents));
        Assert.All(ledger.Partitions, partition => Assert.Equal(partition.WasSplit, partition.Documents == 0));
        Assert.All(
            ledger.Partitions.Where(partition => !partition.WasSplit),
            partition => Assert.Equal(400_000 / 6.0, partition.BudgetPerSecond, 6));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Split_WhileClientsWriteInBulk_LosesNothing(ConnectionMode mode)
    {
        var created = await CreateContainerAsync(mode);
        var container = Client(mode, bulk: true).GetContainer(created.Database.Id, created.Id);
        List<Task<ItemResponse<Item>>> writes = [];
        for (var i = 0; i < Documents; i++)
        {
            writes.Add(container.AddAsync(Item(i)));
            if (i == Documents / 2)
                await SplitAsync(container, 1);
        }

        await Task.WhenAll(writes);

        Assert.All(writes, write => Assert.Equal(HttpStatusCode.Created, write.Result.StatusCode));
        await AssertWholeAsync(container, mode);
        Assert.Equal(Documents, LedgerOf(container).Documents.Created);
    }

    /// <summary>A client that knows the former ranges gets 410 and reads the new ones. A split divides the merged partition.</summary>
    [Theory, MemberData(nameof(ModesAndKeyVersions))]
    public async Task Merge_WhileClientsWrite_LosesNothingAndSharesTheBudget(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        var container = await CreateAsync(mode, version);
        var next = -1;
        var merged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        async Task WriteAsync()
        {
            for (var i = Interlocked.Increment(ref next); i < Documents; i = Interlocked.Increment(ref next))
            {
                if (i == Documents / 4)
                {
                    try
                    {
                        await MergeAsync(container, 1);
                    }
                    finally
                    {
                        merged.SetResult();
                    }
                }

                if (i == Documents / 2)
                {
                    // Merges the partition that the first merge makes, so it waits for that.
                    await merged.Task.WaitAsync(Token);
                    await MergeAsync(container, 0);
                }

                Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(Item(i))).StatusCode);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(WriteAsync, Token)));

        await AssertWholeAsync(container, mode);
        var ledger = LedgerOf(container);
        Assert.Equal((Documents, Documents), (ledger.Operations.Create.Attempts, ledger.Documents.Created));
        Assert.Equal(["", "", "", "", "1 2", "0 1 2 4"], ledger.Partitions.Select(one => string.Join(' ', one.Parents.Order())));
        PartitionLedger[] live = [.. ledger.Partitions.Where(partition => !partition.WasSplit)];
        Assert.Equal(["3", "5"], live.Select(partition => partition.Id));
        Assert.Equal(Documents, live.Sum(partition => partition.Documents));
        Assert.All(live, partition => Assert.Equal(200_000, partition.BudgetPerSecond, 6));

        await SplitAsync(container, 5);
        await AssertWholeAsync(container, mode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Merge_DuringAQueryAndTheChangeFeed_ReturnsEveryDocumentOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        using var query = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c", requestOptions: new QueryRequestOptions { MaxItemCount = 100, MaxConcurrency = 1 });
        using var changes = container.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.Beginning(), ChangeFeedMode.LatestVersion, new ChangeFeedRequestOptions { PageSizeHint = 70 });
        foreach (var iterator in new[] { query, changes })
        {
            var ids = new List<string>();
            for (var page = 0; iterator.HasMoreResults; page++)
            {
                var items = await iterator.ReadNextAsync(Token);
                if (items.StatusCode == HttpStatusCode.NotModified)
                    break;
                ids.AddRange(items.Select(item => item.Id));
                // The change feed is read after the first merge, so it merges the resulting partition with the last one.
                if (page == 3)
                    await MergeAsync(container, iterator == query ? 0 : 4);
            }

            Assert.Equal((Documents, Documents), (ids.Count, ids.Distinct().Count()));
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Split_DuringAQuery_ReturnsEveryDocumentOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var ids = new List<string>();
        var pages = 0;
        using var iterator = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c", requestOptions: new QueryRequestOptions { MaxItemCount = 100, MaxConcurrency = 1 });
        while (iterator.HasMoreResults)
        {
            ids.AddRange((await iterator.ReadNextAsync(Token)).Select(item => item.Id));
            if (++pages == 3)
                await SplitAsync(container, 0);
        }

        Assert.Equal((Documents, Documents), (ids.Count, ids.Distinct().Count()));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Split_Documents_KeepEtagAndResourceIdAndSession(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var before = await container.AddAsync(JObject.FromObject(Item(1)), Key(1));
        var partition = before.Headers.Session.Split(':')[0];
        await SplitAsync(container, int.Parse(partition));

        var read = await container.ReadAsync<JObject>("1", Key(1));
        Assert.Equal(before.ETag, read.ETag);
        Assert.Equal(before.Resource["_rid"], read.Resource["_rid"]);
        Assert.NotEqual(partition, read.Headers.Session.Split(':')[0]);
        var replaced = await container.ReplaceItemAsync(
            Item(1) with { Value = 7 }, "1", Key(1), new ItemRequestOptions { IfMatchEtag = before.ETag }, Token);
        Assert.NotEqual(before.ETag, replaced.ETag);
    }

    [Fact]
    public async Task SplitsAndMerges_OfPlan_HappenAtTheirTimes()
    {
        PartitionSplit[] splits = [new() { AfterSeconds = 0, Partition = 0 }, new() { AfterSeconds = 0, Partition = 2 }];
        PlannedMerge[] merges = [new() { AfterSeconds = 0, Partition = 1 }];
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Gateway, new AccountSettings { PhysicalPartitions = 1, Splits = splits, Merges = merges });
        for (var i = 0; Partitions().Count < 6; i++)
            await own.Container.AddAsync(Item(i));
        Assert.Equal(["0", "1", "2", "3"], Partitions().Where(partition => partition.WasSplit).Select(partition => partition.Id));

        IReadOnlyList<PartitionLedger> Partitions() => own.Account.ReadLedger().Containers.Single().Partitions;
    }

    [Theory]
    [InlineData("partition=x", HttpStatusCode.BadRequest)]
    [InlineData("database=tests&container={c}&partition=3", HttpStatusCode.BadRequest, "merge")]
    [InlineData("database=tests&container={c}&partition=9", HttpStatusCode.NotFound, "merge")]
    [InlineData("database=tests&container=none&partition=0", HttpStatusCode.NotFound)]
    [InlineData("database=tests&container={c}&partition=4", HttpStatusCode.NotFound)]
    [InlineData("database=tests&container={c}&partition=3", HttpStatusCode.OK)]
    public async Task ControlEndpoint_SplitOrMerge_ReturnsItsStatus(string query, HttpStatusCode expected, string verb = "split")
    {
        var container = await CreateContainerAsync();
        using var http = new HttpClient();
        using var response = await http.PostAsync(
            new Uri(Account.ControlEndpoint, $"{verb}?" + query.Replace("{c}", container.Id, StringComparison.Ordinal)), null, Token);
        Assert.Equal(expected, response.StatusCode);
        Assert.NotEmpty(await response.Content.ReadAsStringAsync(Token));
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i}");

    private Task<Container> CreateAsync(ConnectionMode mode, PartitionKeyDefinitionVersion version) =>
        CreateContainerAsync(mode, properties: AccountClients.Keyed("/pk", version));

    private Task<Container> FillAsync(ConnectionMode mode) =>
        FillAsync(mode, Enumerable.Range(0, Documents).Select(i => (Item(i), $"k{i}")));

    private Task MergeAsync(Container container, int partition) => AccountClients.ChangeAsync(Account, "merge", container, partition);

    /// <summary>Reads with the client that knew the container before the split and with a new one.</summary>
    private async Task AssertWholeAsync(Container container, ConnectionMode mode)
    {
        using var other = AccountClients.Create(Account, mode);
        foreach (var view in new[] { container, other.GetContainer(container.Database.Id, container.Id) })
        {
            Assert.Equal([Documents], await view.QueryAsync<int>("SELECT VALUE COUNT(1) FROM c"));
            for (var i = 0; i < Documents; i += 97)
                Assert.Equal(i, (await view.ReadAsync($"{i}", Key(i))).Resource.Value);
        }
    }
}
