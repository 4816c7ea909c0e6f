using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The charges of each kind of operation.</summary>
public sealed class ChargeTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>
    /// 104/21 RU for each document written or removed, and 4/21 for each index entry: 9 of the document, 2 of each value that changes, 2 of
    /// the time of the change if it is in another second. A patch costs 0.286 and 0.029 for each of its operations besides.
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
        Assert.Equal((6.67, 6.67), (created, deleted));
        AssertInOneSecondOrTwo(4 * 54, replaced);
        AssertInOneSecondOrTwo(4 * 52, upserted);
        AssertInOneSecondOrTwo(4 * 56, patched, 0.286 + (2 * 0.029));
    }

    /// <summary>The figures of the law (docs/charges.md), over the wire of both modes.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Charges_OfTheLaw_AreWhatTheSdkGets(ConnectionMode mode)
    {
        var time = new ManualTime(DateTimeOffset.UtcNow);
        await using var own = await OwnAccount.StartAsync(mode, new AccountSettings(), time: time);
        var container = own.Container;
        Assert.Equal(6.29, (await container.AddAsync(JObject.Parse("""{"id":"1","pk":"k","name":"a"}"""), Key)).RequestCharge);
        var other = JObject.Parse("""{"id":"1","pk":"k","name":"b"}""");
        time.Advance(TimeSpan.FromSeconds(1));
        // A second later, so that the time of the change differs in any case: 4 x (26 + 26 + 2 + 2) / 21.
        Assert.Equal(10.67, (await container.ReplaceAsync(other, "1", Key)).RequestCharge);
        Assert.Equal(1.48, (await FailsAsync(HttpStatusCode.Conflict, () =>
            container.AddAsync(JObject.Parse("""{"id":"1","pk":"k"}"""), Key))).RequestCharge);
        Assert.Equal(1.57, (await FailsAsync(HttpStatusCode.Conflict, () => container.AddAsync(other, Key))).RequestCharge);
        Assert.Equal(1.24, (await FailsAsync(HttpStatusCode.PreconditionFailed, () => container.ReplaceItemAsync(
            other, "1", Key, new ItemRequestOptions { IfMatchEtag = "\"no\"" }, Token))).RequestCharge);
        Assert.Equal(1.24, (await FailsAsync(HttpStatusCode.NotFound, () => container.DeleteAsync("2", Key))).RequestCharge);
        Assert.Equal(1, (await FailsAsync(HttpStatusCode.NotFound, () => container.ReadAsync<JObject>("2", Key))).RequestCharge);
        using var invalid = await container.AddJsonAsync("""{"pk":"k"}""", Key);
        Assert.Equal((HttpStatusCode.BadRequest, 1.24), (invalid.StatusCode, invalid.Headers.RequestCharge));
        Assert.Equal(6.29, (await container.DeleteAsync("1", Key)).RequestCharge);

        var batch = container.CreateTransactionalBatch(Key);
        for (var i = 0; i < 100; i++)
            batch = batch.CreateItem(JObject.Parse($$"""{"id":"b{{i}}","pk":"k","n":{{i}},"grp":1,"txt":"row"}"""));
        using var done = await batch.ExecuteAsync(Token);
        Assert.Equal(704.76, done.RequestCharge);
    }

    /// <summary>A write costs three entries whatever the paths of a consistent index are, and none without an index.</summary>
    [Theory]
    [InlineData(ConnectionMode.Gateway, true, 5.52)]
    [InlineData(ConnectionMode.Direct, true, 5.52)]
    [InlineData(ConnectionMode.Direct, false, 4.95)]
    public async Task Create_WithoutIndexedPaths_CostsTheRowAndThreeEntries(ConnectionMode mode, bool consistent, double expected)
    {
        var properties = new ContainerProperties { PartitionKeyPath = "/pk" };
        properties.IndexingPolicy.IndexingMode = consistent
            ? Microsoft.Azure.Cosmos.IndexingMode.Consistent : Microsoft.Azure.Cosmos.IndexingMode.None;
        properties.IndexingPolicy.Automatic = consistent;
        if (consistent)
            properties.IndexingPolicy.ExcludedPaths.Add(new ExcludedPath { Path = "/*" });
        var container = await CreateContainerAsync(mode, properties: properties);
        Assert.Equal(expected, (await container.AddAsync(Document(1, 2), Key)).RequestCharge);
    }

    /// <summary>The stored size has no white space and none of the system properties that a client sends back.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_WithWhiteSpaceAndSystemProperties_CostsWhatIsStored(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var space = new string(' ', 2_000);
        using var created = await container.AddJsonAsync(
            $$"""{ "id" : "1",{{space}}"pk":"k", "_etag":"{{new string('e', 700)}}", "list" : [ 1 , { "a" : [ ] } ] }""", Key);

        // pk 2; list 2, its path 1 and two values; a 2, its empty content is one.
        Assert.Equal((26 + 3 + 2 + 2 + 3 + 2) * 4 / 21.0, created.Headers.RequestCharge, 0.005);
        using var read = await container.ReadItemStreamAsync("1", Key, cancellationToken: Token);
        var text = await new StreamReader(read.Content).ReadToEndAsync(Token);
        Assert.StartsWith("""{"id":"1","pk":"k","list":[1,{"a":[]}],"_rid":""", text, StringComparison.Ordinal);
        Assert.DoesNotContain("eee", text, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Charge_Batch_IsTheSumOfItsOperations(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(Document(1, 2), Key);
        using var batch = await container.CreateTransactionalBatch(Key)
            .ReadItem("1").ReplaceItem("1", Document(7, 2)).DeleteItem("1").CreateItem(Document(1, 2)).ExecuteAsync(Token);
        Assert.True(batch.IsSuccessStatusCode);
        // Rounded once: 21 + 4 x (52 + 2) + 2 x 4 x (26 + 9) 21sts.
        AssertInOneSecondOrTwo(21 + (4 * 54) + (2 * 4 * 35), batch.RequestCharge);
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

        Assert.Equal(reads.Rounded().Value, (await readFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(reads.Rounded().Value, (await changeFeed.ReadNextAsync(Token)).RequestCharge, 6);
        Assert.Equal(sizes.Length, many.Count);
        Assert.Equal(reads.Rounded().Value, many.RequestCharge, 6);
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
              "readPoints":[{"bytes":800,"requestUnits":3},{"bytes":1800,"requestUnits":4}],
              "writePoints":[{"bytes":800,"requestUnits":7},{"bytes":1800,"requestUnits":8}],
              "perIndexEntry":1,"perPatchedProperty":2,
              "query":{"page":10,"firstLookup":5,"furtherLookup":2.5,"document":0,"kilobyte":0,"found":0,"wholeKilobyte":0}}}}
            """).Value!.Simulation!;
        await using var own = await OwnAccount.StartAsync(ConnectionMode.Direct, AccountSettings.From(simulation, 1));
        var container = own.Container;
        var created = (await container.AddAsync(Document(1, 2), Key)).RequestCharge;
        var read = (await container.ReadAsync<JObject>("1", Key)).RequestCharge;
        var patched = (await container.PatchAsync("1", Key, PatchOperation.Set("/n", 5))).RequestCharge;
        using var query = container.GetItemQueryIterator<JObject>(
            "SELECT * FROM c WHERE c.n = 5 ORDER BY c.m", requestOptions: new QueryRequestOptions { PartitionKey = Key });
        var queried = (await query.ReadNextAsync(Token)).RequestCharge;

        // Create: 7 and nine entries. Read: 3. Query: a page, a condition, the key, an ORDER BY.
        Assert.Equal((16, 3, 20), (created, read, queried));
        // Patch: twice 7, two entries, 0.286 and one property; two more entries if it is in another second.
        Assert.Contains(patched, (double[])[18.29, 20.29]);
        var totals = own.Account.ReadLedger().Operations;
        Assert.Equal(
            ((double[])[created, read, patched, queried]).Select(RequestUnits.From),
            ((Counts[])[totals.Create, totals.Read, totals.Patch, totals.Query]).Select(kind => kind.RequestUnits));
    }

    /// <summary>A write in a later second than the one before changes the two entries of <c>_ts</c>.</summary>
    private static void AssertInOneSecondOrTwo(int twentyFirsts, double charge, double patch = 0) => Assert.Contains(
        charge,
        ((int[])[twentyFirsts, twentyFirsts + 8]).Select(count =>
            (RequestUnits.FromTwentyFirsts(count) + RequestUnits.From(patch)).Rounded().Value));

    private static JObject Document(int n, int m) => JObject.Parse($$"""{"id":"1","pk":"k","n":{{n}},"m":{{m}}}""");
}
