using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = Microsoft.Azure.Cosmos.ConsistencyLevel;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ContainerTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Account_Read_ReportsItsConsistencyAndRegion(ConnectionMode mode)
    {
        var account = await Client(mode).ReadAccountAsync();
        Assert.Equal(ConsistencyLevel.Session, account.Consistency.DefaultConsistencyLevel);
        Assert.Single(account.WritableRegions);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Database_CreateReadListDelete_Works(ConnectionMode mode)
    {
        var client = Client(mode);
        var name = $"db {Guid.NewGuid():N} ü";
        var created = await client.CreateDatabaseAsync(name, cancellationToken: Token);
        await FailsAsync(HttpStatusCode.Conflict, () => client.CreateDatabaseAsync(name, cancellationToken: Token));
        var read = await created.Database.ReadAsync(cancellationToken: Token);
        var names = await ListAsync(client.GetDatabaseQueryIterator<DatabaseProperties>(), database => database.Id);
        var found = await ListAsync(
            client.GetDatabaseQueryIterator<DatabaseProperties>(
                new QueryDefinition("SELECT * FROM c WHERE c.id = @id").WithParameter("@id", name)), database => database.Id);
        var deleted = await read.Database.DeleteAsync(cancellationToken: Token);

        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(name, read.Resource.Id);
        Assert.Contains(name, names);
        Assert.Equal([name], found);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        await FailsAsync(HttpStatusCode.NotFound, () => read.Database.ReadAsync(cancellationToken: Token));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_CreateReadListReplaceDelete_Works(ConnectionMode mode)
    {
        Database database = await Client(mode).CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
        var properties = new ContainerProperties("c", "/a/b") { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 };
        properties.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = "/*" });
        properties.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/text/?" });
        var created = await database.CreateContainerAsync(properties, 400, cancellationToken: Token);
        var existing = await database.CreateContainerIfNotExistsAsync(properties, cancellationToken: Token);
        var read = await created.Container.PropertiesAsync();
        var names = await ListAsync(database.GetContainerQueryIterator<ContainerProperties>(), container => container.Id);
        read.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/more/*" });
        var replaced = (await created.Container.ReplaceContainerAsync(read, cancellationToken: Token)).Resource;
        var deleted = await created.Container.DeleteContainerAsync(cancellationToken: Token);

        Assert.Equal((HttpStatusCode.Created, HttpStatusCode.OK), (created.StatusCode, existing.StatusCode));
        Assert.Equal(("/a/b", PartitionKeyDefinitionVersion.V2), (read.PartitionKeyPath, read.PartitionKeyDefinitionVersion));
        Assert.Equal(["/text/?", "/\"_etag\"/?", "/more/*"], replaced.IndexingPolicy.ExcludedPaths.Select(path => path.Path));
        Assert.Contains("c", names);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        await FailsAsync(HttpStatusCode.NotFound, created.Container.PropertiesAsync);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DefinitionWithoutVersion_IsVersion1(ConnectionMode mode)
    {
        Database database = await Client(mode).CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
        var created = await database.CreateContainerAsync(
            new ContainerProperties($"c-{Guid.NewGuid():N}", "/pk"), cancellationToken: Token);
        Assert.NotEqual(PartitionKeyDefinitionVersion.V2, created.Resource.PartitionKeyDefinitionVersion);
        Assert.Equal(400, await created.Container.ReadThroughputAsync(Token));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_BadDefinition_IsBadRequest(ConnectionMode mode)
    {
        Database database = await Client(mode).CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
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

        foreach (var attempt in attempts)
            await FailsAsync(HttpStatusCode.BadRequest, () => attempt);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Throughput_ReadAndReplace_RescalesThePartitions(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, throughput: 4_000);
        var before = await container.ReadThroughputAsync(Token);
        await container.ReplaceThroughputAsync(8_000, cancellationToken: Token);
        var after = await container.ReadThroughputAsync(Token);
        var full = await container.ReadThroughputAsync(new RequestOptions(), Token);
        Assert.Equal((4_000, 8_000, 400), (before, after, full.MinThroughput));
        Assert.All(LedgerOf(container).Partitions, partition => Assert.Equal(2_000, partition.BudgetPerSecond));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Throughput_Autoscale_HasItsMaximumAsBudget(ConnectionMode mode)
    {
        Database database = await Client(mode).CreateDatabaseIfNotExistsAsync("containers", cancellationToken: Token);
        Container container = await database.CreateContainerAsync(
            new ContainerProperties($"c-{Guid.NewGuid():N}", "/pk"), ThroughputProperties.CreateAutoscaleThroughput(4_000),
            cancellationToken: Token);
        var created = await container.ReadThroughputAsync(new RequestOptions(), Token);
        await container.ReplaceThroughputAsync(ThroughputProperties.CreateAutoscaleThroughput(10_000), cancellationToken: Token);
        var replaced = await container.ReadThroughputAsync(new RequestOptions(), Token);
        Assert.Equal((4_000, 10_000), (created.Resource.AutoscaleMaxThroughput, replaced.Resource.AutoscaleMaxThroughput));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DeletedAndCreatedAgain_IsFoundByTheSameClient(ConnectionMode mode)
    {
        var client = Client(mode);
        var container = await AccountClients.CreateContainerAsync(client);
        var key = new PartitionKey("k");
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await container.GetFeedRangesAsync(Token);
        await container.DeleteContainerAsync(cancellationToken: Token);
        using var orphan = await container.AddJsonAsync("""{"id":"2","pk":"k"}""", key);
        await container.Database.CreateContainerAsync(AccountClients.Keyed("/pk", id: container.Id), cancellationToken: Token);

        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var read = await container.ReadAsync("1", key);

        Assert.Equal(
            (HttpStatusCode.NotFound, HttpStatusCode.Created, HttpStatusCode.OK), (orphan.StatusCode, created.StatusCode, read.StatusCode));
    }

    /// <summary>A client that knows the older container's ranges asks for those of the newer one.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Container_DeletedAndCreatedAgain_IsReadByReadManyAndByRanges(ConnectionMode mode)
    {
        var client = Client(mode);
        var container = await AccountClients.CreateContainerAsync(client);
        (string, PartitionKey)[] items = [.. Enumerable.Range(0, 9).Select(i => ($"{i}", new PartitionKey($"k{i}")))];
        await container.ReadManyItemsAsync<Item>(items, cancellationToken: Token);
        var ranges = await container.GetFeedRangesAsync(Token);
        using var other = AccountClients.Create(Account, mode);
        await other.GetContainer(container.Database.Id, container.Id).DeleteContainerAsync(cancellationToken: Token);
        var gone = await FailsAsync(HttpStatusCode.NotFound, () => container.ReadManyItemsAsync<Item>(items, cancellationToken: Token));
        var again = await AccountClients.CreateContainerAsync(other, 10_000, AccountClients.Keyed("/pk", id: container.Id));
        foreach ((var id, var key) in items)
            await again.AddAsync(new Item { Id = id, Key = $"k{id}" });

        var found = new List<string>();
        foreach (var range in ranges)
        {
            using var pages = container.GetItemQueryIterator<Item>(range, new QueryDefinition("SELECT * FROM c"));
            found.AddRange((await pages.ReadAllAsync()).Select(item => item.Id));
        }

        var many = await container.ReadManyItemsAsync<Item>(items, cancellationToken: Token);

        Assert.Contains("Resource Not Found", gone.Message, StringComparison.Ordinal);
        Assert.Equal(items.Length, many.Count);
        Assert.Equal(items.Select(item => item.Item1), found.Order());
    }

    private static async Task<List<string>> ListAsync<T>(FeedIterator<T> iterator, Func<T, string> name)
    {
        using var _ = iterator;
        return [.. (await iterator.ReadAllAsync()).Select(name)];
    }
}
