using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Persistence;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class DataFolderTests : IDisposable
{
    private const int Documents = 300;

    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"account-{Guid.NewGuid():N}");

    public static TheoryData<PartitionKeyDefinitionVersion> Versions => [.. Enum.GetValues<PartitionKeyDefinitionVersion>()];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Versions))]
    public async Task Restart_OfAnAccount_KeepsDatabasesContainersAndDocuments(PartitionKeyDefinitionVersion version)
    {
        (string Key, string Certificate) known;
        ContainerProperties before;
        Dictionary<string, string> etags;
        string? feedContinuation;
        await using (SimulatedAccount account = await StartAsync())
        {
            known = (account.Key, account.CertificateThumbprint);
            using CosmosClient client = CreateBulkClient(account);
            Container container = await CreateAsync(client, version);
            await FillAsync(container);
            await SplitAsync(account, container, 1);
            await container.ReplaceItemAsync(Item(3) with { Value = 33 }, "3", Key(3), cancellationToken: Token);
            await container.DeleteItemAsync<Item>("4", Key(4), cancellationToken: Token);
            etags = await ReadEtagsAsync(container);
            feedContinuation = await ReadFeedToItsEndAsync(container);
            before = await container.ReadContainerAsync(cancellationToken: Token);
            await account.StopAsync();
        }

        await using SimulatedAccount restarted = await StartAsync();
        using CosmosClient direct = AccountClients.Create(restarted, ConnectionMode.Direct);
        Container kept = direct.GetContainer("tests", "kept");

        Assert.Equal(known, (restarted.Key, restarted.CertificateThumbprint));
        ContainerProperties after = await kept.ReadContainerAsync(cancellationToken: Token);
        Assert.Equal((before.SelfLink, before.ETag, before.PartitionKeyPath), (after.SelfLink, after.ETag, after.PartitionKeyPath));
        Assert.Equal(12_300, await kept.ReadThroughputAsync(Token));
        Assert.Equal(etags, await ReadEtagsAsync(kept));
        Assert.Equal(33, (await kept.ReadItemAsync<Item>("3", Key(3), cancellationToken: Token)).Resource.Value);
        Assert.Equal(4, (await kept.GetFeedRangesAsync(Token)).Count);
        using (FeedIterator<Item> feed = kept.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.ContinuationToken(feedContinuation), ChangeFeedMode.LatestVersion))
        {
            await kept.AddAsync(Item(Documents));
            Assert.Equal([$"{Documents}"], (await DrainAsync(feed)).Select(item => item.Id));
        }
    }

    [Fact]
    public async Task Restart_AfterDeletingTheNewest_GivesNoResourceIdASecondTime()
    {
        string deleted;
        await using (SimulatedAccount account = await StartAsync())
        {
            using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
            Container container = await CreateAsync(client, PartitionKeyDefinitionVersion.V2);
            deleted = (await container.ReadContainerAsync(cancellationToken: Token)).Resource.SelfLink;
            await container.DeleteContainerAsync(cancellationToken: Token);
            await account.StopAsync();
        }

        await using SimulatedAccount restarted = await StartAsync();
        using CosmosClient again = AccountClients.Create(restarted, ConnectionMode.Gateway);
        Container created = await CreateAsync(again, PartitionKeyDefinitionVersion.V2);
        Assert.NotEqual(deleted, (await created.ReadContainerAsync(cancellationToken: Token)).Resource.SelfLink);
    }

    [Fact]
    public async Task Restart_OfContainersWithRules_KeepsTheRules()
    {
        await using (SimulatedAccount account = await StartAsync())
        {
            using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
            Database shared = await client.CreateDatabaseAsync("shared", 5_000, cancellationToken: Token);
            Container unique = await shared.CreateContainerAsync(
                new ContainerProperties("unique", "/pk")
                {
                    DefaultTimeToLive = 3_600,
                    UniqueKeyPolicy = new UniqueKeyPolicy { UniqueKeys = { new UniqueKey { Paths = { "/text" } } } },
                },
                cancellationToken: Token);
            await unique.AddAsync(Item(1) with { Key = "k", Text = "taken" });
            Container deep = await shared.CreateContainerAsync(new ContainerProperties("deep", ["/pk", "/id"]), cancellationToken: Token);
            await deep.CreateItemAsync(Item(1), cancellationToken: Token);
            await account.StopAsync();
        }

        await using SimulatedAccount restarted = await StartAsync();
        using CosmosClient again = AccountClients.Create(restarted, ConnectionMode.Direct);
        Database database = again.GetDatabase("shared");
        Assert.Equal(5_000, await database.ReadThroughputAsync(Token));
        Container kept = database.GetContainer("unique");
        Assert.Equal(3_600, (await kept.ReadContainerAsync(cancellationToken: Token)).Resource.DefaultTimeToLive);
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => kept.AddAsync(Item(2) with { Key = "k", Text = "taken" }));
        Assert.Equal(System.Net.HttpStatusCode.Conflict, e.StatusCode);
        PartitionKey key = new PartitionKeyBuilder().Add("k1").Add("1").Build();
        Assert.Equal(1, (await database.GetContainer("deep").ReadItemAsync<Item>("1", key, cancellationToken: Token)).Resource.Value);
    }

    [Fact]
    public async Task Start_WithDamagedFiles_NamesEachAndLoadsNothing()
    {
        await using (SimulatedAccount account = await StartAsync())
        {
            using CosmosClient client = CreateBulkClient(account);
            await FillAsync(await CreateAsync(client, PartitionKeyDefinitionVersion.V2));
            await account.StopAsync();
        }

        string[] files = [.. Directory.GetFiles(Directory.GetDirectories(_folder).Single()).Order()];
        byte[] content = await File.ReadAllBytesAsync(files[0], Token);
        content[^5] ^= 1;
        await File.WriteAllBytesAsync(files[0], content, Token);
        await File.WriteAllBytesAsync(files[1], (await File.ReadAllBytesAsync(files[1], Token))[..^1], Token);
        File.Delete(files[2]);

        AccountDataException e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());

        Assert.Equal(3, e.Errors.Count);
        Assert.All(files.Take(3), file => Assert.Contains(e.Errors, error => error.Contains(file, StringComparison.Ordinal)));
        // The folder is free again, and what is in it is as it was.
        string manifest = Path.Combine(_folder, "account.json");
        await File.WriteAllTextAsync(manifest, (await File.ReadAllTextAsync(manifest, Token)).Replace("kept", "lost"), Token);
        e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());
        Assert.Contains(manifest, Assert.Single(e.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_WithAFolderInUse_SaysSo()
    {
        await using SimulatedAccount account = await StartAsync();

        AccountDataException e = await Assert.ThrowsAsync<AccountDataException>(() => StartAsync());

        Assert.Contains(_folder, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stop_WhenNothingCanBeWritten_LeavesTheFormerState()
    {
        await using (SimulatedAccount account = await StartAsync())
        {
            using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
            await CreateAsync(client, PartitionKeyDefinitionVersion.V2);
            await account.StopAsync();
        }

        await using (SimulatedAccount account = await StartAsync())
        {
            using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
            await client.GetContainer("tests", "kept").DeleteContainerAsync(cancellationToken: Token);
            // A folder where the new manifest is to be written cannot be overwritten by a file.
            Directory.CreateDirectory(Path.Combine(_folder, "account.json.new"));
            await Assert.ThrowsAsync<AccountDataException>(() => account.StopAsync());
        }

        await using SimulatedAccount restarted = await StartAsync();
        using CosmosClient again = AccountClients.Create(restarted, ConnectionMode.Gateway);
        Assert.Equal("kept", (await again.GetContainer("tests", "kept").ReadContainerAsync(cancellationToken: Token)).Resource.Id);
    }

    public void Dispose()
    {
        if (Directory.Exists(_folder))
            Directory.Delete(_folder, recursive: true);
    }

    private static CosmosClient CreateBulkClient(SimulatedAccount account) =>
        AccountClients.Create(account, ConnectionMode.Gateway, options => options.AllowBulkExecution = true);

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 40}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i % 40}");

    private static async Task<Container> CreateAsync(CosmosClient client, PartitionKeyDefinitionVersion version)
    {
        Database database = await client.CreateDatabaseIfNotExistsAsync("tests", cancellationToken: Token);
        return await database.CreateContainerAsync(
            new ContainerProperties { Id = "kept", PartitionKeyPath = "/pk", PartitionKeyDefinitionVersion = version }, 12_300,
            cancellationToken: Token);
    }

    private static async Task FillAsync(Container container) =>
        await Task.WhenAll(Enumerable.Range(0, Documents).Select(i => container.AddAsync(Item(i))));

    private static async Task<Dictionary<string, string>> ReadEtagsAsync(Container container)
    {
        var etags = new Dictionary<string, string>();
        using FeedIterator<Newtonsoft.Json.Linq.JObject> iterator = container.GetItemQueryIterator<Newtonsoft.Json.Linq.JObject>();
        while (iterator.HasMoreResults)
        {
            foreach (Newtonsoft.Json.Linq.JObject document in await iterator.ReadNextAsync(Token))
                etags.Add((string)document["id"]!, $"{document["_etag"]} {document["_rid"]} {document["_ts"]}");
        }

        return etags;
    }

    private static async Task<string?> ReadFeedToItsEndAsync(Container container)
    {
        using FeedIterator<Item> feed = container.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.Beginning(), ChangeFeedMode.LatestVersion);
        FeedResponse<Item> page = await feed.ReadNextAsync(Token);
        while (page.StatusCode != System.Net.HttpStatusCode.NotModified)
            page = await feed.ReadNextAsync(Token);
        return page.ContinuationToken;
    }

    private static async Task<List<Item>> DrainAsync(FeedIterator<Item> feed)
    {
        var items = new List<Item>();
        FeedResponse<Item> page = await feed.ReadNextAsync(Token);
        while (page.StatusCode != System.Net.HttpStatusCode.NotModified)
        {
            items.AddRange(page);
            page = await feed.ReadNextAsync(Token);
        }

        return items;
    }

    private static async Task SplitAsync(SimulatedAccount account, Container container, int partition)
    {
        using var http = new HttpClient();
        using HttpResponseMessage response = await http.PostAsync(
            new Uri(account.ControlEndpoint, $"split?database=tests&container={container.Id}&partition={partition}"), null, Token);
        response.EnsureSuccessStatusCode();
    }

    private Task<SimulatedAccount> StartAsync() => SimulatedAccount.StartAsync(
        new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 3, DataFolder = _folder }, Token);
}
