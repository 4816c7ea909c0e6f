using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class QueryTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 300;

    [Theory, MemberData(nameof(Modes))]
    public async Task Count_AcrossPartitions_CountsEveryDocument(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var some = new QueryDefinition("SELECT VALUE COUNT(1) FROM c WHERE c[\"value\"] = @v").WithParameter("@v", 1);
        Assert.Equal([Documents], await container.QueryAsync<int>("SELECT VALUE COUNT(1) FROM c"));
        Assert.Equal([Documents / 3], await ReadAsync<int>(container, some));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_SmallPages_ReturnsEveryDocumentOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var pages = 0;
        var ids = new List<string>();
        using var iterator = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c", requestOptions: new QueryRequestOptions { MaxItemCount = 7 });
        for (; iterator.HasMoreResults; pages++)
        {
            var page = await iterator.ReadNextAsync(Token);
            Assert.InRange(page.Count, 0, 7);
            ids.AddRange(page.Select(item => item.Id));
        }

        AssertAll(ids);
        Assert.InRange(pages, Documents / 7, (Documents / 7) + 5);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_ResumedWithContinuation_ContinuesAfterTheLastPage(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var ids = new List<string>();
        string? continuation = null;
        do
        {
            using var iterator = container.GetItemQueryIterator<Item>(
                "SELECT * FROM c", continuation, new QueryRequestOptions { MaxItemCount = 40 });
            var page = await iterator.ReadNextAsync(Token);
            ids.AddRange(page.Select(item => item.Id));
            continuation = page.ContinuationToken;
        }
        while (continuation is not null);

        AssertAll(ids);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_WithConditions_ReturnsDocumentsThatMeetAll(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var query = new QueryDefinition("SELECT * FROM c WHERE c.pk = @pk AND c[\"value\"] = @v")
            .WithParameter("@pk", "k4").WithParameter("@v", 1);
        var byId = new QueryDefinition("select * from root r where r.id = @id").WithParameter("@id", "17");
        Assert.All(await ReadAsync<Item>(container, query), item => Assert.Equal(("k4", 1), (item.Key, item.Value)));
        Assert.Equal(["17"], (await ReadAsync<Item>(container, byId)).Select(item => item.Id));
        var range = await container.QueryAsync<Item>("SELECT * FROM c WHERE c.nested.number >= 290 AND c.nested.number != 295");
        Assert.Equal(9, range.Count);
        Assert.Empty(await container.QueryAsync<Item>("SELECT * FROM c WHERE c.missing = null"));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_OfFeedRanges_AddsUpToTheWhole(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var partitions = await container.GetFeedRangesAsync(Token);
        string[] edges = ["", "05", "10", "18", "1D", "2F", "3A", "FF"];
        FeedRange[] parts = [.. edges.Zip(edges.Skip(1), (min, max) =>
            FeedRange.FromJsonString($$$"""{"Range":{"min":"{{{min}}}","max":"{{{max}}}"}}"""))];

        Assert.Equal(4, partitions.Count);
        foreach (var ranges in (IReadOnlyList<FeedRange>[])[partitions, parts])
        {
            var ids = new List<string>();
            foreach (var range in ranges)
            {
                using var iterator = container.GetItemQueryIterator<Item>(
                    range, new QueryDefinition("SELECT * FROM c"), null, new QueryRequestOptions { MaxItemCount = 25 });
                ids.AddRange((await iterator.ReadAllAsync()).Select(item => item.Id));
            }

            AssertAll(ids);
        }
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ReadFeed_OfContainer_ReturnsEveryDocument(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var items = await container.QueryAsync<Item>(options: new QueryRequestOptions { MaxItemCount = 50 });
        AssertAll(items.ConvertAll(item => item.Id));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Select_OneDocumentOfOneKey_CostsTheKnownCharge(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        using var iterator = container.GetItemQueryIterator<Item>(
            "SELECT * FROM c WHERE c.id = '3'", requestOptions: new QueryRequestOptions { PartitionKey = new PartitionKey("k3") });
        var page = await iterator.ReadNextAsync(Token);
        Assert.Equal("3", Assert.Single(page).Id);
        // A page of 2.25 RU, the condition and the key of the request 0.55 + 0.1, and a document of some 250 stored bytes 0.03.
        Assert.Equal(2.93, page.RequestCharge, 6);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_BeyondWhatIsSimulated_IsBadRequest(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        string[] queries =
        [
            "SELECT", "SELECT udf.f(c.id) FROM c", "SELECT TOP @none * FROM c", "nonsense",
            "SELECT VALUE SUM(c.x) / COUNT(1) FROM c", "SELECT * FROM c WHERE d.x = 1", "SELECT * FROM c WHERE c.x = 'open",
        ];
        foreach (var query in queries)
            await FailsAsync(HttpStatusCode.BadRequest, () => container.QueryAsync<Item>(query));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_FixedPartitionKey_TouchesOnePartition(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        await container.QueryAsync<Item>("SELECT * FROM c WHERE c.pk = 'k5'");
        Assert.Equal(1, LedgerOf(container).Operations.Query.Attempts);
    }

    private static void AssertAll(List<string> ids) => Assert.Equal((Documents, Documents), (ids.Count, ids.Distinct().Count()));

    private static async Task<List<T>> ReadAsync<T>(Container container, QueryDefinition query)
    {
        using var iterator = container.GetItemQueryIterator<T>(query);
        return await iterator.ReadAllAsync();
    }

    private Task<Container> FillAsync(ConnectionMode mode) => FillAsync(mode, Enumerable.Range(0, Documents).Select(
        i => (new { id = $"{i}", pk = $"k{i % 30}", value = i % 3, nested = new { number = i } }, $"k{i % 30}")));
}
