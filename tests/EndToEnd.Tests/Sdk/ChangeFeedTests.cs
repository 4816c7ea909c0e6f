using Microsoft.Azure.Cosmos;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class ChangeFeedTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 400;

    private static IEnumerable<string> AllIds => Enumerable.Range(0, Documents).Select(i => $"{i}").Order();

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromTheBeginning_HasEachItemOnceAtItsLastChange(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        // Replaced in place, moved because it is larger, and deleted.
        await container.ReplaceAsync(Item(3) with { Value = 33 }, "3", Key(3));
        await container.UpsertAsync(Item(4) with { Text = new string('x', 5_000) }, Key(4));
        await container.UpsertAsync(Item(3) with { Value = 333 }, Key(3));
        await container.DeleteAsync("5", Key(5));
        using var feed = Feed(container, ChangeFeedStartFrom.Beginning(), 37);

        var changes = await feed.ReadAllAsync();

        Assert.Equal(AllIds.Where(id => id != "5"), changes.Select(item => item.Id).Order());
        Assert.Equal(333, changes.Single(item => item.Id == "3").Value);
        Assert.Empty(await feed.ReadAllAsync());
        await container.UpsertAsync(Item(9) with { Value = 99 }, Key(9));
        Assert.Equal(99, Assert.Single(await feed.ReadAllAsync()).Value);
    }

    /// <summary>The SDK's first iterator of changes, which reads one range after the other and ends with 304.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task StandByFeed_HasEveryChangeAndThen304_AndContinues(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        (var first, var continuation) = await ReadAsync(null);
        await container.UpsertAsync(Item(9) with { Value = 99 }, Key(9));
        (var second, _) = await ReadAsync(continuation);

        Assert.Equal((Documents, 1), (first, second));

        async Task<(int Items, string Continuation)> ReadAsync(string? from)
        {
            // The method is no longer public, but exists in every version.
            var create = container.GetType().GetMethods().Single(method => method.Name == "GetStandByFeedIterator");
            var options = Activator.CreateInstance(create.GetParameters()[2].ParameterType)!;
            if (from is null)
                options.GetType().GetProperty("StartTime")!.SetValue(options, DateTime.MinValue);
            using var feed = (FeedIterator)create.Invoke(container, [from, 50, options])!;
            var items = 0;
            for (var page = 0; page < 1_000; page++)
            {
                using var response = await feed.ReadNextAsync(Token);
                if (response.StatusCode == HttpStatusCode.NotModified)
                    return (items, response.ContinuationToken);
                Assert.Equal(HttpStatusCode.OK, response.StatusCode);
                using var json = await JsonDocument.ParseAsync(response.Content, cancellationToken: Token);
                items += json.RootElement.GetProperty("Documents").GetArrayLength();
            }

            throw new InvalidOperationException("The feed has no end.");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfOneKey_IsInTheOrderOfChanges(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        for (var i = 0; i < 10; i++)
            await container.AddAsync(Item(i) with { Key = "one" });
        await container.AddAsync(Item(0) with { Key = "other" });
        foreach (var i in new[] { 2, 7, 2 })
            await container.UpsertAsync(Item(i) with { Key = "one", Value = -1 }, new PartitionKey("one"));

        var range = FeedRange.FromPartitionKey(new PartitionKey("one"));
        var ids = (await Feed(container, ChangeFeedStartFrom.Beginning(range), 3).ReadAllAsync()).ConvertAll(item => item.Id);

        Assert.Equal(["0", "1", "3", "4", "5", "6", "8", "9", "7", "2"], ids);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfAPage_HasAtMostItsSizeAndTheLsnOfEachChange(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        using var feed = container.GetChangeFeedStreamIterator(
            ChangeFeedStartFrom.Beginning((await container.GetFeedRangesAsync(Token))[0]), ChangeFeedMode.LatestVersion,
            new ChangeFeedRequestOptions { PageSizeHint = 11 });
        using var page = await feed.ReadNextAsync(Token);

        using var reader = new StreamReader(page.Content);
        var documents = (JArray)JObject.Parse(await reader.ReadToEndAsync(Token))["Documents"]!;
        Assert.Equal(11, documents.Count);
        List<long> lsns = [.. documents.Select(document => (long)document["_lsn"]!)];
        Assert.Equal(lsns.Distinct().Order(), lsns);
        Assert.True(page.Headers.RequestCharge > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromNow_HasOnlyWhatChangesAfterwards(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        using var feed = Feed(container, ChangeFeedStartFrom.Now(), 100);
        Assert.Empty(await feed.ReadAllAsync());
        await container.UpsertAsync(Item(7) with { Value = 77 }, Key(7));
        await container.AddAsync(Item(Documents));
        Assert.Equal(["400", "7"], (await feed.ReadAllAsync()).Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromATime_HasWhatChangedSince(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        Assert.Empty(await Feed(container, ChangeFeedStartFrom.Time(DateTime.UtcNow.AddHours(1)), 100).ReadAllAsync());
        var all = await Feed(container, ChangeFeedStartFrom.Time(DateTime.UtcNow.AddHours(-1)), 100).ReadAllAsync();
        Assert.Equal(Documents, all.Count);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_ResumedWithItsContinuation_ContinuesAfterTheLastPage(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var ids = new List<string>();
        string? continuation = null;
        var isAtEnd = false;
        while (!isAtEnd)
        {
            var start = continuation is null ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.ContinuationToken(continuation);
            using var feed = Feed(container, start, 60);
            var page = await feed.ReadNextAsync(Token);
            continuation = page.ContinuationToken;
            isAtEnd = page.StatusCode == HttpStatusCode.NotModified;
            if (!isAtEnd)
                ids.AddRange(page.Select(item => item.Id));
        }

        Assert.Equal(AllIds, ids.Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfRangesSmallerThanPartitions_HasEachItemOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var ids = new List<string>();
        string[] edges = ["", "05", "0C", "10", "1D", "20", "2F", "3A", "FF"];
        foreach ((var min, var max) in edges.Zip(edges.Skip(1)))
        {
            var range = FeedRange.FromJsonString($$$"""{"Range":{"min":"{{{min}}}","max":"{{{max}}}"}}""");
            ids.AddRange((await Feed(container, ChangeFeedStartFrom.Beginning(range), 20).ReadAllAsync()).Select(item => item.Id));
        }

        Assert.Equal(AllIds, ids.Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_AcrossSplits_HasEachChangeOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        for (var i = 0; i < Documents; i += 3)
            await container.UpsertAsync(Item(i) with { Value = 1 }, Key(i));
        using var feed = Feed(container, ChangeFeedStartFrom.Beginning(), 13);
        var ids = new List<string>();
        for (var page = 0; page < 6; page++)
            ids.AddRange((await feed.ReadNextAsync(Token)).Select(item => item.Id));

        foreach (var partition in new[] { 0, 1, 2, 4 })
            await SplitAsync(container, partition);
        ids.AddRange((await feed.ReadAllAsync()).Select(item => item.Id));

        Assert.Equal(AllIds, ids.Order());
        for (var i = 0; i < Documents; i += 40)
            await container.UpsertAsync(Item(i) with { Value = 2 }, Key(i));
        Assert.Equal(
            Enumerable.Range(0, Documents / 40).Select(i => $"{i * 40}").Order(),
            (await feed.ReadAllAsync()).Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_AfterAFailedTransaction_IsUnchanged(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        for (var i = 0; i < 4; i++)
            await container.AddAsync(Item(i) with { Key = "one" });
        await container.UpsertAsync(Item(1) with { Key = "one", Value = 5 }, new PartitionKey("one"));
        using var behind = Feed(container, ChangeFeedStartFrom.Now(), 10);
        await behind.ReadAllAsync();

        using var failed = await container.CreateTransactionalBatch(new PartitionKey("one"))
            .DeleteItem("0").ReplaceItem("1", Item(1) with { Key = "one", Text = new string('y', 900) })
            .CreateItem(Item(8) with { Key = "one" }).CreateItem(Item(2) with { Key = "one" }).ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.Conflict, failed.StatusCode);
        Assert.Empty(await behind.ReadAllAsync());
        var all = await Feed(container, ChangeFeedStartFrom.Beginning(), 2).ReadAllAsync();
        Assert.Equal(["0", "2", "3", "1"], all.Select(item => item.Id));
        Assert.Equal((5, ""), (all[^1].Value, all[^1].Text));
        await container.AddAsync(Item(9) with { Key = "one" });
        Assert.Equal(["9"], (await behind.ReadAllAsync()).Select(item => item.Id));
    }

    /// <summary>
    /// The SDK's documentation: "the number of items received could be higher than the specified value so that the items changed by the
    /// same transaction are returned as part of one atomic batch".
    /// </summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfTransactions_EndsNoPageWithinOne(ConnectionMode mode)
    {
        var key = new PartitionKey("one");
        var container = await CreateContainerAsync(mode);
        for (var i = 0; i < 3; i++)
        {
            var batch = container.CreateTransactionalBatch(key);
            for (var item = 0; item < 5; item++)
                batch = batch.UpsertItem(JObject.Parse($$"""{"id":"{{i}}-{{item}}","pk":"one"}"""));
            using var done = await batch.ExecuteAsync(Token);
            Assert.True(done.IsSuccessStatusCode);
        }

        await container.AddAsync(Item(9) with { Key = "one" }, key);
        await container.UpsertAsync(JObject.Parse("""{"id":"1-2","pk":"one"}"""), key);
        await container.DeleteAsync("1-4", key);
        using var feed = container.GetChangeFeedIterator<JObject>(
            ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(key)), ChangeFeedMode.LatestVersion,
            new ChangeFeedRequestOptions { PageSizeHint = 2 });

        foreach (var expected in new[] { "0-0 0-1 0-2 0-3 0-4", "1-0 1-1 1-3", "2-0 2-1 2-2 2-3 2-4", "9 1-2" })
        {
            var page = await feed.ReadNextAsync(Token);
            Assert.Equal(expected, string.Join(' ', page.Select(item => (string)item["id"]!)));
            Assert.Equal(expected[0] == '9' ? 2 : 1, page.Select(item => (long)item["_lsn"]!).Distinct().Count());
        }

        Assert.Equal(HttpStatusCode.NotModified, (await feed.ReadNextAsync(Token)).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfAPrefixOfAHierarchicalKey_HasOnlyItsItems(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(
            mode, properties: new ContainerProperties { PartitionKeyPaths = ["/pk", "/text", "/id"] });
        for (var i = 0; i < 60; i++)
            await container.CreateItemAsync(new Item { Id = $"{i}", Key = $"k{i % 3}", Text = $"t{i % 6}" }, cancellationToken: Token);
        var first = new PartitionKeyBuilder().Add("k1").Build();
        var two = new PartitionKeyBuilder().Add("k1").Add("t4").Build();
        var ofFirst = await Feed(container, ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(first)), 7).ReadAllAsync();
        var ofTwo = await Feed(container, ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(two)), 7).ReadAllAsync();

        Assert.Equal(Enumerable.Range(0, 60).Where(i => i % 3 == 1).Select(i => $"{i}").Order(), ofFirst.Select(item => item.Id).Order());
        Assert.Equal(Enumerable.Range(0, 60).Where(i => i % 6 == 4).Select(i => $"{i}").Order(), ofTwo.Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_Pages_AreInTheLedger(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        await Feed(container, ChangeFeedStartFrom.Beginning(), 1_000).ReadAllAsync();
        var queries = LedgerOf(container).Operations.Query;
        Assert.True(queries.Attempts >= 4 && queries.RequestUnits.Value >= 4, $"{queries}");
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 50}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i % 50}");

    private static FeedIterator<Item> Feed(Container container, ChangeFeedStartFrom start, int page) =>
        container.GetChangeFeedIterator<Item>(start, ChangeFeedMode.LatestVersion, new ChangeFeedRequestOptions { PageSizeHint = page });

    private Task<Container> FillAsync(ConnectionMode mode) =>
        FillAsync(mode, Enumerable.Range(0, Documents).Select(i => (Item(i), $"k{i % 50}")));
}
