using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class QueryTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 300;

    [Theory, MemberData(nameof(Modes))]
    public async Task Count_AcrossPartitions_CountsEveryDocument(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);

        Assert.Equal([Documents], await ReadAsync<int>(container, new QueryDefinition("SELECT VALUE COUNT(1) FROM c")));
        Assert.Equal(
            [Documents / 3],
            await ReadAsync<int>(
                container, new QueryDefinition("SELECT VALUE COUNT(1) FROM c WHERE c[\"value\"] = @v").WithParameter("@v", 1)));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_SmallPages_GivesEveryDocumentOnce(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        int pages = 0;

        List<Item> items = await ReadAsync<Item>(
            container, new QueryDefinition("SELECT * FROM c"), new QueryRequestOptions { MaxItemCount = 7 }, page =>
            {
                pages++;
                Assert.InRange(page.Count, 0, 7);
            });

        Assert.Equal(Documents, items.Select(item => item.Id).Distinct().Count());
        Assert.Equal(Documents, items.Count);
        Assert.InRange(pages, Documents / 7, (Documents / 7) + 5);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_ResumedWithContinuation_GoesOnBehindTheLastPage(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        var query = new QueryDefinition("SELECT * FROM c");
        var ids = new List<string>();
        string? continuation = null;
        do
        {
            using FeedIterator<Item> iterator = container.GetItemQueryIterator<Item>(
                query, continuation, new QueryRequestOptions { MaxItemCount = 40 });
            FeedResponse<Item> page = await iterator.ReadNextAsync(Token);
            ids.AddRange(page.Select(item => item.Id));
            continuation = page.ContinuationToken;
        }
        while (continuation is not null);

        Assert.Equal(Documents, ids.Count);
        Assert.Equal(Documents, ids.Distinct().Count());
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_WithConditions_GivesWhatMeetsAll(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        QueryDefinition query = new QueryDefinition(
            "SELECT * FROM c WHERE c.pk = @pk AND c[\"value\"] = @v").WithParameter("@pk", "k4").WithParameter("@v", 1);
        QueryDefinition byId = new QueryDefinition("select * from root r where r.id = @id").WithParameter("@id", "17");
        QueryDefinition range = new("SELECT * FROM c WHERE c.nested.number >= 290 AND c.nested.number != 295");

        Assert.All(await ReadAsync<Item>(container, query), item => Assert.Equal(("k4", 1), (item.Key, item.Value)));
        Assert.Equal(["17"], (await ReadAsync<Item>(container, byId)).Select(item => item.Id));
        Assert.Equal(9, (await ReadAsync<Item>(container, range)).Count);
        Assert.Empty(await ReadAsync<Item>(container, new QueryDefinition("SELECT * FROM c WHERE c.missing = null")));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_OfFeedRanges_AddsUpToTheWhole(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        IReadOnlyList<FeedRange> partitions = await container.GetFeedRangesAsync(Token);
        string[] edges = ["", "05", "10", "18", "1D", "2F", "3A", "FF"];
        FeedRange[] parts = [.. edges.Zip(edges.Skip(1), (min, max) =>
            FeedRange.FromJsonString($$$"""{"Range":{"min":"{{{min}}}","max":"{{{max}}}"}}"""))];

        Assert.Equal(4, partitions.Count);
        foreach (IReadOnlyList<FeedRange> ranges in (IReadOnlyList<FeedRange>[])[partitions, parts])
        {
            var ids = new List<string>();
            foreach (FeedRange range in ranges)
            {
                using FeedIterator<Item> iterator = container.GetItemQueryIterator<Item>(
                    range, new QueryDefinition("SELECT * FROM c"), null, new QueryRequestOptions { MaxItemCount = 25 });
                ids.AddRange((await iterator.ReadAllAsync()).Select(item => item.Id));
            }

            Assert.Equal(Documents, ids.Count);
            Assert.Equal(Documents, ids.Distinct().Count());
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadFeed_OfContainer_GivesEveryDocument(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);
        var ids = new List<string>();
        using FeedIterator<Item> iterator = container.GetItemQueryIterator<Item>(
            requestOptions: new QueryRequestOptions { MaxItemCount = 50 });
        ids.AddRange((await iterator.ReadAllAsync()).Select(item => item.Id));

        Assert.Equal(Documents, ids.Distinct().Count());
        Assert.Equal(Documents, ids.Count);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_OneDocumentOfOneKey_CostsTheKnownCharge(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);

        using FeedIterator<Item> iterator = container.GetItemQueryIterator<Item>(
            new QueryDefinition(
                "SELECT * FROM c WHERE c.id = '3'"), requestOptions: new QueryRequestOptions { PartitionKey = new PartitionKey("k3") });
        FeedResponse<Item> page = await iterator.ReadNextAsync(Token);

        Assert.Equal("3", Assert.Single(page).Id);
        // A page with one condition of 2.2146 + 0.2 RU, and of a document of 45 bytes 0.5424 RU a kilobyte.
        Assert.Equal(2.44, page.RequestCharge, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_BeyondWhatIsSimulated_IsBadRequest(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);
        string[] queries =
        [
            "SELECT", "SELECT c.id FROM c JOIN x IN c.l", "SELECT * FROM c WHERE c.x = @none", "nonsense",
            "SELECT VALUE SUM(c.x) / COUNT(1) FROM c", "SELECT * FROM c WHERE d.x = 1", "SELECT * FROM c WHERE c.x = 'open",
        ];
        foreach (string query in queries)
        {
            CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => ReadAsync<Item>(container, new QueryDefinition(query)));
            Assert.Equal(HttpStatusCode.BadRequest, e.StatusCode);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_FixedPartitionKey_TouchesOnePartition(ConnectionMode mode)
    {
        Container container = await FillAsync(mode);

        await ReadAsync<Item>(container, new QueryDefinition("SELECT * FROM c WHERE c.pk = 'k5'"));

        ContainerLedger ledger = LedgerOf(container);
        Assert.Equal(1, ledger.Operations.Query.Attempts);
    }

    private static async Task<List<T>> ReadAsync<T>(
        Container container, QueryDefinition query, QueryRequestOptions? options = null, Action<FeedResponse<T>>? onPage = null)
    {
        var items = new List<T>();
        using FeedIterator<T> iterator = container.GetItemQueryIterator<T>(query, requestOptions: options);
        while (iterator.HasMoreResults)
        {
            FeedResponse<T> page = await iterator.ReadNextAsync(Token);
            onPage?.Invoke(page);
            items.AddRange(page);
        }

        return items;
    }

    private Task<Container> FillAsync(ConnectionMode mode) => FillAsync(mode, Enumerable.Range(0, Documents).Select(
        i => (new { id = $"{i}", pk = $"k{i % 30}", value = i % 3, nested = new { number = i } }, $"k{i % 30}")));
}
