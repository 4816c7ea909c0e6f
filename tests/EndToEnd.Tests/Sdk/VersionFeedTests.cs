using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The change feed of all versions and deletes, as the SDK reads it, with a clock that the tests move.</summary>
public sealed class VersionFeedTests(VersionFeedTests.MovableAccount fixture) : AccountTests<VersionFeedTests.MovableAccount>(fixture)
{
    private static readonly PartitionKey Key = new("k");

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfOneItem_HasEachVersionAndTheDelete(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(One(0));
        using var feed = Feed(container);
        Assert.Empty(await feed.ReadAllAsync());

        await container.UpsertAsync(One(1), Key);
        await container.ReplaceAsync(One(2) with { Text = new string('x', 3_000) }, "1", Key);
        await container.PatchAsync("1", Key, PatchOperation.Set("/value", 3));
        await container.DeleteAsync("1", Key);
        await container.UpsertAsync(One(4), Key);
        var changes = await feed.ReadAllAsync();

        Assert.Equal(["Replace 1", "Replace 2", "Replace 3", "Delete", "Create 4"], changes.Select(Text));
        List<long> lsns = [.. changes.Select(change => change.Metadata.Lsn)];
        Assert.Equal(lsns.Distinct().Order(), lsns);
        // Each names the one before, and a new item names none.
        Assert.Equal([lsns[0], lsns[1], lsns[2], 0], changes.Skip(1).Select(change => change.Metadata.PreviousLsn));
        Assert.InRange(changes[0].Metadata.PreviousLsn, 1, lsns[0] - 1);
        Assert.All(changes, change => Assert.Null(change.Previous));
        Assert.Empty(await feed.ReadAllAsync());
    }

    /// <summary>The form of the service's documentation, "Change feed modes in Azure Cosmos DB".</summary>
    [Fact]
    public async Task Feed_EachKindOfChange_HasTheDocumentedForm()
    {
        var container = await CreateContainerAsync(
            properties: new ContainerProperties { PartitionKeyPaths = ["/pk", "/text"] });
        var start = await StartAsync(container);
        var key = new PartitionKeyBuilder().Add("k").Add("t").Build();
        await container.AddAsync(One(1) with { Text = "t" }, key);
        await container.UpsertAsync(One(2) with { Text = "t" }, key);
        await container.DeleteAsync("1", key);

        using var response = await ReadAsync(container, "0", start);
        using var page = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Token));
        JsonElement[] changes = [.. page.RootElement.GetProperty("Documents").EnumerateArray()];

        Assert.Equal(
            ["current,metadata|operationType,lsn,crts", "current,metadata|operationType,lsn,crts,previousImageLSN",
                "metadata|operationType,lsn,crts,previousImageLSN,id,partitionKey"],
            changes.Select(change => $"{Names(change)}|{Names(change.GetProperty("metadata"))}"));
        Assert.Equal(["create", "replace", "delete"], changes.Select(change => Metadata(change, "operationType").GetString()));
        Assert.Equal("id,pk,value,text,_rid,_self,_etag,_attachments,_ts", Names(changes[0].GetProperty("current")));
        Assert.Equal("1", Metadata(changes[2], "id").GetString());
        Assert.Equal("""{"pk":"k","text":"t"}""", Metadata(changes[2], "partitionKey").GetRawText());
        Assert.Equal(Metadata(changes[1], "lsn").GetInt64(), Metadata(changes[2], "previousImageLSN").GetInt64());
        Assert.Equal(changes[0].GetProperty("current").GetProperty("_ts").GetInt64(), Metadata(changes[0], "crts").GetInt64());

        static string Names(JsonElement element) => string.Join(',', element.EnumerateObject().Select(property => property.Name));
        static JsonElement Metadata(JsonElement change, string name) => change.GetProperty("metadata").GetProperty(name);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_ExpiredItem_IsADeleteThatSaysSo(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(
            mode, properties: new ContainerProperties { PartitionKeyPath = "/pk", DefaultTimeToLive = 10 });
        using var feed = Feed(container);
        Assert.Empty(await feed.ReadAllAsync());
        await container.AddAsync(One(1));
        await container.AddAsync(One(2) with { Id = "2" });
        await container.DeleteAsync("2", Key);
        Fixture.Move(11);

        var deletes = (await feed.ReadAllAsync()).Where(change => change.Metadata.OperationType == ChangeFeedOperationType.Delete);

        Assert.Equal([("2", false), ("1", true)], deletes.Select(change => (change.Metadata.Id, change.Metadata.IsTimeToLiveExpired)));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_Batches_HasAllOfADoneOneAndNothingOfAFailedOne(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(One(0));
        using var feed = Feed(container);
        Assert.Empty(await feed.ReadAllAsync());
        using var failed = await container.CreateTransactionalBatch(Key)
            .CreateItem(One(5) with { Id = "5" }).UpsertItem(One(6)).DeleteItem("1").CreateItem(One(7) with { Id = "5" })
            .ExecuteAsync(Token);
        using var done = await container.CreateTransactionalBatch(Key)
            .CreateItem(One(8) with { Id = "8" }).ReplaceItem("8", One(9) with { Id = "8" }).DeleteItem("1").ExecuteAsync(Token);

        Assert.Equal((HttpStatusCode.Conflict, HttpStatusCode.OK), (failed.StatusCode, done.StatusCode));
        Assert.Equal(["Create 8", "Replace 9", "Delete"], (await feed.ReadAllAsync()).Select(Text));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfTransactions_EndsNoPageWithinOne(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var feed = Feed(container, pageSize: 1);
        Assert.Empty(await feed.ReadAllAsync());
        for (var i = 0; i < 3; i++)
        {
            using var done = await container.CreateTransactionalBatch(Key)
                .UpsertItem(One(i) with { Id = "2" }).ReadItem("2").UpsertItem(One(i)).DeleteItem("2").ExecuteAsync(Token);
            Assert.True(done.IsSuccessStatusCode);
        }

        for (var i = 0; i < 3; i++)
        {
            var page = await feed.ReadNextAsync(Token);
            Assert.Equal([$"Create {i}", i == 0 ? "Create 0" : $"Replace {i}", "Delete"], page.Select(Text));
            Assert.Single(page.Select(change => change.Metadata.Lsn).Distinct());
        }

        Assert.Empty(await feed.ReadAllAsync());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_AcrossASplitByItsContinuation_HasEveryChangeOnce(ConnectionMode mode)
    {
        const int items = 40;
        var container = await CreateContainerAsync(mode);
        string? continuation = null;
        var seen = new List<string>();
        await ReadAsync();
        for (var i = 0; i < items; i++)
            await container.AddAsync(Numbered(i));
        await ReadAsync(pages: 3);
        await SplitAsync(container, 0);
        for (var i = 0; i < items; i++)
            await container.UpsertAsync(Numbered(i) with { Value = i + items }, new PartitionKey($"k{i}"));
        await SplitAsync(container, 1);
        for (var i = 0; i < items; i++)
            await container.DeleteAsync($"{i}", new PartitionKey($"k{i}"));
        await ReadAsync();

        Assert.Equal(
            Enumerable.Range(0, items).SelectMany(i => new[] { $"{i} Create {i}", $"{i} Replace {i + items}", $"{i} Delete" }).Order(),
            seen.Order());
        Assert.All(
            seen.GroupBy(text => text.Split(' ')[0]),
            one => Assert.Equal(["Create", "Replace", "Delete"], one.Select(text => text.Split(' ')[1])));

        // At most so many pages with changes.
        async Task ReadAsync(int pages = int.MaxValue)
        {
            var start = continuation is null ? ChangeFeedStartFrom.Now() : ChangeFeedStartFrom.ContinuationToken(continuation);
            using var feed = Feed(container, start, pageSize: 5);
            for (var page = 0; page < pages; page++)
            {
                var response = await feed.ReadNextAsync(Token);
                continuation = response.ContinuationToken;
                if (response.StatusCode == HttpStatusCode.NotModified)
                    break;
                Assert.InRange(response.Count, 1, 5);
                seen.AddRange(response.Select(change => $"{change.Current?.Id ?? change.Metadata.Id} {Text(change)}"));
            }
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Feed_OfOneKey_HasItsChangesOnly(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var feed = Feed(container, ChangeFeedStartFrom.Now(FeedRange.FromPartitionKey(Key)));
        Assert.Empty(await feed.ReadAllAsync());
        await container.AddAsync(One(1));
        for (var i = 0; i < 20; i++)
            await container.AddAsync(Numbered(i));
        using var deleted = await container.DeleteAllAsync(Key);
        Assert.Equal(["Create 1", "Delete"], (await feed.ReadAllAsync()).Select(Text));
    }

    /// <summary>The service has changes from now on, or from a continuation within the retention.</summary>
    [Theory]
    [InlineData(null, "2021-09-15", "from now on or from a continuation")]
    [InlineData("\"1\"", "2021-09-15", "not retained")]
    [InlineData("\"999999\"", "2021-09-15", "ahead of")]
    [InlineData("*", "2020-01-01", "wire format")]
    [InlineData("*", null, "wire format")]
    public async Task Feed_WhatIsNotKept_IsBadRequest(string? etag, string? format, string message)
    {
        var container = await CreateContainerAsync();
        for (var i = 0; i < 20; i++)
            await container.AddAsync(Numbered(i));
        using var response = await ReadAsync(container, "0", etag, format);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(message, await response.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Feed_AfterAMerge_BeginsAnew()
    {
        var container = await CreateContainerAsync(throughput: 10_000);
        var before = await StartAsync(container);
        await SplitAsync(container, 0);
        for (var i = 0; i < 20; i++)
            await container.AddAsync(Numbered(i));
        await AccountClients.ChangeAsync(Account, "merge", container, 1);
        using var dropped = await ReadAsync(container, "3", before);
        using var start = await ReadAsync(container, "3", "*");
        await container.DeleteAsync("7", new PartitionKey("k7"));
        using var changed = await ReadAsync(container, "3", start.Headers.ETag!.Tag);

        Assert.Equal(
            [HttpStatusCode.BadRequest, HttpStatusCode.NotModified, HttpStatusCode.OK],
            [dropped.StatusCode, start.StatusCode, changed.StatusCode]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Processor_OfAllVersions_HandlesWritesAndDeletes(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        var leases = await CreateContainerAsync(mode, properties: new ContainerProperties { PartitionKeyPath = "/id" });
        var seen = new ConcurrentQueue<ChangeFeedOperationType>();
        var processor = container
            .GetChangeFeedProcessorBuilderWithAllVersionsAndDeletes<Item>("all", (_, changes, _) =>
            {
                foreach (var change in changes)
                    seen.Enqueue(change.Metadata.OperationType);
                return Task.CompletedTask;
            })
            .WithInstanceName("only").WithLeaseContainer(leases).WithPollInterval(TimeSpan.FromMilliseconds(50))
            .WithLeaseConfiguration(acquireInterval: TimeSpan.FromMilliseconds(200))
            .Build();
        await processor.StartAsync();
        await Until.HoldsAsync(
            async () =>
            {
                await container.UpsertAsync(One(1), Key);
                return seen.Contains(ChangeFeedOperationType.Replace);
            },
            "a replacement that the processor handles");
        await container.DeleteAsync("1", Key);
        await Until.HoldsAsync(() => seen.Contains(ChangeFeedOperationType.Delete), "the delete that the processor handles");
        await processor.StopAsync();
        Assert.Equal(ChangeFeedOperationType.Delete, seen.Last());
    }

    private static Item One(int value) => new() { Id = "1", Key = "k", Value = value };

    private static Item Numbered(int i) => new() { Id = $"{i}", Key = $"k{i}", Value = i };

    private static string Text(ChangeFeedItem<Item> change) => change.Current is { } current
        ? $"{change.Metadata.OperationType} {current.Value}" : $"{change.Metadata.OperationType}";

    private static FeedIterator<ChangeFeedItem<Item>> Feed(
        Container container, ChangeFeedStartFrom? start = null, int? pageSize = null) =>
        container.GetChangeFeedIterator<ChangeFeedItem<Item>>(
            start ?? ChangeFeedStartFrom.Now(), ChangeFeedMode.AllVersionsAndDeletes,
            new ChangeFeedRequestOptions { PageSizeHint = pageSize });

    /// <summary>Asks for the changes of the first physical partition from now on.</summary>
    /// <returns>The continuation.</returns>
    private async Task<string> StartAsync(Container container)
    {
        using var response = await ReadAsync(container, "0", "*");
        Assert.Equal(HttpStatusCode.NotModified, response.StatusCode);
        return response.Headers.ETag!.Tag;
    }

    private Task<HttpResponseMessage> ReadAsync(Container container, string range, string? etag, string? format = "2021-09-15")
    {
        var headers = new[]
        {
            ("A-IM", "Full-Fidelity Feed"), ("x-ms-documentdb-partitionkeyrangeid", range), ("If-None-Match", etag),
            ("x-ms-cosmos-changefeed-wire-format-version", format),
        };
        return SendAsync(
            HttpMethod.Get, DocumentsOf(container), null,
            [.. headers.Where(one => one.Item2 is not null).Select(one => (one.Item1, one.Item2!))]);
    }

    public sealed class MovableAccount() : TimedAccount(new AccountSettings { PhysicalPartitions = 1 });
}
