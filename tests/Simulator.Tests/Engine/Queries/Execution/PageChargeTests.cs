using ScaleOut.Tests.Simulator.Engine.Queries;

namespace ScaleOut.Tests.Simulator.Engine.Queries.Execution;

/// <summary>
/// Queries of the public recording of a hosted account (plans/published/query-charges.csv), run by the engine on the same documents: 2,500
/// of one key in one partition.
/// </summary>
public sealed class PageChargeTests(PageChargeTests.Documents documents) : IClassFixture<PageChargeTests.Documents>
{
    [Theory]
    [InlineData("SELECT * FROM c", 5_000, 2_500, 38.14)]
    [InlineData("SELECT c.id FROM c", 5_000, 2_500, 34.72)]
    [InlineData("SELECT c.id, c.n FROM c", 1_000, 1_000, 17.16)]
    [InlineData("SELECT c.id FROM c", 1_000, 1_000, 15.24)]
    [InlineData("SELECT VALUE COUNT(1) FROM c", 100, 1, 2.89)]
    [InlineData("SELECT 1", 100, 1, 2.25)]
    [InlineData("SELECT * FROM c WHERE c.id = 'rp0-7'", 100, 1, 2.82)]
    [InlineData("SELECT c.id FROM c WHERE c.id = 'none'", 100, 0, 2.80)]
    [InlineData("SELECT c.id FROM c WHERE c.id IN ('rp0-1', 'rp0-2')", 100, 2, 2.94)]
    [InlineData("SELECT c.id FROM c WHERE ARRAY_CONTAINS(['rp0-1', 'rp0-2'], c.id)", 100, 2, 2.94)]
    public void Charge_OfARecordedQuery_IsThatOfTheRecording(string query, int pageSize, int results, double charge)
    {
        var page = documents.Host.RunPage(documents.Host.Parse(query), pageSize);
        Assert.Equal(results, page.ItemCount);
        Assert.InRange(page.Result.Charge.Value, charge * 0.985, charge * 1.015);
    }

    /// <summary>A row is charged, whether or not it has a result, is skipped or is counted.</summary>
    [Theory]
    [InlineData("SELECT VALUE c.missing FROM c JOIN x IN (SELECT VALUE [rows])")]
    [InlineData("SELECT VALUE c.n FROM c JOIN x IN (SELECT VALUE [rows]) OFFSET skipped LIMIT 1")]
    [InlineData("SELECT VALUE c.n FROM c JOIN x IN (SELECT VALUE [rows]) ORDER BY c.n OFFSET skipped LIMIT 1")]
    [InlineData("SELECT VALUE COUNT(1) FROM c JOIN x IN (SELECT VALUE [rows])")]
    public void Charge_OfRows_IsThatOfEachRow(string query)
    {
        using var host = new QueryHost(["""{"id":"1","pk":"a","n":1}"""]);
        var difference = Charge(rows: 101) - Charge(rows: 1);
        Assert.InRange(difference, 100 * new QueryCharges().Row * 0.95, 100 * new QueryCharges().Row * 1.05);

        double Charge(int rows)
        {
            var text = query.Replace("rows", string.Join(',', Enumerable.Range(0, rows)), StringComparison.Ordinal)
                .Replace("skipped", (rows - 1).ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
            return host.RunPage(host.Parse(text), pageSize: 1_000).Result.Charge.Value;
        }
    }

    /// <summary>A page ends once its results have 4 MB: 207 documents of 20 KB in a public report.</summary>
    [Fact]
    public void Page_OfLargeDocuments_EndsAt4Megabytes()
    {
        var text = new string('x', 19_700);
        using var host = new QueryHost(Enumerable.Range(0, 250).Select(i => $$"""{"id":"{{i}}","pk":"k","text":"{{text}}"}"""));
        Assert.InRange(host.RunPage(host.Parse("SELECT * FROM c"), 1_000).ItemCount, 205, 212);
    }

    public sealed class Documents : IDisposable
    {
        internal QueryHost Host { get; } = new(Enumerable.Range(0, 2_500).Select(
            i => $$"""{"id":"rp0-{{i}}","pk":"p0","n":{{i}},"grp":{{i % 7}},"txt":"row {{i}}"}"""));

        public void Dispose() => Host.Dispose();
    }
}
