using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class SplitTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 2_000;

    public static TheoryData<ConnectionMode, PartitionKeyDefinitionVersion> Cases =>
    [
        .. from mode in new[] { ConnectionMode.Gateway, ConnectionMode.Direct }
           from version in Enum.GetValues<PartitionKeyDefinitionVersion>()
           select (mode, version),
    ];

    [Theory, MemberData(nameof(Cases))]
    public async Task Split_WhileClientsWrite_LosesNothing(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        Container container = await CreateAsync(mode, version);
        int next = -1;
        async Task WriteAsync()
        {
            for (int i = Interlocked.Increment(ref next); i < Documents; i = Interlocked.Increment(ref next))
            {
                if (i is Documents / 4 or Documents / 2)
                    await SplitAsync(container, i == Documents / 4 ? 0 : 4);
                Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(Item(i))).StatusCode);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(WriteAsync, Token)));

        await AssertWholeAsync(container, mode);
        ContainerLedger ledger = LedgerOf(container);
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
        Container created = await CreateAsync(mode, PartitionKeyDefinitionVersion.V2);
        Container container = Client(mode, bulk: true).GetContainer(created.Database.Id, created.Id);
        List<Task<ItemResponse<Item>>> writes = [];
        for (int i = 0; i < Documents; i++)
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

    /// <summary>A client that knows the former ranges gets 410 and finds the way; a later split takes apart what was merged.</summary>
    [Theory, MemberData(nameof(Cases))]
    public async Task Merge_WhileClientsWrite_LosesNothingAndSharesTheBudget(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        Container container = await CreateAsync(mode, version);
        int next = -1;
        var merged = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        async Task WriteAsync()
        {
            for (int i = Interlocked.Increment(ref next); i < Documents; i = Interlocked.Increment(ref next))
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
                    // Of the partition that the first merge made: it must not be overtaken.
                    await merged.Task.WaitAsync(Token);
                    await MergeAsync(container, 0);
                }

                Assert.Equal(HttpStatusCode.Created, (await container.AddAsync(Item(i))).StatusCode);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 16).Select(_ => Task.Run(WriteAsync, Token)));

        await AssertWholeAsync(container, mode);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(Documents, ledger.Operations.Create.Attempts);
        Assert.Equal((long)Documents, ledger.Documents.Created);
        Assert.Equal(["", "", "", "", "1 2", "0 1 2 4"], ledger.Partitions.Select(one => string.Join(' ', one.Parents.Order())));
        PartitionLedger[] live = [.. ledger.Partitions.Where(partition => !partition.WasSplit)];
        Assert.Equal(["3", "5"], live.Select(partition => partition.Id));
        Assert.Equal(Documents, live.Sum(partition => partition.Documents));
        Assert.All(live, partition => Assert.Equal(200_000, partition.BudgetPerSecond, 6));

        await SplitAsync(container, 5);
        await AssertWholeAsync(container, mode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Merge_InTheMiddleOfAQueryAndOfTheChangeFeed_GivesEveryDocumentOnce(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        using FeedIterator<Item> query = container.GetItemQueryIterator<Item>(
            new QueryDefinition("SELECT * FROM c"), requestOptions: new QueryRequestOptions { MaxItemCount = 100, MaxConcurrency = 1 });
        using FeedIterator<Item> changes = container.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.Beginning(), ChangeFeedMode.LatestVersion, new ChangeFeedRequestOptions { PageSizeHint = 70 });
        foreach (FeedIterator<Item> iterator in new[] { query, changes })
        {
            var ids = new List<string>();
            for (int page = 0; iterator.HasMoreResults; page++)
            {
                FeedResponse<Item> items = await iterator.ReadNextAsync(Token);
                if (items.StatusCode == HttpStatusCode.NotModified)
                    break;
                ids.AddRange(items.Select(item => item.Id));
                // Of the change feed, the partition that the first merge brought, and the last one.
                if (page == 3)
                    await MergeAsync(container, iterator == query ? 0 : 4);
            }

            Assert.Equal(Documents, ids.Count);
            Assert.Equal(Documents, ids.Distinct().Count());
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Split_InTheMiddleOfAQuery_GivesEveryDocumentOnce(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        var ids = new List<string>();
        int pages = 0;
        using FeedIterator<Item> iterator = container.GetItemQueryIterator<Item>(
            new QueryDefinition("SELECT * FROM c"), requestOptions: new QueryRequestOptions { MaxItemCount = 100, MaxConcurrency = 1 });
        while (iterator.HasMoreResults)
        {
            ids.AddRange((await iterator.ReadNextAsync(Token)).Select(item => item.Id));
            if (++pages == 3)
                await SplitAsync(container, 0);
        }

        Assert.Equal(Documents, ids.Count);
        Assert.Equal(Documents, ids.Distinct().Count());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Split_Documents_KeepEtagAndResourceIdAndSession(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode, PartitionKeyDefinitionVersion.V2);
        ItemResponse<Newtonsoft.Json.Linq.JObject> before = await container.CreateItemAsync(
            Newtonsoft.Json.Linq.JObject.FromObject(Item(1)), Key(1), cancellationToken: Token);
        string partition = before.Headers.Session.Split(':')[0];

        await SplitAsync(container, int.Parse(partition));

        ItemResponse<Newtonsoft.Json.Linq.JObject> read = await container.ReadItemAsync<Newtonsoft.Json.Linq.JObject>(
            "1", Key(1), cancellationToken: Token);
        Assert.Equal(before.ETag, read.ETag);
        Assert.Equal(before.Resource["_rid"], read.Resource["_rid"]);
        Assert.NotEqual(partition, read.Headers.Session.Split(':')[0]);
        ItemResponse<Item> replaced = await container.ReplaceItemAsync(
            Item(1) with { Value = 7 }, "1", Key(1), new ItemRequestOptions { IfMatchEtag = before.ETag }, Token);
        Assert.NotEqual(before.ETag, replaced.ETag);
    }

    [Fact]
    public async Task SplitsAndMerges_OfPlan_HappenAtTheirTimes()
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions
            {
                Latency = LatencyProfile.None,
                PhysicalPartitions = 1,
                Splits = [new PartitionSplit { AfterSeconds = 0, Partition = 0 }, new PartitionSplit { AfterSeconds = 0, Partition = 2 }],
                Merges = [new PlannedMerge { AfterSeconds = 0, Partition = 1 }],
            },
            Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client);
        for (int i = 0; account.ReadLedger().Containers.Single().Partitions.Count < 6; i++)
            await container.AddAsync(Item(i));

        Assert.Equal(
            ["0", "1", "2", "3"],
            account.ReadLedger().Containers.Single().Partitions.Where(partition => partition.WasSplit).Select(partition => partition.Id));
    }

    [Theory]
    [InlineData("partition=x", HttpStatusCode.BadRequest)]
    [InlineData("database=tests&container={c}&partition=3", HttpStatusCode.BadRequest, "merge")]
    [InlineData("database=tests&container={c}&partition=9", HttpStatusCode.NotFound, "merge")]
    [InlineData("database=tests&container=none&partition=0", HttpStatusCode.NotFound)]
    [InlineData("database=tests&container={c}&partition=4", HttpStatusCode.NotFound)]
    [InlineData("database=tests&container={c}&partition=3", HttpStatusCode.OK)]
    public async Task ControlEndpoint_Split_SaysWhatCameOfIt(string query, HttpStatusCode expected, string verb = "split")
    {
        Container container = await CreateAsync(ConnectionMode.Gateway, PartitionKeyDefinitionVersion.V2);
        using var http = new HttpClient();

        using HttpResponseMessage response = await http.PostAsync(
            new Uri(Account.ControlEndpoint, $"{verb}?" + query.Replace("{c}", container.Id, StringComparison.Ordinal)), null,
            Token);

        Assert.Equal(expected, response.StatusCode);
        Assert.NotEmpty(await response.Content.ReadAsStringAsync(Token));
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i}");

    private Task<Container> CreateAsync(ConnectionMode mode, PartitionKeyDefinitionVersion version) =>
        CreateContainerAsync(
            mode, properties: new ContainerProperties { PartitionKeyPath = "/pk", PartitionKeyDefinitionVersion = version });

    private Task<Container> FillAsync(ConnectionMode mode) =>
        FillAsync(mode, Enumerable.Range(0, Documents).Select(i => (Item(i), $"k{i}")));

    private Task MergeAsync(Container container, int partition) => AccountClients.ChangeAsync(Account, "merge", container, partition);

    /// <summary>By the client that knew the container before the split and by a new one.</summary>
    private async Task AssertWholeAsync(Container container, ConnectionMode mode)
    {
        using CosmosClient other = AccountClients.Create(Account, mode);
        foreach (Container view in new[] { container, other.GetContainer(container.Database.Id, container.Id) })
        {
            using FeedIterator<int> count = view.GetItemQueryIterator<int>("SELECT VALUE COUNT(1) FROM c");
            Assert.Equal(Documents, (await count.ReadNextAsync(Token)).Single());
            for (int i = 0; i < Documents; i += 97)
                Assert.Equal(i, (await view.ReadItemAsync<Item>($"{i}", Key(i), cancellationToken: Token)).Resource.Value);
        }
    }
}
