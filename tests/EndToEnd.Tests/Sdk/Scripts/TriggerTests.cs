using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk.Scripts;

/// <summary>Writes with triggers. Several scripts are those of the SDK's own tests, which the service passes.</summary>
public sealed class TriggerTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const string AddTax = """
        function AddTax() {
            var item = getContext().getRequest().getBody();
            item.tax = calculateTax(item.value);
            item.createdTime = new Date();
            getContext().getRequest().setBody(item);
            function calculateTax(amt) {
                return amt * .20;
            }
        }
        """;

    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task PreTrigger_OfACreation_ChangesTheDocument(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "addTax", TriggerType.Pre, TriggerOperation.All, AddTax);
        var created = await container.CreateItemAsync(
            JObject.Parse("""{"id":"1","pk":"k","value":9001}"""), Key, new ItemRequestOptions { PreTriggers = ["addTax"] }, Token);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal(9_001 * .20, (double)created.Resource["tax"]!);
        Assert.NotNull(created.Resource["createdTime"]);
        var read = await container.ReadItemAsync<JObject>("1", Key, cancellationToken: Token);
        Assert.Equal((created.Resource["tax"], created.ETag), (read.Resource["tax"], read.ETag));
    }

    /// <summary>The trigger counts in its callback, after it has set the body.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task PreTrigger_ThatQueries_SeesTheDocumentsBefore(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "number", TriggerType.Pre, TriggerOperation.Upsert, """
            function setNumber() {
                var request = getContext().getRequest();
                var all = getContext().getCollection();
                var document = request.getBody();
                all.queryDocuments(all.getSelfLink(), 'SELECT VALUE MAX(r["value"]) from root r', function(err, found) {
                    if (err) throw new Error(err.message);
                    document['value'] = (found.length > 0 ? found[0] : 0) + 1;
                });
                request.setBody(document);
            }
            """);
        var options = new ItemRequestOptions { PreTriggers = ["number"] };
        for (var i = 1; i <= 3; i++)
        {
            Item upserted = await container.UpsertItemAsync(new Item { Id = $"{i}", Key = "k" }, Key, options, Token);
            Assert.Equal(i, upserted.Value);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task PostTrigger_OfACreation_SeesRequestAndResponse(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "pre", TriggerType.Pre, TriggerOperation.All, """
            function() {
                var item = getContext().getRequest().getBody();
                item.id = item.id.toUpperCase() + 't1';
                getContext().getRequest().setBody(item);
            }
            """);
        await DefineAsync(container, "post", TriggerType.Post, TriggerOperation.All, """
            function() {
                var predoc = getContext().getRequest().getBody();
                var postdoc = getContext().getResponse().getBody();
                for (const change of [
                    () => getContext().getRequest().setBody('lol'), () => getContext().getRequest().setValue('Body', 'lol'),
                    () => getContext().getRequest().setValue('Test', 'lol'), () => getContext().getResponse().setValue('Test', 'lol')]) {
                    var exceptionSeen = false;
                    try { change(); } catch (err) { exceptionSeen = true; }
                    if (!exceptionSeen) throw 'expected exception not seen';
                }
                postdoc.seen = predoc.id + postdoc.id + getContext().getRequest().getOperationType();
                postdoc.usage = getContext().getResponse().getResourceQuotaCurrentUsage();
                postdoc.quota = getContext().getResponse().getMaxResourceQuota();
                getContext().getResponse().setBody(postdoc);
            };
            """);
        var created = await container.CreateItemAsync(
            JObject.Parse("""{"id":"a","pk":"k"}"""), Key,
            new ItemRequestOptions { PreTriggers = ["pre"], PostTriggers = ["post"] }, Token);
        Assert.Equal("At1At1Create", (string)created.Resource["seen"]!);
        Assert.Contains("collectionSize", (string)created.Resource["usage"]!, StringComparison.Ordinal);
        Assert.Contains("collectionSize", (string)created.Resource["quota"]!, StringComparison.Ordinal);
        var stored = await container.ReadItemAsync<JObject>("At1", Key, cancellationToken: Token);
        Assert.Null(stored.Resource["seen"]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Trigger_ThatThrows_FailsTheOperationWithAllThatWasWritten(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "kept", Key = "k", Value = 1 });
        await DefineAsync(container, "pre", TriggerType.Pre, TriggerOperation.All, """
            function() { __.createDocument(__.getSelfLink(), { id: 'of the trigger', pk: 'k' }); }
            """);
        await DefineAsync(
            container, "preThrows", TriggerType.Pre, TriggerOperation.All, "function() { throw new Error(409, 'Error 409'); }");
        await DefineAsync(
            container, "postThrows", TriggerType.Post, TriggerOperation.All, "function() { throw new Error(4444, 'Error 4444'); }");

        var item = new Item { Id = "new", Key = "k" };
        await FailsAsync(HttpStatusCode.BadRequest, () => CreateAsync(["preThrows"], null), subStatus: 409);
        await FailsAsync(HttpStatusCode.BadRequest, () => CreateAsync(["pre"], ["postThrows"]), subStatus: 4444);
        var options = new ItemRequestOptions { PreTriggers = ["pre"], PostTriggers = ["postThrows"] };
        await FailsAsync(HttpStatusCode.BadRequest, () => container.DeleteItemAsync<Item>("kept", Key, options, Token), subStatus: 4444);
        await FailsAsync(
            HttpStatusCode.BadRequest,
            () => container.ReplaceItemAsync(new Item { Id = "kept", Key = "k", Value = 2 }, "kept", Key, options, Token), subStatus: 4444);
        // An operation that fails by itself takes what its trigger wrote with it.
        item = new Item { Id = "kept", Key = "k" };
        await FailsAsync(HttpStatusCode.Conflict, () => CreateAsync(["pre"], null));
        Assert.Equal([("kept", 1)], (await container.QueryAsync<Item>()).Select(one => (one.Id, one.Value)));
        Assert.Equal(1, LedgerOf(container).Documents.Created);

        Task CreateAsync(string[]? pre, string[]? post) =>
            container.CreateItemAsync(item, Key, new ItemRequestOptions { PreTriggers = pre, PostTriggers = post }, Token);
    }

    [Theory]
    [InlineData("none", null, "no trigger 'none'")]
    [InlineData("post", null, "is no Pre-trigger")]
    [InlineData(null, "pre", "is no Post-trigger")]
    [InlineData("onDelete", null, "runs with Delete, not with Create")]
    [InlineData("pre,onDelete", null, "Only one Pre-trigger")]
    public async Task Create_WithATriggerThatDoesNotRunThere_SaysWhy(string? pre, string? post, string message)
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "pre", TriggerType.Pre, TriggerOperation.All, "function() { }");
        await DefineAsync(container, "post", TriggerType.Post, TriggerOperation.All, "function() { }");
        await DefineAsync(container, "onDelete", TriggerType.Pre, TriggerOperation.Delete, "function() { }");
        var options = new ItemRequestOptions { PreTriggers = pre?.Split(','), PostTriggers = post?.Split(',') };
        var e = await FailsAsync(
            HttpStatusCode.BadRequest, () => container.CreateItemAsync(new Item { Id = "1", Key = "k" }, Key, options, Token));
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
        Assert.Empty(await container.QueryAsync<Item>());
    }

    [Fact]
    public async Task Read_WithATrigger_IsRejected()
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await DefineAsync(container, "pre", TriggerType.Pre, TriggerOperation.All, "function() { }");
        await FailsAsync(HttpStatusCode.BadRequest, () => container.ReadItemAsync<Item>(
            "1", Key, new ItemRequestOptions { PreTriggers = ["pre"] }, Token));
    }

    /// <summary>The sample of the service's team that keeps a property unique, and the steps of the SDK's test of it.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task PreTrigger_ThatKeepsAPropertyUnique_DoesSoForEachOperation(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "unique", TriggerType.Pre, TriggerOperation.All, """
            function unique() {
                const document = __.request.getBody();
                const link = one => __.getAltLink() + '/docs/unique-' + one.text;
                const insert = () => __.createDocument(__.getSelfLink(), { id: 'unique-' + document.text, pk: 'k', isMeta: true });
                const move = from => from.text !== document.text && __.readDocument(link(from), (err, meta) => {
                    if (err) throw err;
                    meta.id = 'unique-' + document.text;
                    __.replaceDocument(link(from), meta);
                });
                switch (__.request.getOperationType()) {
                    case 'Create': return insert();
                    case 'Delete': return __.deleteDocument(link(document));
                    case 'Replace': return __.readDocument(document._self, (err, old) => { if (err) throw err; move(old); });
                    case 'Upsert':
                        return __.readDocument(__.getAltLink() + '/docs/' + document.id, (err, old) => {
                            if (err && err.number !== ErrorCodes.NotFound) throw err;
                            err ? insert() : move(old);
                        });
                }
            }
            """);
        var options = new ItemRequestOptions { PreTriggers = ["unique"] };
        await container.CreateItemAsync(Of("1", "mic"), Key, options, Token);
        await FailsAsync(HttpStatusCode.BadRequest, () => container.CreateItemAsync(Of("2", "mic"), Key, options, Token), subStatus: 409);
        await container.ReplaceItemAsync(Of("1", "nik"), "1", Key, options, Token);
        Assert.Equal(["1", "unique-nik"], await IdsAsync());
        await container.UpsertItemAsync(Of("1", "cam"), Key, options, Token);
        await FailsAsync(HttpStatusCode.BadRequest, () => container.UpsertItemAsync(Of("3", "cam"), Key, options, Token), subStatus: 409);
        await container.UpsertItemAsync(Of("3", "lion"), Key, options, Token);
        await container.DeleteItemAsync<Item>("1", Key, options, Token);
        Assert.Equal(["3", "unique-lion"], await IdsAsync());

        static Item Of(string id, string text) => new() { Id = id, Key = "k", Text = text };
        async Task<IEnumerable<string>> IdsAsync() => (await container.QueryAsync<Item>()).Select(item => item.Id).Order();
    }

    [Fact]
    public async Task PreTrigger_ThatChangesNothing_LeavesTheDocumentToTheLastDigit()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "looks", TriggerType.Pre, TriggerOperation.All, "function() { getContext().getRequest().getBody(); }");
        using var created = await container.CreateItemStreamAsync(
            Json("""{"id":"1","pk":"k","n":9007199254740993}"""), Key, new ItemRequestOptions { PreTriggers = ["looks"] }, Token);
        Assert.Equal(HttpStatusCode.Created, created.StatusCode);
        Assert.Equal([9007199254740993], await container.QueryAsync<long>("SELECT VALUE c.n FROM c"));
    }

    [Theory]
    [InlineData("""{"id":"1","pk":"k","a":1,"a":2}""")]
    [InlineData("{\"id\":\"1\",\"pk\":\"k\",\"a\":\"\u0001\t\"}")]
    [InlineData("\uFEFF{\"id\":\"1\",\"pk\":\"k\"}")]
    [InlineData("""{"id":"1","pk":"k","_self":"another"}""")]
    [InlineData("deep")]
    public async Task PreTrigger_OfAnUnusualDocument_SeesItWithItsLink(string body)
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "looks", TriggerType.Pre, TriggerOperation.All, """
            function() {
                const document = __.request.getBody();
                if (__.request.getOperationType() === 'Replace' && !document._self.startsWith(__.getSelfLink()))
                    throw document._self;
                if (document.id !== '1')
                    throw document.id;
            }
            """);
        if (body == "deep")
            body = $$"""{"id":"1","pk":"k","a":{{new string('[', 100)}}{{new string(']', 100)}}}""";
        var options = new ItemRequestOptions { PreTriggers = ["looks"] };
        using var created = await container.CreateItemStreamAsync(Json(body), Key, options, Token);
        Assert.Equal((HttpStatusCode.Created, null), (created.StatusCode, created.ErrorMessage));
        using var replaced = await container.ReplaceItemStreamAsync(Json(body), "1", Key, options, Token);
        Assert.Equal((HttpStatusCode.OK, null), (replaced.StatusCode, replaced.ErrorMessage));
    }

    [Fact]
    public async Task Read_WithAnEmptyTriggerHeader_IsARead()
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        using var read = await SendAsync(
            HttpMethod.Get, $"{DocumentsOf(container)}/1", null, ("x-ms-documentdb-partitionkey", """["k"]"""),
            ("x-ms-documentdb-pre-trigger-include", ""));
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    [Fact]
    public async Task PreTrigger_ThatChangesTheKey_IsRejected()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(
            container, "moves", TriggerType.Pre, TriggerOperation.All, "function() { __.request.getBody().pk = 'other'; }");
        await FailsAsync(
            HttpStatusCode.BadRequest,
            () => container.CreateItemAsync(
                new Item { Id = "1", Key = "k" }, Key, new ItemRequestOptions { PreTriggers = ["moves"] }, Token),
            subStatus: 1001);
        Assert.Empty(await container.QueryAsync<Item>());
    }

    /// <summary>What a write with a trigger costs is what its operations cost.</summary>
    [Fact]
    public async Task Create_WithTriggers_CostsItsOperations()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "post", TriggerType.Post, TriggerOperation.Create, """
            function() { __.createDocument(__.getSelfLink(), { id: __.request.getBody().id + '2', pk: 'k' }); }
            """);
        var alone = (await container.AddJsonAsync("""{"id":"a","pk":"k"}""", Key)).Headers.RequestCharge;
        var both = await container.AddJsonAsync(
            """{"id":"b","pk":"k"}""", Key,
            new ItemRequestOptions { PostTriggers = ["post"], EnableContentResponseOnWrite = false });
        Assert.Equal((HttpStatusCode.Created, 2 * alone), (both.StatusCode, Math.Round(both.Headers.RequestCharge, 1)));
        Assert.Equal(0, both.Content?.Length ?? 0);
        Assert.Equal(3, (await container.QueryAsync<Item>()).Count);
    }

    private static Task<TriggerResponse> DefineAsync(
        Container container, string name, TriggerType type, TriggerOperation operation, string body) =>
        container.Scripts.CreateTriggerAsync(
            new TriggerProperties { Id = name, Body = body, TriggerType = type, TriggerOperation = operation }, cancellationToken: Token);
}
