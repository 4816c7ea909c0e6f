using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = Microsoft.Azure.Cosmos.ConsistencyLevel;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class ContainerTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Account_Read_ReportsItsConsistencyAndRegion(ConnectionMode mode)
    {
        AccountProperties account = await Client(mode).ReadAccountAsync();

        Assert.Equal(ConsistencyLevel.Session, account.Consistency.DefaultConsistencyLevel);
        Assert.Single(account.WritableRegions);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Database_CreateReadListDelete_Works(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        string name = $"db {Guid.NewGuid():N} ü";

        DatabaseResponse created = await client.CreateDatabaseAsync(name, cancellationToken: Token);
        CosmosException conflict = await Assert.ThrowsAsync<CosmosException>(
            () => client.CreateDatabaseAsync(name, cancellationToken: Token));
        DatabaseResponse read = await created.Database.ReadAsync(cancellationToken: Token);
        List<string> names = await ListAsync(client.GetDatabaseQueryIterator<DatabaseProperties>(), database => database.Id);
        List<string> found = await ListAsync(
            client.GetDatabaseQueryIterator<DatabaseProperties>(
                new QueryDefinition("SELECT * FROM c WHERE c.id = @id").WithParameter("@id", name)), database => database.Id);
        DatabaseResponse deleted = await read.Database.DeleteAsync(cancellationToken: Token);

        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(HttpStatusCode.Conflict, conflict.StatusCode);
        Assert.Equal(name, read.Resource.Id);
        Assert.Contains(name, names);
        Assert.Equal([name], found);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        Assert.Equal(
            HttpStatusCode.NotFound,
            (await Assert.ThrowsAsync<CosmosException>(() => read.Database.ReadAsync(cancellationToken: Token))).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_CreateReadListReplaceDelete_Works(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Database database = await client.CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
        var properties = new ContainerProperties("c", "/a/b") { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 };
        properties.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = "/*" });
        properties.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/text/?" });

        ContainerResponse created = await database.CreateContainerAsync(properties, 400, cancellationToken: Token);
        ContainerResponse existing = await database.CreateContainerIfNotExistsAsync(properties, cancellationToken: Token);
        ContainerProperties read = (await created.Container.ReadContainerAsync(cancellationToken: Token)).Resource;
        List<string> names = await ListAsync(database.GetContainerQueryIterator<ContainerProperties>(), container => container.Id);
        read.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/more/*" });
        ContainerProperties replaced = (await created.Container.ReplaceContainerAsync(read, cancellationToken: Token)).Resource;
        ContainerResponse deleted = await created.Container.DeleteContainerAsync(cancellationToken: Token);

        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(HttpStatusCode.OK, existing.StatusCode);
        Assert.Equal("/a/b", read.PartitionKeyPath);
        Assert.Equal(PartitionKeyDefinitionVersion.V2, read.PartitionKeyDefinitionVersion);
        Assert.Equal(["/text/?", "/\"_etag\"/?", "/more/*"], replaced.IndexingPolicy.ExcludedPaths.Select(path => path.Path));
        Assert.Contains("c", names);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        Assert.Equal(
            HttpStatusCode.NotFound,
            (await Assert.ThrowsAsync<CosmosException>(() => created.Container.ReadContainerAsync(cancellationToken: Token))).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DefinitionWithoutVersion_IsVersion1(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Database database = await client.CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);

        ContainerResponse created = await database.CreateContainerAsync(
            new ContainerProperties($"c-{Guid.NewGuid():N}", "/pk"), cancellationToken: Token);

        Assert.NotEqual(PartitionKeyDefinitionVersion.V2, created.Resource.PartitionKeyDefinitionVersion);
        Assert.Equal(400, await created.Container.ReadThroughputAsync(Token));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_BadDefinition_IsBadRequest(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Database database = await client.CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
        var noRoot = new ContainerProperties("bad", "/pk");
        noRoot.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/a/?" });
        var badPath = new ContainerProperties("bad", "/pk");
        badPath.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = "/*" });
        badPath.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "nonsense" });

        Task<ContainerResponse>[] attempts =
        [
            database.CreateContainerAsync(noRoot, cancellationToken: Token),
            database.CreateContainerAsync(badPath, cancellationToken: Token),
            database.CreateContainerAsync(new ContainerProperties("bad", "/pk"), 399, cancellationToken: Token),
            database.CreateContainerAsync(new ContainerProperties("bad", "/pk"), 450, cancellationToken: Token),
            database.CreateContainerAsync(
                new ContainerProperties("bad", "/pk"), ThroughputProperties.CreateAutoscaleThroughput(1500), cancellationToken: Token),
        ];

        foreach (Task<ContainerResponse> attempt in attempts)
            Assert.Equal(HttpStatusCode.BadRequest, (await Assert.ThrowsAsync<CosmosException>(() => attempt)).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Throughput_ReadAndReplace_RescalesThePartitions(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode, throughput: 4_000);

        int? before = await container.ReadThroughputAsync(Token);
        await container.ReplaceThroughputAsync(8_000, cancellationToken: Token);
        int? after = await container.ReadThroughputAsync(Token);
        ThroughputResponse full = await container.ReadThroughputAsync(new RequestOptions(), Token);

        Assert.Equal(4_000, before);
        Assert.Equal(8_000, after);
        Assert.Equal(400, full.MinThroughput);
        Assert.All(
            LedgerOf(container).Partitions,
            partition => Assert.Equal(2_000, partition.BudgetPerSecond));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Throughput_Autoscale_HasItsMaximumAsBudget(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Database database = await client.CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);

        Container container = await database.CreateContainerAsync(
            new ContainerProperties($"c-{Guid.NewGuid():N}", "/pk"), ThroughputProperties.CreateAutoscaleThroughput(4_000),
            cancellationToken: Token);
        ThroughputResponse created = await container.ReadThroughputAsync(new RequestOptions(), Token);
        await container.ReplaceThroughputAsync(ThroughputProperties.CreateAutoscaleThroughput(10_000), cancellationToken: Token);
        ThroughputResponse replaced = await container.ReadThroughputAsync(new RequestOptions(), Token);

        Assert.Equal(4_000, created.Resource.AutoscaleMaxThroughput);
        Assert.Equal(10_000, replaced.Resource.AutoscaleMaxThroughput);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DeletedAndCreatedAgain_IsFoundByTheSameClient(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Container container = await AccountClients.CreateContainerAsync(client);
        var key = new PartitionKey("k");
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.GetFeedRangesAsync(Token);
        await container.DeleteContainerAsync(cancellationToken: Token);
        using ResponseMessage orphan = await container.CreateItemStreamAsync(
            new MemoryStream("""{"id":"2","pk":"k"}"""u8.ToArray()), key, cancellationToken: Token);
        await container.Database.CreateContainerAsync(
            new ContainerProperties(container.Id, "/pk") { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 },
            cancellationToken: Token);

        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        ItemResponse<Item> read = await container.ReadItemAsync<Item>("1", key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.NotFound, orphan.StatusCode);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    /// <summary>A client that knows the older container's ranges asks for those of the newer one.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DeletedAndCreatedAgain_IsReadByManyAndByRanges(ConnectionMode mode)
    {
        CosmosClient client = Client(mode);
        Container container = await AccountClients.CreateContainerAsync(client);
        (string, PartitionKey)[] items = [.. Enumerable.Range(0, 9).Select(i => ($"{i}", new PartitionKey($"k{i}")))];
        await container.ReadManyItemsAsync<Item>(items, cancellationToken: Token);
        IReadOnlyList<FeedRange> ranges = await container.GetFeedRangesAsync(Token);
        using CosmosClient other = AccountClients.Create(Account, mode);
        await other.GetContainer(container.Database.Id, container.Id).DeleteContainerAsync(cancellationToken: Token);
        CosmosException gone = await Assert.ThrowsAsync<CosmosException>(
            () => container.ReadManyItemsAsync<Item>(items, cancellationToken: Token));
        Container again = await AccountClients.CreateContainerAsync(
            other, 10_000,
            new ContainerProperties(container.Id, "/pk") { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 });
        foreach ((string id, PartitionKey key) in items)
            await again.AddAsync(new Item { Id = id, Key = $"k{id}" });

        var found = new List<string>();
        foreach (FeedRange range in ranges)
        {
            found.AddRange(await ListAsync(
                container.GetItemQueryIterator<Item>(range, new QueryDefinition("SELECT * FROM c")), item => item.Id));
        }

        FeedResponse<Item> many = await container.ReadManyItemsAsync<Item>(items, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.NotFound, gone.StatusCode);
        Assert.Contains("Resource Not Found", gone.Message, StringComparison.Ordinal);
        Assert.Equal(items.Length, many.Count);
        Assert.Equal(items.Select(item => item.Item1), found.Order());
    }

    private static async Task<List<string>> ListAsync<T>(FeedIterator<T> iterator, Func<T, string> name)
    {
        var names = new List<string>();
        using (iterator)
        {
            names.AddRange((await iterator.ReadAllAsync()).Select(name));
        }

        return names;
    }
}
