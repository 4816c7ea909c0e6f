using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class HierarchicalKeyTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Operations_WithWholeKeys_FindTheDocument(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var key = Key("t1", "u2", 5);
        var read = await container.ReadAsync<JObject>("5", key);
        var upserted = await container.UpsertAsync(Item(5, value: 7), key);
        var replaced = await container.ReplaceAsync(Item(5, value: 8), "5", key);
        var patched = await container.PatchAsync("5", key, PatchOperation.Increment("/value", 1));
        using var batch = await container.CreateTransactionalBatch(key)
            .ReadItem("5").CreateItem(Item(5, id: "5b")).ExecuteAsync(Token);
        using var elsewhere = await container.ReadItemStreamAsync("5", Key("t1", "u2", 11), cancellationToken: Token);
        var deleted = await container.DeleteAsync("5", key);

        Assert.Equal("t1", (string)read.Resource["tenant"]!);
        Assert.Equal(
            (HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.OK), (upserted.StatusCode, replaced.StatusCode, batch.StatusCode));
        Assert.Equal(9, (int)patched.Resource["value"]!);
        Assert.Equal((HttpStatusCode.NotFound, HttpStatusCode.NoContent), (elsewhere.StatusCode, deleted.StatusCode));
        var ledger = LedgerOf(container);
        Assert.Equal(24, ledger.DocumentCount);
        Assert.True(ledger.Partitions.Count(partition => partition.Documents > 0) > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfAPrefix_ReturnsDocumentsWithIt(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
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
    public async Task Bulk_RoutesAsTheClientDoes_AlsoAfterASplit(ConnectionMode mode)
    {
        var container = await FillAsync(mode, bulk: true);
        await SplitAllAsync(container);
        await Task.WhenAll(Enumerable.Range(0, 24).Select(i => container.ReplaceAsync(Item(i, value: 1), $"{i}", KeyOf(i))));
        Assert.Equal(24, (await QueryAsync(container, null, "SELECT * FROM c WHERE c.value = 1")).Length);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task PrefixesAndFeedRanges_AfterSplits_ReturnEveryDocumentOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var before = await container.GetFeedRangesAsync(Token);
        await SplitAllAsync(container);
        foreach (var ranges in (IReadOnlyList<FeedRange>[])[before, await container.GetFeedRangesAsync(Token)])
        {
            var found = new List<string>();
            foreach (var range in ranges)
            {
                using var pages = container.GetItemQueryIterator<JObject>(range, new QueryDefinition("SELECT * FROM c"));
                found.AddRange((await pages.ReadAllAsync()).Select(item => (string)item["id"]!));
            }

            Assert.Equal(Enumerable.Range(0, 24).Select(i => $"{i}").Order(), found.Order());
        }

        Assert.Equal(12, (await QueryAsync(container, Key("t0"))).Length);
        Assert.Equal(12, (await QueryAsync(container, Key("t1"))).Length);
        Assert.Equal(4, (await QueryAsync(container, Key("t1", "u2"))).Length);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_DocumentWithoutAValue_HasAKeyWithoutIt(ConnectionMode mode)
    {
        var container = await CreateAsync(mode);
        var key = new PartitionKeyBuilder().Add("t").AddNoneType().AddNullValue().Build();
        await container.AddAsync(JObject.Parse("""{"id":"1","tenant":"t","session":{"id":null}}"""), key);
        using var read = await container.ReadItemStreamAsync("1", key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    [Fact]
    public async Task Write_WithAPartialOrAnotherKey_Is400()
    {
        var container = await CreateAsync(ConnectionMode.Gateway);
        foreach (var key in (string[])["""["t1"]""", """["t1","u1",6]""", """["t1","u1",1,1]""", "[]", """[["t1"],"u1",1]"""])
        {
            using var response = await SendAsync(
                HttpMethod.Post, DocumentsOf(container), Item(1).ToString(), ("x-ms-documentdb-partitionkey", key));
            Assert.Equal((HttpStatusCode.BadRequest, "1001"), (response.StatusCode, response.Headers.GetValues("x-ms-substatus").Single()));
        }
    }

    [Theory]
    [InlineData("""{"paths":["/a","/b"],"kind":"Hash","version":2}""")]
    [InlineData("""{"paths":["/a","/b"],"kind":"MultiHash","version":1}""")]
    [InlineData("""{"paths":["/a","/b","/c","/d"],"kind":"MultiHash","version":2}""")]
    [InlineData("""{"paths":["/a","b"],"kind":"MultiHash","version":2}""")]
    [InlineData("""{"paths":["/a"],"kind":"Range"}""")]
    public async Task Definition_Invalid_Is400(string definition)
    {
        await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, "dbs/tests/colls", $$"""{"id":"h{{Guid.NewGuid():N}}","partitionKey":{{definition}}}""");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    private static PartitionKey Key(string tenant, string? user = null, int? session = null)
    {
        var key = new PartitionKeyBuilder().Add(tenant);
        if (user is not null)
            key.Add(user);
        if (session is { } number)
            key.Add(number);
        return key.Build();
    }

    private static PartitionKey KeyOf(int i) => Key($"t{i % 2}", $"u{i % 3}", i);

    private static JObject Item(int i, int value = 0, string? id = null) => JObject.FromObject(
        new { id = id ?? $"{i}", tenant = $"t{i % 2}", user = $"u{i % 3}", session = new { id = i }, value });

    private async Task<Container> FillAsync(ConnectionMode mode, bool bulk = false)
    {
        var container = await CreateAsync(mode, bulk);
        await Task.WhenAll(Enumerable.Range(0, 24).Select(i => container.AddAsync(Item(i), KeyOf(i))));
        return container;
    }

    private static async Task<string[]> QueryAsync(Container container, PartitionKey? key, string query = "SELECT * FROM c") =>
    [
        .. (await container.QueryAsync<JToken>(query, new QueryRequestOptions { PartitionKey = key }))
            .Select(one => one is JObject item ? (string)item["id"]! : one.ToString()).Order(StringComparer.Ordinal),
    ];

    private Task<Container> CreateAsync(ConnectionMode mode, bool bulk = false) =>
        CreateContainerAsync(mode, bulk, properties: new ContainerProperties { PartitionKeyPaths = ["/tenant", "/user", "/session/id"] });
}
