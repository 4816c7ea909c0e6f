using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ConsistencyTests : SdkTests
{
    private const int Documents = 50;

    [Theory]
    [InlineData(ConsistencyLevel.Strong, 2)]
    [InlineData(ConsistencyLevel.BoundedStaleness, 2)]
    [InlineData(ConsistencyLevel.Session, 1)]
    [InlineData(ConsistencyLevel.ConsistentPrefix, 1)]
    [InlineData(ConsistencyLevel.Eventual, 1)]
    public async Task Read_OfEachLevel_AsksAsManyReplicasAsItNeeds(ConsistencyLevel level, int replicas)
    {
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Direct, new AccountSettings { PhysicalPartitions = 2, Consistency = level });
        // Reads run beside writes, so that replicas are at different positions.
        await Task.WhenAll(Enumerable.Range(0, Documents).Select(async i =>
        {
            var created = await own.Container.AddAsync(new Item { Id = $"{i}", Key = $"k{i}", Value = i });
            var read = await own.Container.ReadAsync($"{i}", new PartitionKey($"k{i}"));
            Assert.Equal((HttpStatusCode.Created, i), (created.StatusCode, read.Resource.Value));
            Assert.Equal(replicas, read.RequestCharge);
        }));

        Assert.Equal([Documents], await own.Container.QueryAsync<int>("SELECT VALUE COUNT(1) FROM c"));
        Assert.Equal(Documents * replicas, own.Account.ReadLedger().Operations.Read.RequestUnits.Value);
    }

    /// <summary>The gateway asks both replicas itself, so one request has the charge of both.</summary>
    [Theory]
    [InlineData(ConsistencyLevel.Strong, null, 2)]
    [InlineData(ConsistencyLevel.BoundedStaleness, null, 2)]
    [InlineData(ConsistencyLevel.Strong, ConsistencyLevel.Session, 1)]
    [InlineData(ConsistencyLevel.Session, null, 1)]
    public async Task Charge_OverTheGateway_IsOfAllReplicasAsked(ConsistencyLevel level, ConsistencyLevel? asked, int replicas)
    {
        await using var own = await OwnAccount.StartAsync(
            ConnectionMode.Gateway, new AccountSettings { PhysicalPartitions = 1, Consistency = level });
        var container = own.Container;
        var key = new PartitionKey("k");
        Microsoft.Azure.Cosmos.ConsistencyLevel? consistency = asked is { } one
            ? Enum.Parse<Microsoft.Azure.Cosmos.ConsistencyLevel>(one.ToString()) : null;

        var created = await container.AddAsync(new Item { Id = "1", Key = "k" });
        var read = await container.ReadItemAsync<Item>("1", key, new ItemRequestOptions { ConsistencyLevel = consistency }, Token);
        using var query = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c WHERE c.id = 'none'",
            requestOptions: new QueryRequestOptions { PartitionKey = key, ConsistencyLevel = consistency });
        using var batch = await container.CreateTransactionalBatch(key).ReadItem("1").ExecuteAsync(Token);

        // The row of 1 KB, and nine index entries.
        Assert.Equal(6.67, created.RequestCharge);
        Assert.Equal(replicas, read.RequestCharge);
        Assert.Equal(replicas * RequestCharges.Default.QueryPage(2, 0).Value, (await query.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(level <= ConsistencyLevel.BoundedStaleness ? 2 : 1, batch.RequestCharge);
    }
}
