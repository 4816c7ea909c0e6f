using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk.Scripts;

/// <summary>Runs of stored procedures. Several of them and their results are from the SDK's own tests, which the service passes.</summary>
public sealed class ProcedureTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_WithParameters_ReturnsTheBody(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "sum", "function(a, b, c) { getContext().getResponse().setBody(a + b + c); }");
        await DefineAsync(container, "same", "function(x) { __.response.setBody(x); }");
        await DefineAsync(container, "nothing", "function(){}");
        Assert.Equal("onetwothree", await RunAsync<string>(container, "sum", "one", "two", "three"));
        Assert.Equal("null", await RunTextAsync(container, "same", "[null]"));
        Assert.Equal("\"one\"", await RunTextAsync(container, "same", "[\"one\"]"));
        Assert.Equal("{\"a\":[1,{\"é\":false}]}", await RunTextAsync(container, "same", "[{\"a\":[1,{\"é\":false}]}]"));
        Assert.Equal("", await RunAsync<string>(container, "nothing"));
        Assert.Equal("\"\"", await RunTextAsync(container, "nothing", null));
        Assert.Equal("input", await RunAsync<string>(container, "__.sys.echo", "input"));
    }

    /// <summary>The payloads of the SDK's own tests: the service applies the function to them.</summary>
    [Theory]
    [InlineData("null", "\"undefined\"")]
    [InlineData("{}", "\"undefined\"")]
    [InlineData("{\"0\":4}", "\"undefined\"")]
    [InlineData("{\"0\":\"one\",\"length\":1}", "\"one\"")]
    [InlineData("{\"0\":\"one\",\"length\":\"1\"}", "\"one\"")]
    [InlineData("{\"0\":\"one\",\"length\":10000}", "\"one\"")]
    [InlineData("{\"0\":\"one\",\"2\":\"three\",\"1\":\"two\",\"length\":3}", "\"onetwothree\"")]
    [InlineData("{\"0\":\"one\",\"length\":600000}", null)]
    [InlineData("{\"0\":\"one\",\"length\":1e9}", null)]
    [InlineData("\"\"", null)]
    [InlineData("\"hello\"", null)]
    [InlineData("0", null)]
    [InlineData("false", null)]
    [InlineData("undefined", null)]
    [InlineData("[x:4]", null)]
    public async Task Execute_WithAnyPayload_AppliesTheFunction(string payload, string? expected)
    {
        var container = await CreateContainerAsync();
        await DefineAsync(
            container, "p", "function(a, b, c) { __.response.setBody(a === undefined ? typeof a : a + (b || '') + (c || '')); }");
        using var response = await container.Scripts.ExecuteStoredProcedureStreamAsync("p", Json(payload), Key, cancellationToken: Token);
        Assert.Equal(expected is null ? HttpStatusCode.BadRequest : HttpStatusCode.OK, response.StatusCode);
        if (expected is not null)
            Assert.Equal(expected, await new StreamReader(response.Content).ReadToEndAsync(Token));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_OfOneValue_CostsAsRecorded(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "sp1", "function(){getContext().getResponse().setBody(1);}");
        var response = await container.Scripts.ExecuteStoredProcedureAsync<int>("sp1", Key, null, cancellationToken: Token);
        Assert.Equal((HttpStatusCode.OK, 1, 4.27), (response.StatusCode, response.Resource, response.RequestCharge));
        Assert.Equal(1, LedgerOf(container).Operations.Batch.Attempts);
    }

    /// <summary>For the change feed, a run is one transaction, as a batch is.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_WithWrites_IsOnOnePageOfTheChangeFeed(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(
            container, "many",
            "function(n) { for (let i = 0; i < n; i++) __.createDocument(__.getSelfLink(), { id: `${i}`, pk: 'k' }); }");
        await RunAsync<string>(container, "many", 300);
        await container.UpsertAsync(JObject.Parse("""{"id":"alone","pk":"k"}"""), Key);
        using var feed = container.GetChangeFeedIterator<JObject>(
            ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(Key)), ChangeFeedMode.LatestVersion,
            new ChangeFeedRequestOptions { PageSizeHint = 10 });

        var page = await feed.ReadNextAsync(Token);

        Assert.Equal(300, page.Count);
        Assert.Single(page.Select(item => (long)item["_lsn"]!).Distinct());
        Assert.Equal("alone", (string?)Assert.Single(await feed.ReadNextAsync(Token))["id"]);
    }

    /// <summary>A run costs 4.27 RU and what each of its operations costs by itself.</summary>
    [Fact]
    public async Task Execute_WithOperations_CostsWhatTheyCost()
    {
        var container = await CreateContainerAsync();
        var alone = (await container.AddJsonAsync("""{"id":"x","pk":"k","n":1}""", Key)).Headers.RequestCharge;
        await DefineAsync(container, "two", """
            function() {
                __.createDocument(__.getSelfLink(), { id: 'y', pk: 'k', n: 1 });
                __.createDocument(__.getSelfLink(), { id: 'z', pk: 'k', n: 1 });
            }
            """);
        var response = await container.Scripts.ExecuteStoredProcedureAsync<string>("two", Key, null, cancellationToken: Token);
        Assert.Equal(4.27 + (2 * alone), response.RequestCharge, 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_EachOperationOfTheCollection_SeesTheOnesBefore(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "other", Key = "another key", Value = 1 });
        await DefineAsync(container, "all", """
            function() {
                const all = getContext().getCollection();
                const log = [];
                const fail = err => { if (err) throw err; };
                all.createDocument(all.getSelfLink(), { id: 'a', pk: 'k', value: 1 }, (err, a) => {
                    fail(err);
                    log.push(a._self.startsWith(all.getSelfLink() + 'docs/'));
                    a.value = 2;
                    all.replaceDocument(a._self, a, { etag: a._etag }, (err, b) => {
                        fail(err);
                        log.push(b.value, b._etag !== a._etag);
                        all.replaceDocument(all.getAltLink() + '/docs/a', b, { etag: a._etag }, err => log.push(err.number));
                        all.upsertDocument(all.getAltLink(), { pk: 'k', value: 5 }, (err, c) => {
                            fail(err);
                            log.push(c.id.length);
                            all.readDocument(c._self, (err, again) => { fail(err); log.push(again.value); });
                            all.readDocument(c._self, { ifNoneMatch: c._etag }, (err, none, options) => log.push(options.notModified));
                            all.queryDocuments(all.getSelfLink(), 'SELECT VALUE SUM(c["value"]) FROM c', (err, sums) => log.push(sums[0]));
                            all.queryDocuments(
                                all.getSelfLink(),
                                { query: 'SELECT * FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: 'a' }] },
                                (err, found) => log.push(found.length));
                            all.readDocuments(all.getSelfLink(), { pageSize: 1 }, (err, first, options) => {
                                fail(err);
                                log.push(first.length, typeof options.continuation);
                                all.readDocuments(all.getSelfLink(), options, (err, second) => {
                                    fail(err);
                                    log.push(second[0].id === first[0].id);
                                    all.deleteDocument(c._self, err => {
                                        fail(err);
                                        all.readDocument(c._self, err => {
                                            log.push(err.number);
                                            __.response.setBody(log);
                                        });
                                    });
                                });
                            });
                        });
                    });
                });
            }
            """);
        var seen = await RunAsync<JArray>(container, "all");
        Assert.Equal("[true,2,true,412,36,5,true,7,1,1,\"string\",false,404]", seen.ToString(Formatting.None));
        Assert.Equal(["a", "other"], (await container.QueryAsync<Item>()).Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_OfAScriptThatThrows_RollsBackWhatItWrote(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "kept", Key = "k", Value = 1 });
        await container.AddAsync(new Item { Id = "deleted", Key = "k" });
        var before = LedgerOf(container).Documents;
        await DefineAsync(container, "fails", """
            function() {
                __.createDocument(__.getSelfLink(), { id: 'new', pk: 'k' });
                __.upsertDocument(__.getSelfLink(), { id: 'kept', pk: 'k', value: 2 });
                __.deleteDocument(__.getAltLink() + '/docs/deleted', () => { throw new Error(1234, 'Error 1234'); });
            }
            """);
        var e = await FailsAsync(HttpStatusCode.BadRequest, () => RunAsync<string>(container, "fails"), subStatus: 1234);
        Assert.Contains(
            "Encountered exception while executing function. Exception = Error: Error 1234", e.Message, StringComparison.Ordinal);
        var items = await container.QueryAsync<Item>("SELECT * FROM c ORDER BY c.id");
        Assert.Equal([("deleted", 0), ("kept", 1)], items.Select(item => (item.Id, item.Value)));
        Assert.Equal(before, LedgerOf(container).Documents);
        // The operations were done and are charged.
        Assert.InRange(e.RequestCharge, 15, 40);
    }

    [Theory]
    [InlineData("function() { throw 'just text'; }", 0, "Exception = just text")]
    [InlineData("function() { throw { a: 1 }; }", 0, "Exception = {\"a\":1}")]
    [InlineData("function() { nothing.at.all; }", 0, "Exception = ReferenceError: nothing is not defined")]
    [InlineData("function() { getContext().abort(new Error(77, 'aborted')); }", 77, "Exception = Error: aborted")]
    [InlineData("function() { (async () => { getContext().abort(new Error(78, 'later')); })(); }", 78, "Exception = Error: later")]
    [InlineData("function() { This is to create a Compile Error! }", 0xFFFF, "Encountered exception while compiling Javascript.")]
    [InlineData("", 0xFFFF, "Encountered exception while compiling Javascript.")]
    [InlineData("function() { __.createDocument('dbs/x/colls/y', { id: '1' }); }", 400, "belongs to current collection")]
    [InlineData("function() { __.readDocument('nonsense'); }", 400, "Invalid document link: \"nonsense\".")]
    [InlineData("function() { __.createDocument(__.getSelfLink(), 5); }", 400, "must be an object or a string")]
    [InlineData("function() { __.createDocument(__.getSelfLink()); }", 400, "requires at least 2 argument(s)")]
    [InlineData("function() { __.createDocument(__.getSelfLink(), { id: '1', pk: 'b' }); }", 400, "cannot reference partition keys other")]
    [InlineData("function() { __.queryDocuments(__.getSelfLink(), 'SELECT'); }", 400, "Syntax error")]
    [InlineData("function() { __.readDocuments(__.getSelfLink(), { pageSize: 'x' }); }", 400, "The pageSize \"x\"")]
    [InlineData("function() { __.createDocument(__.getSelfLink(), {}, { indexAction: 'x' }); }", 400, "The indexAction \"x\"")]
    [InlineData("function() { __.createDocument(__.getSelfLink(), {}, { indexAction: 'exclude' }); }", 400, "not simulated")]
    [InlineData("function() { __.readDocument(__.getAltLink() + '/docs/none'); }", 404, "Resource Not Found")]
    [InlineData("function() { __.request.setValue('Test', 1); }", 400, "Cannot set new values: Test")]
    [InlineData("function() { __.request.setValue('Body', 1); }", 403, "Not a writable property: Body")]
    [InlineData("function() { var a = []; for (;;) a.push('x'.repeat(1e6) + a.length); }", 0, "Out of memory")]
    [InlineData("function f() { f(); f(); }", 0, "Maximum call stack size exceeded")]
    [InlineData("function() { __.createDocument(__.getSelfLink(), { id: '1', pk: 'k' }, () => import('x')); }", 0, "Exception = Error")]
    public async Task Execute_OfAScriptThatFails_SaysWhy(string body, int subStatus, string message)
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "fails", body);
        var e = await FailsAsync(HttpStatusCode.BadRequest, () => RunAsync<string>(container, "fails"), subStatus);
        Assert.Contains(message, e.Message.Replace("\\\"", "\"", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Empty(await container.QueryAsync<Item>());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_OfNoProcedureOrWithoutAKey_IsTheServicesError(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await FailsAsync(HttpStatusCode.NotFound, () => RunAsync<string>(container, "none"));
        await DefineAsync(container, "p", "function() { }");
        using var withoutKey = await SendAsync(
            HttpMethod.Post, $"dbs/{container.Database.Id}/colls/{container.Id}/sprocs/p", "[]");
        Assert.Equal(HttpStatusCode.BadRequest, withoutKey.StatusCode);
        Assert.Equal("1001", Assert.Single(withoutKey.Headers.GetValues("x-ms-substatus")));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_WithLogging_ReturnsTheLog(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "logs", "function(n) { console.log('this is a test: '); console.log('%s of %s', n, 'ö'); }");
        var logged = await container.Scripts.ExecuteStoredProcedureAsync<string>(
            "logs", Key, [3], new StoredProcedureRequestOptions { EnableScriptLogging = true }, Token);
        var silent = await container.Scripts.ExecuteStoredProcedureAsync<string>("logs", Key, [3], cancellationToken: Token);
        Assert.Equal("this is a test: 3 of ö", logged.ScriptLog);
        Assert.Null(silent.ScriptLog);
    }

    [Fact]
    public async Task Execute_WithPromises_WaitsForThem()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "promises", """
            async function promises(ids) {
                const create = id => new Promise((resolve, reject) =>
                    __.createDocument(__.getSelfLink(), { id, pk: 'k' }, (err, made) => err ? reject(err) : resolve(made)));
                const made = [];
                for (const id of ids)
                    made.push((await create(id)).id);
                __.response.setBody(made);
            }
            """);
        Assert.Equal(["a", "b", "c"], await RunAsync<string[]>(container, "promises", new JArray("a", "b", "c")));
        Assert.Equal(3, (await container.QueryAsync<Item>()).Count);
    }

    [Theory]
    [InlineData("__.filter(one => one.value % 2 === 1)", "[1,3,5]")]
    [InlineData("__.chain().filter(one => one.value > 3).pluck('value').value()", "[4,5]")]
    [InlineData("__.chain().map(one => one.value).sortByDescending(v => v).value()", "[5,4,3,2,1,0]")]
    [InlineData("__.chain().map(one => [one.value, one.value + 9]).flatten().filter(v => v > 12).value()", "[13,14]")]
    [InlineData("__.unwind(one => [one.value, 9], (one, v) => one.value * 10 + v)", "[0,9,11,19,22,29,33,39,44,49,55,59]")]
    public async Task Execute_OfTheQueryApi_RespondsWithItsResult(string script, string expected)
    {
        var container = await CreateContainerAsync();
        for (var i = 0; i < 6; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = "k", Value = i });
        await DefineAsync(container, "p", $"function() {{ if (!{script}.isAccepted) throw 'not accepted'; }}");
        var values = JArray.Parse(await RunAsync<string>(container, "p"))
            .Select(one => one is JObject document ? (double)document["value"]! : (double)one);
        Assert.Equal(expected, $"[{string.Join(',', values)}]");
    }

    /// <summary>The callback asks for the next page for ever, until no more is accepted.</summary>
    [Fact]
    public async Task Execute_OfAnEndlessChainOfOperations_EndsByItself()
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await DefineAsync(container, "pages", """
            function() {
                var output = 0;
                function callback(err, docFeed, responseOptions) {
                    if (err) throw 'Error while reading document';
                    output++;
                    __.response.setBody(output);
                    __.readDocuments(__.getSelfLink(), { pageSize : 1, continuation : responseOptions.continuation }, callback);
                };
                __.readDocuments(__.getSelfLink(), { pageSize : 1, continuation : ''}, callback);
            }
            """);
        Assert.InRange(int.Parse(await RunAsync<string>(container, "pages"), CultureInfo.InvariantCulture), 100, int.MaxValue);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_OfAnEndlessLoop_Is408AndLeavesThePartitionFree(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "endless", "function() { const text = 'x'.repeat(1e6); while (true) text.indexOf('y'); }");
        await container.AddAsync(new Item { Id = "before", Key = "k" });
        var running = container.Scripts.ExecuteStoredProcedureStreamAsync("endless", Key, null, cancellationToken: Token);
        // It has asked for nothing, and so keeps nobody waiting.
        for (var i = 0; i < 10; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = "k" });
        Assert.False(running.IsCompleted);
        using var response = await running;
        Assert.Equal(HttpStatusCode.RequestTimeout, response.StatusCode);
        Assert.Contains("exceeded maximum alloted time", response.ErrorMessage, StringComparison.Ordinal);
        Assert.Equal(11, (await container.QueryAsync<Item>()).Count);
    }

    [Fact]
    public async Task Execute_Twice_SharesNoState()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "counts", """
            function() {
                globalThis.n = (globalThis.n || 0) + 1;
                Object.prototype.seen = (Object.prototype.seen || 0) + 1;
                __.response.setBody(n + Object.prototype.seen);
            }
            """);
        Assert.Equal(2, await RunAsync<int>(container, "counts"));
        Assert.Equal(2, await RunAsync<int>(container, "counts"));
    }

    /// <summary>Runs of one procedure at once are one after the other: none sees or loses what another one writes.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_ManyAtOnce_AreIsolated(ConnectionMode mode)
    {
        const int runs = 40;
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "counter", Key = "k" });
        await DefineAsync(container, "increment", """
            function() {
                __.readDocument(__.getAltLink() + '/docs/counter', (err, counter) => {
                    if (err) throw err;
                    counter.value++;
                    __.replaceDocument(counter._self, counter);
                });
            }
            """);
        await Task.WhenAll(Enumerable.Range(0, runs).Select(_ => RunAsync<string>(container, "increment")));
        Assert.Equal(runs, (await container.ReadItemAsync<Item>("counter", Key, cancellationToken: Token)).Resource.Value);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_WhilePartitionsSplit_IsDoneOnce(ConnectionMode mode)
    {
        const int keys = 8;
        const int runs = 12;
        var container = await FillAsync(
            mode, Enumerable.Range(0, keys).Select(i => (new Item { Id = "counter", Key = $"k{i}" }, $"k{i}")));
        await DefineAsync(container, "increment", """
            function() {
                __.queryDocuments(__.getSelfLink(), 'SELECT * FROM c', (err, [counter]) => {
                    if (err) throw err;
                    counter.value++;
                    __.replaceDocument(counter._self, counter);
                });
            }
            """);
        var running = Enumerable.Range(0, keys).Select(async i =>
        {
            for (var run = 0; run < runs; run++)
            {
                await container.Scripts.ExecuteStoredProcedureAsync<string>(
                    "increment", new PartitionKey($"k{i}"), null, cancellationToken: Token);
            }
        }).ToList();
        await SplitAllAsync(container);
        await Task.WhenAll(running);
        Assert.All(await container.QueryAsync<Item>(), counter => Assert.Equal(runs, counter.Value));
    }

    private static Task<StoredProcedureResponse> DefineAsync(Container container, string name, string body) =>
        container.Scripts.CreateStoredProcedureAsync(new StoredProcedureProperties(name, body), cancellationToken: Token);

    private static async Task<T> RunAsync<T>(Container container, string name, params object[] parameters) =>
        (await container.Scripts.ExecuteStoredProcedureAsync<T>(name, Key, parameters, cancellationToken: Token)).Resource;

    private static async Task<string> RunTextAsync(Container container, string name, string? parameters)
    {
        using var response = await container.Scripts.ExecuteStoredProcedureStreamAsync(
            name, parameters is null ? null : Json(parameters), Key, cancellationToken: Token);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        using var reader = new StreamReader(response.Content);
        return await reader.ReadToEndAsync(Token);
    }
}
