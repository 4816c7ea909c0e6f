using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class HierarchicalKeyTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Operations_WithWholeKeys_FindTheDocument(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode);
        await FillAsync(container);
        PartitionKey key = Key("t1", "u2", 5);

        ItemResponse<JObject> read = await container.ReadItemAsync<JObject>("5", key, cancellationToken: Token);
        ItemResponse<JObject> upserted = await container.UpsertItemAsync(Item(5, value: 7), key, cancellationToken: Token);
        ItemResponse<JObject> replaced = await container.ReplaceItemAsync(Item(5, value: 8), "5", key, cancellationToken: Token);
        ItemResponse<JObject> patched = await container.PatchItemAsync<JObject>(
            "5", key, [PatchOperation.Increment("/value", 1)], cancellationToken: Token);
        using TransactionalBatchResponse batch = await container.CreateTransactionalBatch(key)
            .ReadItem("5").CreateItem(Item(5, id: "5b")).ExecuteAsync(Token);
        using ResponseMessage elsewhere = await container.ReadItemStreamAsync("5", Key("t1", "u2", 11), cancellationToken: Token);
        ItemResponse<JObject> deleted = await container.DeleteItemAsync<JObject>("5", key, cancellationToken: Token);

        Assert.Equal("t1", (string)read.Resource["tenant"]!);
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.OK), (upserted.StatusCode, replaced.StatusCode));
        Assert.Equal(9, (int)patched.Resource["value"]!);
        Assert.Equal(HttpStatusCode.OK, batch.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, elsewhere.StatusCode);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(24, ledger.DocumentCount);
        Assert.True(ledger.Partitions.Count(partition => partition.Documents > 0) > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfAPrefix_ReturnsWhatBeginsWithIt(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode);
        await FillAsync(container);

        Assert.Equal(Ids(i => i % 2 == 1), await QueryAsync(container, Key("t1")));
        Assert.Equal(Ids(i => i % 2 == 1 && i % 3 == 2), await QueryAsync(container, Key("t1", "u2")));
        Assert.Equal("5", Assert.Single(await QueryAsync(container, Key("t1", "u2", 5))));
        Assert.Empty(await QueryAsync(container, Key("t3")));
        Assert.Equal(Ids(_ => true), await QueryAsync(container, null));
        Assert.Equal("4", Assert.Single(await QueryAsync(container, Key("t1"), "SELECT VALUE COUNT(1) FROM c WHERE c.user = 'u2'")));

        static string[] Ids(Func<int, bool> isIn) =>
            [.. Enumerable.Range(0, 24).Where(isIn).Select(i => $"{i}").Order(StringComparer.Ordinal)];
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Bulk_RoutesAsTheClientDoes_AlsoBehindASplit(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode, bulk: true);
        await FillAsync(container);
        for (int partition = 0; partition < 4; partition++)
            await SplitAsync(container, partition);

        await Task.WhenAll(Enumerable.Range(0, 24).Select(
            i => container.ReplaceItemAsync(Item(i, value: 1), $"{i}", KeyOf(i), cancellationToken: Token)));

        Assert.Equal(24, (await QueryAsync(container, null, "SELECT * FROM c WHERE c.value = 1")).Length);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task PrefixesAndFeedRanges_BehindSplits_AddUpToTheWhole(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode);
        await FillAsync(container);
        IReadOnlyList<FeedRange> before = await container.GetFeedRangesAsync(Token);
        for (int partition = 0; partition < 4; partition++)
            await SplitAsync(container, partition);

        foreach (IReadOnlyList<FeedRange> ranges in (IReadOnlyList<FeedRange>[])[before, await container.GetFeedRangesAsync(Token)])
        {
            var found = new List<string>();
            foreach (FeedRange range in ranges)
            {
                using FeedIterator<JObject> pages = container.GetItemQueryIterator<JObject>(range, new QueryDefinition("SELECT * FROM c"));
                found.AddRange((await pages.ReadAllAsync()).Select(item => (string)item["id"]!));
            }

            Assert.Equal(Enumerable.Range(0, 24).Select(i => $"{i}").Order(), found.Order());
        }

        Assert.Equal(12, (await QueryAsync(container, Key("t0"))).Length);
        Assert.Equal(12, (await QueryAsync(container, Key("t1"))).Length);
        Assert.Equal(4, (await QueryAsync(container, Key("t1", "u2"))).Length);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task DocumentWithoutAValue_HasTheKeyWithoutIt(ConnectionMode mode)
    {
        Container container = await CreateAsync(mode);
        PartitionKey key = new PartitionKeyBuilder().Add("t").AddNoneType().AddNullValue().Build();

        await container.CreateItemAsync(JObject.Parse("""{"id":"1","tenant":"t","session":{"id":null}}"""), key, cancellationToken: Token);
        using ResponseMessage read = await container.ReadItemStreamAsync("1", key, cancellationToken: Token);

        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    [Fact]
    public async Task Write_WithAShortOrAnotherKey_Is400()
    {
        Container container = await CreateAsync(ConnectionMode.Gateway);
        foreach (string key in (string[])["""["t1"]""", """["t1","u1",6]""", """["t1","u1",1,1]""", "[]", """[["t1"],"u1",1]"""])
        {
            using HttpResponseMessage response = await SendAsync(
                HttpMethod.Post, $"dbs/tests/colls/{container.Id}/docs", Item(1).ToString(), ("x-ms-documentdb-partitionkey", key));
            Assert.Equal((HttpStatusCode.BadRequest, "1001"), (response.StatusCode, response.Headers.GetValues("x-ms-substatus").Single()));
        }
    }

    [Theory]
    [InlineData("""{"paths":["/a","/b"],"kind":"Hash","version":2}""")]
    [InlineData("""{"paths":["/a","/b"],"kind":"MultiHash","version":1}""")]
    [InlineData("""{"paths":["/a","/b","/c","/d"],"kind":"MultiHash","version":2}""")]
    [InlineData("""{"paths":["/a","b"],"kind":"MultiHash","version":2}""")]
    [InlineData("""{"paths":["/a"],"kind":"Range"}""")]
    public async Task Definition_ThatIsNone_Is400(string definition)
    {
        await CreateContainerAsync();

        using HttpResponseMessage response = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls", $$"""{"id":"h{{Guid.NewGuid():N}}","partitionKey":{{definition}}}""");

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    private static PartitionKey Key(string tenant, string? user = null, int? session = null)
    {
        PartitionKeyBuilder key = new PartitionKeyBuilder().Add(tenant);
        if (user is not null)
            key.Add(user);
        if (session is { } number)
            key.Add(number);
        return key.Build();
    }

    private static PartitionKey KeyOf(int i) => Key($"t{i % 2}", $"u{i % 3}", i);

    private static JObject Item(int i, int value = 0, string? id = null) => JObject.FromObject(
        new { id = id ?? $"{i}", tenant = $"t{i % 2}", user = $"u{i % 3}", session = new { id = i }, value });

    private static async Task FillAsync(Container container) => await Task.WhenAll(Enumerable.Range(0, 24).Select(
        i => container.CreateItemAsync(Item(i), KeyOf(i), cancellationToken: Token)));

    private static async Task<string[]> QueryAsync(Container container, PartitionKey? key, string query = "SELECT * FROM c")
    {
        using FeedIterator<JToken> pages = container.GetItemQueryIterator<JToken>(
            query, requestOptions: new QueryRequestOptions { PartitionKey = key });
        var found = new List<string>();
        found.AddRange((await pages.ReadAllAsync()).Select(one => one is JObject item ? (string)item["id"]! : one.ToString()));
        return [.. found.Order(StringComparer.Ordinal)];
    }

    private Task<Container> CreateAsync(ConnectionMode mode, bool bulk = false) =>
        CreateContainerAsync(mode, bulk, properties: new ContainerProperties { PartitionKeyPaths = ["/tenant", "/user", "/session/id"] });
}
