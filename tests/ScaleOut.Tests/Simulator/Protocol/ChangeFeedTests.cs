using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class ChangeFeedTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 400;

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromTheBeginning_HasEachItemOnceAtItsLastChange(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        // Replaced in its place, replaced by something that needs another place, and deleted.
        await container.ReplaceItemAsync(Item(3) with { Value = 33 }, "3", Key(3), cancellationToken: Token);
        await container.UpsertItemAsync(Item(4) with { Text = new string('x', 5_000) }, Key(4), cancellationToken: Token);
        await container.UpsertItemAsync(Item(3) with { Value = 333 }, Key(3), cancellationToken: Token);
        await container.DeleteItemAsync<Item>("5", Key(5), cancellationToken: Token);
        using FeedIterator<Item> feed = Feed(container, ChangeFeedStartFrom.Beginning(), 37);

        List<Item> changes = await feed.ReadAllAsync();

        Assert.Equal(
            Enumerable.Range(0, Documents).Where(i => i != 5).Select(i => $"{i}").Order(), changes.Select(item => item.Id).Order());
        Assert.Equal(333, changes.Single(item => item.Id == "3").Value);
        Assert.Empty(await feed.ReadAllAsync());
        await container.UpsertItemAsync(Item(9) with { Value = 99 }, Key(9), cancellationToken: Token);
        Assert.Equal(99, Assert.Single(await feed.ReadAllAsync()).Value);
    }

    /// <summary>The SDK's first iterator of changes, which goes from range to range and says 304 when it has been to all of them.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task StandByFeed_HasEveryChangeAndThen304_AndGoesOnByItsContinuation(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        (int first, string continuation) = await ReadAsync(null);
        await container.UpsertItemAsync(Item(9) with { Value = 99 }, Key(9), cancellationToken: Token);

        (int second, _) = await ReadAsync(continuation);

        Assert.Equal((Documents, 1), (first, second));

        async Task<(int Items, string Continuation)> ReadAsync(string? from)
        {
            // Not public any more, but there in every version.
            MethodInfo create = container.GetType().GetMethods().Single(method => method.Name == "GetStandByFeedIterator");
            object options = Activator.CreateInstance(create.GetParameters()[2].ParameterType)!;
            if (from is null)
                options.GetType().GetProperty("StartTime")!.SetValue(options, DateTime.MinValue);
            using var feed = (FeedIterator)create.Invoke(container, [from, 50, options])!;
            int items = 0;
            for (int page = 0; page < 1_000; page++)
            {
                using ResponseMessage response = await feed.ReadNextAsync(Token);
                if (response.StatusCode == HttpStatusCode.NotModified)
                    return (items, response.ContinuationToken);
                Assert.Equal(HttpStatusCode.OK, response.StatusCode);
                using JsonDocument json = await JsonDocument.ParseAsync(response.Content, cancellationToken: Token);
                items += json.RootElement.GetProperty("Documents").GetArrayLength();
            }

            throw new InvalidOperationException("The feed has no end.");
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfOneKey_IsInTheOrderOfChanges(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        for (int i = 0; i < 10; i++)
            await container.AddAsync(Item(i) with { Key = "one" });
        await container.AddAsync(Item(0) with { Key = "other" });
        foreach (int i in new[] { 2, 7, 2 })
        {
            await container.UpsertItemAsync(Item(i) with { Key = "one", Value = -1 }, new PartitionKey("one"), cancellationToken: Token);
        }

        var range = FeedRange.FromPartitionKey(new PartitionKey("one"));
        List<string> ids = (await Feed(container, ChangeFeedStartFrom.Beginning(range), 3).ReadAllAsync()).ConvertAll(item => item.Id);

        Assert.Equal(["0", "1", "3", "4", "5", "6", "8", "9", "7", "2"], ids);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfAPage_HasAtMostItsSizeAndTheLsnOfEachChange(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        using FeedIterator feed = container.GetChangeFeedStreamIterator(
            ChangeFeedStartFrom.Beginning((await container.GetFeedRangesAsync(Token))[0]), ChangeFeedMode.LatestVersion,
            new ChangeFeedRequestOptions { PageSizeHint = 11 });

        using ResponseMessage page = await feed.ReadNextAsync(Token);

        using var reader = new StreamReader(page.Content);
        Newtonsoft.Json.Linq.JArray documents = (Newtonsoft.Json.Linq.JArray)Newtonsoft.Json.Linq.JObject.Parse(
            await reader.ReadToEndAsync(Token))["Documents"]!;
        Assert.Equal(11, documents.Count);
        List<long> lsns = [.. documents.Select(document => (long)document["_lsn"]!)];
        Assert.Equal(lsns.Order(), lsns);
        Assert.Equal(lsns.Count, lsns.Distinct().Count());
        // Reading costs the account's units as any other read does.
        Assert.True(page.Headers.RequestCharge > 1);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromNow_HasOnlyWhatChangesAfterwards(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        using FeedIterator<Item> feed = Feed(container, ChangeFeedStartFrom.Now(), 100);

        Assert.Empty(await feed.ReadAllAsync());
        await container.UpsertItemAsync(Item(7) with { Value = 77 }, Key(7), cancellationToken: Token);
        await container.AddAsync(Item(Documents));

        Assert.Equal(["400", "7"], (await feed.ReadAllAsync()).Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_FromATime_HasWhatChangedSince(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        DateTime hence = DateTime.UtcNow.AddHours(1);
        DateTime before = DateTime.UtcNow.AddHours(-1);

        Assert.Empty(await Feed(container, ChangeFeedStartFrom.Time(hence), 100).ReadAllAsync());
        Assert.Equal(Documents, (await Feed(container, ChangeFeedStartFrom.Time(before), 100).ReadAllAsync()).Count);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_ResumedByItsContinuation_GoesOnBehindTheLastPage(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        var ids = new List<string>();
        string? continuation = null;
        bool isAtEnd = false;
        while (!isAtEnd)
        {
            ChangeFeedStartFrom start = continuation is null
                ? ChangeFeedStartFrom.Beginning() : ChangeFeedStartFrom.ContinuationToken(continuation);
            using FeedIterator<Item> feed = Feed(container, start, 60);
            FeedResponse<Item> page = await feed.ReadNextAsync(Token);
            continuation = page.ContinuationToken;
            isAtEnd = page.StatusCode == HttpStatusCode.NotModified;
            if (!isAtEnd)
                ids.AddRange(page.Select(item => item.Id));
        }

        Assert.Equal(Enumerable.Range(0, Documents).Select(i => $"{i}").Order(), ids.Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfRangesSmallerThanPartitions_AddsUpToTheWhole(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        var ids = new List<string>();
        string[] edges = ["", "05", "0C", "10", "1D", "20", "2F", "3A", "FF"];
        foreach ((string min, string max) in edges.Zip(edges.Skip(1)))
        {
            FeedRange range = FeedRange.FromJsonString($$$"""{"Range":{"min":"{{{min}}}","max":"{{{max}}}"}}""");
            ids.AddRange((await Feed(container, ChangeFeedStartFrom.Beginning(range), 20).ReadAllAsync()).Select(item => item.Id));
        }

        Assert.Equal(Enumerable.Range(0, Documents).Select(i => $"{i}").Order(), ids.Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_AcrossSplits_LosesAndDoublesNothing(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        for (int i = 0; i < Documents; i += 3)
            await container.UpsertItemAsync(Item(i) with { Value = 1 }, Key(i), cancellationToken: Token);
        using FeedIterator<Item> feed = Feed(container, ChangeFeedStartFrom.Beginning(), 13);
        var ids = new List<string>();
        for (int page = 0; page < 6; page++)
            ids.AddRange((await feed.ReadNextAsync(Token)).Select(item => item.Id));

        foreach (int partition in new[] { 0, 1, 2, 4 })
            await SplitAsync(container, partition);
        ids.AddRange((await feed.ReadAllAsync()).Select(item => item.Id));

        Assert.Equal(Enumerable.Range(0, Documents).Select(i => $"{i}").Order(), ids.Order());
        for (int i = 0; i < Documents; i += 40)
            await container.UpsertItemAsync(Item(i) with { Value = 2 }, Key(i), cancellationToken: Token);
        Assert.Equal(
            Enumerable.Range(0, Documents / 40).Select(i => $"{i * 40}").Order(),
            (await feed.ReadAllAsync()).Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_BehindATransactionThatFailed_HasWhatWasThereBefore(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        for (int i = 0; i < 4; i++)
            await container.AddAsync(Item(i) with { Key = "one" });
        await container.UpsertItemAsync(Item(1) with { Key = "one", Value = 5 }, new PartitionKey("one"), cancellationToken: Token);
        using FeedIterator<Item> behind = Feed(container, ChangeFeedStartFrom.Now(), 10);
        await behind.ReadAllAsync();

        using TransactionalBatchResponse failed = await container.CreateTransactionalBatch(new PartitionKey("one"))
            .DeleteItem("0").ReplaceItem("1", Item(1) with { Key = "one", Text = new string('y', 900) })
            .CreateItem(Item(8) with { Key = "one" }).CreateItem(Item(2) with { Key = "one" }).ExecuteAsync(Token);

        Assert.Equal(HttpStatusCode.Conflict, failed.StatusCode);
        Assert.Empty(await behind.ReadAllAsync());
        List<Item> all = await Feed(container, ChangeFeedStartFrom.Beginning(), 2).ReadAllAsync();
        Assert.Equal(["0", "2", "3", "1"], all.Select(item => item.Id));
        Assert.Equal((5, ""), (all[^1].Value, all[^1].Text));
        await container.AddAsync(Item(9) with { Key = "one" });
        Assert.Equal(["9"], (await behind.ReadAllAsync()).Select(item => item.Id));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfTheFirstValuesOfAHierarchicalKey_HasTheirItemsOnly(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(
            mode, properties: new ContainerProperties { PartitionKeyPaths = ["/pk", "/text", "/id"] });
        for (int i = 0; i < 60; i++)
            await container.CreateItemAsync(new Item { Id = $"{i}", Key = $"k{i % 3}", Text = $"t{i % 6}" }, cancellationToken: Token);

        PartitionKey first = new PartitionKeyBuilder().Add("k1").Build();
        PartitionKey two = new PartitionKeyBuilder().Add("k1").Add("t4").Build();
        List<Item> ofFirst = await Feed(container, ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(first)), 7).ReadAllAsync();
        List<Item> ofTwo = await Feed(container, ChangeFeedStartFrom.Beginning(FeedRange.FromPartitionKey(two)), 7).ReadAllAsync();

        Assert.Equal(Enumerable.Range(0, 60).Where(i => i % 3 == 1).Select(i => $"{i}").Order(), ofFirst.Select(item => item.Id).Order());
        Assert.Equal(Enumerable.Range(0, 60).Where(i => i % 6 == 4).Select(i => $"{i}").Order(), ofTwo.Select(item => item.Id).Order());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfAllVersionsAndDeletes_IsBadRequest(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        using FeedIterator<Item> feed = container.GetChangeFeedIterator<Item>(
            ChangeFeedStartFrom.Now(), ChangeFeedMode.AllVersionsAndDeletes);

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => feed.ReadNextAsync(Token));

        Assert.Equal(HttpStatusCode.BadRequest, e.StatusCode);
        Assert.Contains("LatestVersion", e.Message, StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_Pages_AreInTheLedger(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);

        await Feed(container, ChangeFeedStartFrom.Beginning(), 1_000).ReadAllAsync();

        ContainerLedger ledger = LedgerOf(container);
        Assert.True(ledger.Operations.Query.Attempts >= 4);
        Assert.True(ledger.Operations.Query.RequestUnits >= 4);
    }

    private static Item Item(int i) => new() { Id = $"{i}", Key = $"k{i % 50}", Value = i };

    private static PartitionKey Key(int i) => new($"k{i % 50}");

    private static FeedIterator<Item> Feed(Container container, ChangeFeedStartFrom start, int page) =>
        container.GetChangeFeedIterator<Item>(start, ChangeFeedMode.LatestVersion, new ChangeFeedRequestOptions { PageSizeHint = page });

    private Task<Container> FillAsync(ConnectionMode mode) =>
        FillAsync(mode, Enumerable.Range(0, Documents).Select(i => (Item(i), $"k{i % 50}")));
}
