using System.Buffers;
using ScaleOut.Simulator.Engine.Queries.Execution;

namespace ScaleOut.Tests.Simulator.Engine.Queries.Execution;

public sealed class QueryPageTests
{
    private const int Documents = 1_000;

    /// <summary>Each page ends after the first documents that it reads, whether or not they meet the condition.</summary>
    [Fact]
    public void Page_TimeIsOver_NextPageContinuesTheSearch()
    {
        using var host = CreateHost();
        var query = host.Parse("SELECT VALUE c.number FROM c WHERE c.number + 1 > 997");
        var (results, pages) = (0, 0);
        QueryContinuation? next = default(QueryContinuation);
        while (next is { } continuation)
        {
            var page = host.RunPage(query, pageSize: 100, continuation, maxPageTime: TimeSpan.Zero);
            results += page.ItemCount;
            next = page.Next;
            pages++;
        }

        Assert.Equal(3, results);
        Assert.InRange(pages, 2, Documents);
    }

    /// <summary>Writers wait for few documents of many rows: a page whose time is over ends where it releases the lock.</summary>
    [Fact]
    public void Page_DocumentsHaveManyRows_ReleasesTheLockBetweenThem()
    {
        using var host = CreateHost();
        var items = $"(SELECT VALUE [{string.Join(',', Enumerable.Range(0, 200))}])";
        var query = host.Parse($"SELECT VALUE c.number FROM c JOIN x IN {items} JOIN y IN {items} WHERE x + y + c.number < 0");
        var next = host.RunPage(query, pageSize: 100, maxPageTime: TimeSpan.Zero).Next;
        Assert.InRange(Assert.NotNull(next).AfterSequence, 1, 10);
    }

    /// <summary>A function may take seconds of a page, in which writers are not to wait.</summary>
    [Fact]
    public void Page_OfAQueryThatCallsFunctions_ReleasesTheLockAfterEachDocument()
    {
        using var host = CreateHost();
        var query = host.Parse("SELECT VALUE c.number FROM c WHERE c.number < 0 AND udf.isNeverCalled(c)");
        var next = host.RunPage(query, pageSize: 100, maxPageTime: TimeSpan.Zero).Next;
        var store = host.Container.Map.Live[0].Store;
        var cursor = store.SeekAfter(0);
        Assert.True(store.TryNext(ref cursor, out var first));
        Assert.Equal(store.Record(first).Sequence, Assert.NotNull(next).AfterSequence);
    }

    [Theory]
    [InlineData("SELECT VALUE COUNT(1) FROM c WHERE c.number + 1 > 0")]
    [InlineData("SELECT TOP 1 VALUE c.number FROM c WHERE c.number + 1 > 0 ORDER BY c.number")]
    [InlineData("SELECT DISTINCT VALUE c.number FROM c WHERE c.number + 1 > 999")]
    public void Page_NeedsAllDocuments_ReadsThemAll(string text)
    {
        using var host = CreateHost();
        var page = host.RunPage(host.Parse(text), pageSize: 100, maxPageTime: TimeSpan.Zero);
        Assert.Equal(1, page.ItemCount);
        Assert.Null(page.Next);
    }

    /// <summary>Documents of other logical partitions do not cause another page.</summary>
    [Fact]
    public void Page_LastOfALogicalPartitionIsFull_HasNoContinuation()
    {
        using var host = new QueryHost(Enumerable.Range(0, 20).Select(number =>
            $$"""{"id":"{{number}}","pk":"{{(number < 5 ? "a" : "b")}}","number":{{number}}}"""));
        var page = host.RunPage(host.Parse("SELECT * FROM c WHERE c.pk = 'a'"), pageSize: 5);
        Assert.Equal(5, page.ItemCount);
        Assert.Null(page.Next);
    }

    [Theory]
    [InlineData("SELECT VALUE x FROM c JOIN x IN c.l WHERE c.pk = 'a' AND c.id = '1'", 1, 2)]
    [InlineData("SELECT VALUE x FROM c JOIN x IN c.l WHERE c.pk = 'a' AND c.id = '1'", 2, 2)]
    [InlineData("SELECT DISTINCT VALUE x FROM c JOIN x IN c.l WHERE c.pk = 'a' AND c.id = '1'", 1, 2)]
    [InlineData("SELECT * FROM c WHERE c.pk = 'a' AND c.id = '1'", 1, 1)]
    public void Page_OfOneDocumentIsFull_ReturnsEachRowOnce(string query, int pageSize, int rows)
    {
        using var host = new QueryHost(Enumerable.Range(0, 4).Select(i => $$"""{"id":"{{i}}","pk":"a","l":[1,2]}"""));
        Assert.Equal(rows, host.Run(query, pageSize).Count);
        Assert.Null(host.RunPage(host.Parse(query), rows).Next);
    }

    /// <summary>The rows have 24 MB, of which a page returns 4.</summary>
    [Theory]
    [InlineData("SELECT VALUE c FROM c JOIN x IN (SELECT VALUE [rows]) ORDER BY c.number DESC", 0, 20 * 60)]
    [InlineData("SELECT VALUE c FROM c JOIN x IN (SELECT VALUE [rows]) ORDER BY c.number DESC OFFSET 100 LIMIT 900", 100, 900)]
    [InlineData("SELECT DISTINCT VALUE [c, x] FROM c JOIN x IN (SELECT VALUE [rows]) ORDER BY c.number DESC", 0, 20 * 60)]
    public void OrderedPage_OfLargeRows_HoldsAFewPagesOfThemAndLosesNone(string text, int first, int count)
    {
        const int rows = 20;
        text = text.Replace("rows", string.Join(',', Enumerable.Range(0, rows)), StringComparison.Ordinal);
        using var host = new QueryHost(Enumerable.Range(0, 60).Select(number =>
            $$"""{"id":"{{number}}","pk":"a","number":{{number}},"text":"{{new string('x', 20_000)}}"}"""));
        var results = host.Run(text).Select(one => Number(JsonNode.Parse(one)!));
        Assert.Equal(Enumerable.Range(first, count).Select(row => 59 - (row / rows)), results);

        var query = host.Parse(text);
        using var reader = new DocumentReader(query, host.Container, TimeProvider.System.GetUtcNow(), TimeSpan.FromSeconds(5));
        using var writer = new ResultWriter(new ArrayBufferWriter<byte>());
        var page = new OrderedPage(query, default, 1_000, reader, writer, new PageCharge(RequestCharges.Default, query, hasKey: false));
        var store = host.Container.Map.Live[0].Store;
        var cursor = store.SeekAfter(0);
        while (store.TryNext(ref cursor, out var address))
        {
            page.Visit(in store.Record(address), store.Body(address));
            Assert.InRange(page.HeldBytes, 1, 5 * ResultWriter.MaxBytes);
        }

        static int Number(JsonNode result) => (int)(result is JsonArray pair ? pair[0]! : result)["number"]!;
    }

    private static QueryHost CreateHost() =>
        new(Enumerable.Range(0, Documents).Select(number => $$"""{"id":"{{number}}","pk":"a","number":{{number}}}"""));
}
