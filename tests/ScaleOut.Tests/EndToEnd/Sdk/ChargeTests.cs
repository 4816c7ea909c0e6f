using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The charges of each kind of operation.</summary>
public sealed class ChargeTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>
    /// 104/21 RU for each document written or removed, and 4/21 for each index entry: 9 of the document, 2 of each value that changes, and 2
    /// of the time of the change if it is in another second. A patch costs 0.286 and 0.029 for each of its operations besides.
    /// </summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Writes_OfASmallDocument_CostWhatTheyWriteAndTheIndexEntriesTheyChange(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var created = (await container.AddAsync(Document(1, 2), Key)).RequestCharge;
        var replaced = (await container.ReplaceAsync(Document(1, 3), "1", Key)).RequestCharge;
        var upserted = (await container.UpsertAsync(Document(1, 3), Key)).RequestCharge;
        var patched = (await container.PatchAsync("1", Key, PatchOperation.Set("/n", 5), PatchOperation.Set("/m", 6))).RequestCharge;
        var deleted = (await container.DeleteAsync("1", Key)).RequestCharge;
        Assert.Equal((5.91, 10.43, 10.31, 11.76, 5.91), (created, replaced, upserted, patched, deleted));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Charge_Batch_IsTheSumOfItsOperations(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(Document(1, 2), Key);
        using var batch = await container.CreateTransactionalBatch(Key)
            .ReadItem("1").ReplaceItem("1", Document(7, 2)).DeleteItem("1").CreateItem(Document(1, 2)).ExecuteAsync(Token);
        Assert.True(batch.IsSuccessStatusCode);
        Assert.Equal(1 + 10.43 + 5.91 + 5.91, batch.RequestCharge, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Charge_Feed_IsThePointReadsOfWhatItReturns(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        int[] sizes = [100, 3_000, 9_000, 70_000];
        var reads = RequestUnits.Zero;
        for (var i = 0; i < sizes.Length; i++)
        {
            var json = $$"""{"id":"{{i}}","pk":"k","text":"{{new string('x', sizes[i])}}"}""";
            using var created = await container.AddJsonAsync(json, Key);
            Assert.True(created.IsSuccessStatusCode);
            reads += ChargeModel.Default.Read(json.Length);
        }

        using var readFeed = container.GetItemQueryIterator<JObject>(requestOptions: new QueryRequestOptions { PartitionKey = Key });
        using var changeFeed = container.GetChangeFeedIterator<JObject>(
            ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(Key)), ChangeFeedMode.LatestVersion);
        var many = await container.ReadManyItemsAsync<JObject>(
            [.. Enumerable.Range(0, sizes.Length).Select(i => ($"{i}", Key))], cancellationToken: Token);

        Assert.Equal(reads.Rounded.Value, (await readFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(reads.Rounded.Value, (await changeFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(sizes.Length, many.Count);
        Assert.Equal(reads.Rounded.Value, many.RequestCharge, 6);
        // A page without changes costs the smallest read.
        Assert.Equal(1, (await changeFeed.ReadNextAsync(Token)).RequestCharge);
    }

    /// <summary>As on the service, this does not depend on the client's permission to scan.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfAPathThatIsNotIndexed_CostsAScan(ConnectionMode mode)
    {
        var properties = new ContainerProperties { PartitionKeyPath = "/pk" };
        properties.IndexingPolicy.IncludedPaths.Add(new IncludedPath { Path = "/*" });
        properties.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/m/?" });
        var container = await CreateContainerAsync(mode, properties: properties);
        for (var i = 0; i < 40; i++)
        {
            var document = Document(i, i);
            document["id"] = $"{i}";
            document["text"] = new string('x', 2_000);
            await container.AddAsync(document, Key);
        }

        var indexed = await ChargeAsync("SELECT * FROM c WHERE c.n = 3", scan: false);
        var scanned = await ChargeAsync("SELECT * FROM c WHERE c.m = 3", scan: false);

        // The scan loads 39 more documents of 2 KB and saves a look-up in the index.
        Assert.True(scanned > indexed + 1, $"{scanned} > {indexed}");
        Assert.Equal(scanned, await ChargeAsync("SELECT * FROM c WHERE c.m = 3", scan: true), 6);
        var e = await FailsAsync(HttpStatusCode.BadRequest, () => ChargeAsync("SELECT * FROM c ORDER BY c.m", scan: true));
        Assert.Contains("order-by item is excluded", e.Message, StringComparison.Ordinal);

        async Task<double> ChargeAsync(string query, bool scan)
        {
            using var iterator = container.GetItemQueryIterator<JObject>(
                query, requestOptions: new QueryRequestOptions { PartitionKey = Key, EnableScanInQuery = scan });
            var page = await iterator.ReadNextAsync(Token);
            Assert.Equal("3", (string?)Assert.Single(page)["id"]);
            return page.RequestCharge;
        }
    }

    [Fact]
    public async Task Account_WithChargesOfItsOwn_ChargesThem()
    {
        var simulation = RunSpecReader.Read(
            """
            {"simulation":{"latency":"none","physicalPartitions":1,"charges":{
              "readPoints":[{"bytes":1024,"requestUnits":3},{"bytes":2048,"requestUnits":4}],
              "writePoints":[{"bytes":1024,"requestUnits":7},{"bytes":2048,"requestUnits":8}],
              "perIndexedTerm":1,"perPatchedProperty":2,"perQueryPage":10,"perIndexLookup":5,"loadedShare":0,"returnedShare":0}}}
            """).Value!.Simulation!;
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Direct, SimulatedAccountOptions.From(simulation, 1));
        var container = own.Container;
        var created = (await container.AddAsync(Document(1, 2), Key)).RequestCharge;
        var read = (await container.ReadAsync<JObject>("1", Key)).RequestCharge;
        var patched = (await container.PatchAsync("1", Key, PatchOperation.Set("/n", 5))).RequestCharge;
        using var query = container.GetItemQueryIterator<JObject>(
            "SELECT * FROM c WHERE c.n = 5 ORDER BY c.m", requestOptions: new QueryRequestOptions { PartitionKey = Key });
        var queried = (await query.ReadNextAsync(Token)).RequestCharge;

        // Create: 7 and three terms. Read: 3. Patch: twice 7, two terms, one property. Query: a page, a condition, an ORDER BY.
        Assert.Equal((10, 3, 18, 20), (created, read, patched, queried));
        var totals = own.Account.ReadLedger().Operations;
        Assert.Equal(
            (created, read, patched, queried),
            (totals.Create.RequestUnits, totals.Read.RequestUnits, totals.Patch.RequestUnits, totals.Query.RequestUnits));
    }

    private static JObject Document(int n, int m) => JObject.Parse($$"""{"id":"1","pk":"k","n":{{n}},"m":{{m}}}""");
}
