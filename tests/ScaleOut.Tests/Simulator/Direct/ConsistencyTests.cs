using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;

namespace ScaleOut.Tests.Simulator.Direct;

public sealed class ConsistencyTests
{
    private const int Documents = 50;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(ConsistencyLevel.Strong, 2)]
    [InlineData(ConsistencyLevel.BoundedStaleness, 2)]
    [InlineData(ConsistencyLevel.Session, 1)]
    [InlineData(ConsistencyLevel.ConsistentPrefix, 1)]
    [InlineData(ConsistencyLevel.Eventual, 1)]
    public async Task Account_OfEachLevel_IsReadFromAsManyReplicasAsItPromises(ConsistencyLevel level, int replicas)
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 2, Consistency = level }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client);

        // Writes go on while it is read, so that replicas are met at different positions.
        await Task.WhenAll(Enumerable.Range(0, Documents).Select(async i =>
        {
            var key = new PartitionKey($"k{i}");
            ItemResponse<Item> created = await container.AddAsync(new Item { Id = $"{i}", Key = $"k{i}", Value = i });
            ItemResponse<Item> read = await container.ReadItemAsync<Item>($"{i}", key, cancellationToken: Token);
            Assert.Equal((HttpStatusCode.Created, i), (created.StatusCode, read.Resource.Value));
            Assert.Equal(replicas, read.RequestCharge);
        }));

        using FeedIterator<int> count = container.GetItemQueryIterator<int>("SELECT VALUE COUNT(1) FROM c");
        Assert.Equal(Documents, (await count.ReadNextAsync(Token)).Single());
        Assert.Equal(Documents * replicas, account.ReadLedger().Operations.Read.RequestUnits);
    }

    /// <summary>The gateway asks both replicas itself, so the charge of one request is theirs together.</summary>
    [Theory]
    [InlineData(ConsistencyLevel.Strong, null, 2)]
    [InlineData(ConsistencyLevel.BoundedStaleness, null, 2)]
    [InlineData(ConsistencyLevel.Strong, ConsistencyLevel.Session, 1)]
    [InlineData(ConsistencyLevel.Session, null, 1)]
    public async Task Charge_OverTheGateway_IsThatOfAsManyReplicas(ConsistencyLevel level, ConsistencyLevel? asked, int replicas)
    {
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 1, Consistency = level }, Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Gateway);
        Container container = await AccountClients.CreateContainerAsync(client);
        var key = new PartitionKey("k");
        Microsoft.Azure.Cosmos.ConsistencyLevel? consistency = asked is { } one
            ? Enum.Parse<Microsoft.Azure.Cosmos.ConsistencyLevel>(one.ToString()) : null;

        ItemResponse<Item> created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        ItemResponse<Item> read = await container.ReadItemAsync<Item>(
            "1", key, new ItemRequestOptions { ConsistencyLevel = consistency }, Token);
        using FeedIterator<Item> query = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c WHERE c.id = 'none'",
            requestOptions: new QueryRequestOptions { PartitionKey = key, ConsistencyLevel = consistency });
        using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(key).ReadItem("1").ExecuteAsync(Token);

        // 1 KB and three indexed terms.
        Assert.Equal(5.55, created.RequestCharge);
        Assert.Equal(replicas, read.RequestCharge);
        Assert.Equal(replicas * RequestCharges.Documented.QueryPage(1, 0).Value, (await query.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(level <= ConsistencyLevel.BoundedStaleness ? 2 : 1, batch.RequestCharge);
    }
}
