using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>What the SDK is charged for operations of each kind.</summary>
public sealed class ChargeTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>By hand: 4.95 RU for each document written or removed, 0.2 an index entry, 0.4 an operation of a patch.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_OfASmallDocument_CostWhatTheyWriteAndTheIndexEntriesTheyChange(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        double created = (await container.CreateItemAsync(Document(1, 2), Key, cancellationToken: Token)).RequestCharge;
        double replaced = (await container.ReplaceItemAsync(Document(1, 3), "1", Key, cancellationToken: Token)).RequestCharge;
        double upserted = (await container.UpsertItemAsync(Document(1, 3), Key, cancellationToken: Token)).RequestCharge;
        double patched = (await container.PatchItemAsync<JObject>(
            "1", Key, [PatchOperation.Set("/n", 5), PatchOperation.Set("/m", 6)], cancellationToken: Token)).RequestCharge;
        double deleted = (await container.DeleteItemAsync<JObject>("1", Key, cancellationToken: Token)).RequestCharge;

        Assert.Equal((5.55, 10.3, 9.9, 11.5, 5.55), (created, replaced, upserted, patched, deleted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Batch_CostsTheSumOfItsOperations(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        await container.CreateItemAsync(Document(1, 2), Key, cancellationToken: Token);

        using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(Key)
            .ReadItem("1").ReplaceItem("1", Document(7, 2)).DeleteItem("1").CreateItem(Document(1, 2)).ExecuteAsync(Token);

        Assert.True(batch.IsSuccessStatusCode);
        Assert.Equal(1 + 10.3 + 5.55 + 5.55, batch.RequestCharge, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feeds_CostThePointReadsOfWhatTheyReturn(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        int[] sizes = [100, 3_000, 9_000, 70_000];
        double reads = 0;
        for (int i = 0; i < sizes.Length; i++)
        {
            byte[] body = Encoding.UTF8.GetBytes($$"""{"id":"{{i}}","pk":"k","text":"{{new string('x', sizes[i])}}"}""");
            using ResponseMessage created = await container.CreateItemStreamAsync(new MemoryStream(body), Key, cancellationToken: Token);
            Assert.True(created.IsSuccessStatusCode);
            reads += ChargeModel.Documented.Read(body.Length);
        }

        using FeedIterator<JObject> readFeed = container.GetItemQueryIterator<JObject>(
            requestOptions: new QueryRequestOptions { PartitionKey = Key });
        using FeedIterator<JObject> changeFeed = container.GetChangeFeedIterator<JObject>(
            ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(Key)), ChangeFeedMode.LatestVersion);
        FeedResponse<JObject> many = await container.ReadManyItemsAsync<JObject>(
            [.. Enumerable.Range(0, sizes.Length).Select(i => ($"{i}", Key))], cancellationToken: Token);

        Assert.Equal(reads, (await readFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(reads, (await changeFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(sizes.Length, many.Count);
        Assert.Equal(reads, many.RequestCharge, 6);
        // Nothing new: a smallest read.
        Assert.Equal(1, (await changeFeed.ReadNextAsync(Token)).RequestCharge);
    }

    /// <summary>Whether or not the client permits a scan, as the service does it.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfAPathThatIsNotIndexed_CostsAScan(ConnectionMode mode)
    {
        var properties = new ContainerProperties { PartitionKeyPath = "/pk" };
        properties.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = "/*" });
        properties.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/m/?" });
        Container container = await CreateContainerAsync(mode, properties: properties);
        for (int i = 0; i < 40; i++)
        {
            JObject document = Document(i, i);
            document["id"] = $"{i}";
            document["text"] = new string('x', 2_000);
            await container.CreateItemAsync(document, Key, cancellationToken: Token);
        }

        double indexed = await ChargeAsync("SELECT * FROM c WHERE c.n = 3", scan: false);
        double scanned = await ChargeAsync("SELECT * FROM c WHERE c.m = 3", scan: false);

        // 39 more documents of 2 KB, less a look-up in the index.
        Assert.True(scanned > indexed + 1, $"{scanned} > {indexed}");
        Assert.Equal(scanned, await ChargeAsync("SELECT * FROM c WHERE c.m = 3", scan: true), 6);
        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => ChargeAsync("SELECT * FROM c ORDER BY c.m", scan: true));
        Assert.Equal(System.Net.HttpStatusCode.BadRequest, e.StatusCode);
        Assert.Contains("order-by item is excluded", e.Message, StringComparison.Ordinal);

        async Task<double> ChargeAsync(string query, bool scan)
        {
            using FeedIterator<JObject> iterator = container.GetItemQueryIterator<JObject>(
                query, requestOptions: new QueryRequestOptions { PartitionKey = Key, EnableScanInQuery = scan });
            FeedResponse<JObject> page = await iterator.ReadNextAsync(Token);
            Assert.Equal("3", (string?)Assert.Single(page)["id"]);
            return page.RequestCharge;
        }
    }

    [Fact]
    public async Task Account_WithChargesOfItsOwn_ChargesThem()
    {
        SimulationSpec simulation = RunSpecReader.Read(
            """
            {"simulation":{"latency":"none","physicalPartitions":1,"charges":{
              "readPoints":[{"bytes":1024,"requestUnits":3},{"bytes":2048,"requestUnits":4}],
              "writePoints":[{"bytes":1024,"requestUnits":7},{"bytes":2048,"requestUnits":8}],
              "perIndexedTerm":1,"perPatchedProperty":2,"perQueryPage":10,"perIndexLookup":5,"loadedShare":0,"returnedShare":0}}}
            """).Value!.Simulation!;
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(SimulatedAccountOptions.From(simulation, 1), Token);
        using CosmosClient client = AccountClients.Create(account, ConnectionMode.Direct);
        Container container = await AccountClients.CreateContainerAsync(client);

        double created = (await container.CreateItemAsync(Document(1, 2), Key, cancellationToken: Token)).RequestCharge;
        double read = (await container.ReadItemAsync<JObject>("1", Key, cancellationToken: Token)).RequestCharge;
        double patched = (await container.PatchItemAsync<JObject>(
            "1", Key, [PatchOperation.Set("/n", 5)], cancellationToken: Token)).RequestCharge;
        using FeedIterator<JObject> query = container.GetItemQueryIterator<JObject>(
            "SELECT * FROM c WHERE c.n = 5 ORDER BY c.m", requestOptions: new QueryRequestOptions { PartitionKey = Key });
        double queried = (await query.ReadNextAsync(Token)).RequestCharge;

        // 7 and three terms; 3; twice 7, two terms and one property; a page, a condition and an ORDER BY.
        Assert.Equal((10, 3, 18, 20), (created, read, patched, queried));
        OperationLedger totals = account.ReadLedger().Operations;
        Assert.Equal(
            (created, read, patched, queried),
            (totals.Create.RequestUnits, totals.Read.RequestUnits, totals.Patch.RequestUnits, totals.Query.RequestUnits));
    }

    private static JObject Document(int n, int m) => JObject.Parse($$"""{"id":"1","pk":"k","n":{{n}},"m":{{m}}}""");
}
