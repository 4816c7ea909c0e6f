using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Queries that continue after a split of their partition.</summary>
public sealed class QuerySplitTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const int Documents = 200;
    private const int Groups = 40;

    [Theory, MemberData(nameof(Modes))]
    public async Task OrderBy_SplitBetweenPages_ReturnsEveryDocumentOnceInOrder(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var values = new List<int>();
        var pages = 0;
        using var iterator = container.GetItemQueryIterator<int>(
            "SELECT VALUE c.number FROM c ORDER BY c.g DESC, c.number", requestOptions: new QueryRequestOptions { MaxItemCount = 10 });
        while (iterator.HasMoreResults)
        {
            values.AddRange(await iterator.ReadNextAsync(Token));
            if (++pages is 4 or 9)
                await SplitAsync(container, pages == 4 ? 0 : 2);
        }

        Assert.Equal(Enumerable.Range(0, Documents).OrderByDescending(i => i % Groups).ThenBy(i => i), values);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Join_SplitWithinADocument_ReturnsEveryRowOnce(ConnectionMode mode)
    {
        var container = await FillAsync(mode);
        var rows = new List<string>();
        var pages = 0;
        using var iterator = container.GetItemQueryIterator<string>(
            "SELECT VALUE c.id || ':' || x FROM c JOIN x IN (SELECT VALUE ['a', 'b', 'c'])",
            requestOptions: new QueryRequestOptions { MaxItemCount = 2, MaxConcurrency = 0 });
        while (iterator.HasMoreResults)
        {
            rows.AddRange(await iterator.ReadNextAsync(Token));
            if (++pages is 4 or 100)
                await SplitAsync(container, pages == 4 ? 0 : 2);
        }

        Assert.Equal(
            Enumerable.Range(0, Documents).SelectMany(i => (string[])[$"{i}:a", $"{i}:b", $"{i}:c"]).Order(StringComparer.Ordinal),
            rows.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Groups_SplitBetweenPages_AddUp()
    {
        var container = await FillAsync(ConnectionMode.Gateway);
        const string query = "SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g";
        (var whole, _) = await ReadPageAsync(container, query, "1", pageSize: 1_000, continuation: null);
        (var read, var continuation) = await ReadPageAsync(container, query, "1", pageSize: 7, continuation: null);
        Assert.Equal(7, read.Count);
        Assert.NotNull(continuation);

        await SplitAsync(container, 1);
        foreach (var child in new[] { "4", "5" })
        {
            var next = continuation;
            while (next is not null)
            {
                (var page, next) = await ReadPageAsync(container, query, child, pageSize: 7, next);
                foreach ((var group, var count) in page)
                    read[group] = read.GetValueOrDefault(group) + count;
            }
        }

        Assert.Equal(whole.OrderBy(one => one.Key), read.OrderBy(one => one.Key));
    }

    /// <summary>One page of one range: the count of each group.</summary>
    private async Task<(Dictionary<int, int> Groups, string? Continuation)> ReadPageAsync(
        Container container, string query, string range, int pageSize, string? continuation)
    {
        (string, string)[] headers =
        [("x-ms-documentdb-isquery", "True"), ("x-ms-documentdb-partitionkeyrangeid", range), ("x-ms-max-item-count", $"{pageSize}")];
        if (continuation is not null)
            headers = [.. headers, ("x-ms-continuation", continuation)];
        using var response = await SendAsync(HttpMethod.Post, DocumentsOf(container), JsonSerializer.Serialize(new { query }), headers);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        using var body = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Token));
        return (
            body.RootElement.GetProperty("Documents").EnumerateArray()
                .ToDictionary(one => one.GetProperty("g").GetInt32(), one => one.GetProperty("n").GetInt32()),
            response.Headers.TryGetValues("x-ms-continuation", out var next) ? next.Single() : null);
    }

    private Task<Container> FillAsync(ConnectionMode mode) => FillAsync(
        mode, Enumerable.Range(0, Documents).Select(i => (new { id = $"{i}", pk = $"k{i}", number = i, g = i % Groups }, $"k{i}")),
        CompositeIndexes.Properties("/g, /number DESC"));
}
