using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class PatchTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Patch_EveryOperation_ChangesTheDocument(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, """{"id":"1","pk":"k","n":1,"gone":2,"list":[1,3],"in":{"a":"x"},"from":{"v":9}}""");
        var patched = await container.PatchAsync(
            "1", Key,
            PatchOperation.Add("/list/1", 2), PatchOperation.Add("/list/-", 4), PatchOperation.Set("/list/0", 0),
            PatchOperation.Set("/in/b", "y"), PatchOperation.Replace("/in/a", "z"), PatchOperation.Remove("/gone"),
            PatchOperation.Increment("/n", 2), PatchOperation.Increment("/made", 0.5), PatchOperation.Move("/from/v", "/to"),
            PatchOperation.Add("/a~1b", JObject.Parse("""{"c":[]}""")));

        Assert.Equal(HttpStatusCode.OK, patched.StatusCode);
        var read = (await container.ReadAsync<JObject>("1", Key)).Resource;
        Assert.Equal(patched.ETag, read["_etag"]!.Value<string>());
        foreach (var system in (string[])["_rid", "_self", "_etag", "_attachments", "_ts"])
            Assert.True(read.Remove(system));
        Assert.True(JToken.DeepEquals(
            JObject.Parse("""
                {"id":"1","pk":"k","n":3,"list":[0,2,3,4],"in":{"a":"z","b":"y"},"from":{},"made":0.5,"to":9,"a/b":{"c":[]}}
                """),
            read), read.ToString());
        var ledger = LedgerOf(container);
        Assert.Equal((1L, 1L), (ledger.Operations.Patch.Attempts, ledger.Documents.Replaced));
        Assert.Equal(patched.RequestCharge, ledger.Operations.Patch.RequestUnits.Value, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Patch_Condition_DecidesWhetherItIsDone(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, """{"id":"1","pk":"k","n":1}""");
        Task<ItemResponse<JObject>> IncrementAsync(string condition) => container.PatchItemAsync<JObject>(
            "1", Key, [PatchOperation.Increment("/n", 1)], new PatchItemRequestOptions { FilterPredicate = condition }, Token);
        var met = await IncrementAsync("from c where c.n = 1");
        var notMet = await FailsAsync(HttpStatusCode.PreconditionFailed, () => IncrementAsync("FROM items i WHERE i.n = 1"));
        await FailsAsync(HttpStatusCode.BadRequest, () => IncrementAsync("where or"));

        Assert.Equal(2, met.Resource["n"]!.Value<int>());
        Assert.Matches("ne of the specified pre-?condition is not met", notMet.Message);
        Assert.Equal(2, (await container.ReadAsync<JObject>("1", Key)).Resource["n"]!.Value<int>());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Patch_AbsentDocumentOrStaleEtag_Is404And412(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, """{"id":"1","pk":"k","n":1}""");
        PatchOperation[] increment = [PatchOperation.Increment("/n", 1)];
        await FailsAsync(HttpStatusCode.NotFound, () => container.PatchAsync("2", Key, increment));
        await FailsAsync(HttpStatusCode.PreconditionFailed, () => container.PatchItemAsync<JObject>(
            "1", Key, increment, new PatchItemRequestOptions { IfMatchEtag = Guid.NewGuid().ToString() }, Token));
    }

    [Theory]
    [InlineData("add", "/none/child", "1", "For Operation(1): Add Operation can only create a child object of an existing node")]
    [InlineData("add", "/list/3", "1", "For Operation(1)")]
    [InlineData("set", "/list/2", "1", null)]
    [InlineData("set", "/list/x", "1", "For Operation(1)")]
    [InlineData("replace", "/none", "1", "For Operation(1)")]
    [InlineData("replace", "/list/2", "1", "For Operation(1)")]
    [InlineData("remove", "/none", null, "For Operation(1)")]
    [InlineData("incr", "/text", "1", "For Operation(1)")]
    [InlineData("incr", "/n", "\"1\"", "For Operation(1)")]
    [InlineData("set", "/id", "\"2\"", "id")]
    [InlineData("set", "/pk", "\"other\"", "pk")]
    [InlineData("set", "/_ts", "1", "_ts")]
    [InlineData("set", "", "1", "For Operation(1)")]
    [InlineData("set", "n", "1", "For Operation(1)")]
    [InlineData("set", "/n", null, "For Operation(1)")]
    [InlineData("test", "/n", "1", "For Operation(1)")]
    public async Task Patch_Impossible_Is400ThatNamesTheOperation(string op, string path, string? value, string? expected)
    {
        var container = await CreateAsync(ConnectionMode.Gateway, """{"id":"1","pk":"k","n":1,"text":"a","list":[1,2]}""");
        using var response = await SendAsync(
            HttpMethod.Patch, $"{DocumentsOf(container)}/1",
            $$"""{"operations":[{"op":"{{op}}","path":"{{path}}"{{(value is null ? "" : $",\"value\":{value}")}}}]}""",
            ("x-ms-documentdb-partitionkey", """["k"]"""));
        var text = await response.Content.ReadAsStringAsync(Token);
        Assert.Equal(expected is null ? HttpStatusCode.OK : HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(expected ?? "", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Patch_MoreThanTenOperationsOrNone_Is400()
    {
        var container = await CreateAsync(ConnectionMode.Gateway, """{"id":"1","pk":"k","n":1}""");
        using var eleven = await container.PatchItemStreamAsync(
            "1", Key, [.. Enumerable.Repeat(PatchOperation.Increment("/n", 1), 11)], cancellationToken: Token);
        using var none = await SendAsync(
            HttpMethod.Patch, $"{DocumentsOf(container)}/1", """{"operations":[]}""", ("x-ms-documentdb-partitionkey", """["k"]"""));
        Assert.Equal((HttpStatusCode.BadRequest, HttpStatusCode.BadRequest), (eleven.StatusCode, none.StatusCode));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Patch_InAFailedTransaction_IsUndone(ConnectionMode mode)
    {
        var container = await CreateAsync(mode, """{"id":"1","pk":"k","n":1}""");
        var notMet = new TransactionalBatchPatchItemRequestOptions { FilterPredicate = "from c where c.n = 7" };
        using var failed = await container.CreateTransactionalBatch(Key)
            .PatchItem("1", [PatchOperation.Increment("/n", 1)])
            .PatchItem("1", [PatchOperation.Increment("/n", 1)], notMet)
            .ExecuteAsync(Token);
        using var done = await container.CreateTransactionalBatch(Key)
            .PatchItem("1", [PatchOperation.Increment("/n", 1)])
            .PatchItem("1", [PatchOperation.Set("/text", "new")], new() { FilterPredicate = "from c where c.n = 2" })
            .ExecuteAsync(Token);

        Assert.Equal((HttpStatusCode.PreconditionFailed, HttpStatusCode.OK), (failed.StatusCode, done.StatusCode));
        Assert.Equal("new", done.GetOperationResultAtIndex<JObject>(1).Resource["text"]!.Value<string>());
        Assert.Equal(2, (await container.ReadAsync<JObject>("1", Key)).Resource["n"]!.Value<int>());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Patch_InBulk_IsOneOperationEach(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, bulk: true);
        await container.AddAsync(JObject.Parse("""{"id":"1","pk":"k","n":1}"""), Key);
        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => container.PatchAsync("1", Key, PatchOperation.Increment("/n", 1))));
        Assert.Equal(21, (await container.ReadAsync<JObject>("1", Key)).Resource["n"]!.Value<int>());
        Assert.Equal(20, LedgerOf(container).Operations.Patch.Attempts);
    }

    private async Task<Container> CreateAsync(ConnectionMode mode, string document)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(JObject.Parse(document), Key);
        return container;
    }
}
