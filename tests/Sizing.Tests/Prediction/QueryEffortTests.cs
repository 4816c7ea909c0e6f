using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Tests.Sizing.Prediction;

/// <summary>What queries take, compared with the pages of an account that has the documents, and with arithmetic.</summary>
public sealed class QueryEffortTests
{
    private const int Owners = 50;
    private const int Bytes = 300;

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("SELECT * FROM c WHERE c.owner = @owner")]
    [InlineData("SELECT c.id, c.owner FROM c WHERE c.owner = @owner")]
    [InlineData("SELECT * FROM c WHERE c.owner = @owner AND c.n < 1000")]
    [InlineData("SELECT VALUE COUNT(1) FROM c WHERE c.owner = @owner")]
    [InlineData("SELECT VALUE SUM(c.n) FROM c WHERE c.owner = @owner")]
    [InlineData("SELECT * FROM c WHERE c.owner = @owner ORDER BY c.n")]
    [InlineData("SELECT TOP 5 * FROM c WHERE c.owner = @owner")]
    [InlineData("SELECT * FROM c WHERE UPPER(c.owner) = UPPER(@owner)")]
    public void At_StoredDocuments_CostsWhatTheAccountCharges(string text)
    {
        string[] documents = [.. Enumerable.Range(0, 2_000).Select(Document)];
        using var host = new QueryHost(documents);
        var parameters = new Dictionary<string, Datum> { ["@owner"] = Datum.From("o-1") };

        var page = host.RunPage(host.Parse(text, parameters), pageSize: 1_000);
        var pages = Effort(text, 2_000).At(2_000, partitions: 1);

        Assert.Equal(1, pages.Pages);
        Assert.InRange(pages.Units, 0.995 * page.Result.Charge.Value, 1.005 * page.Result.Charge.Value);
    }

    /// <summary>Of 50 owners each has a fiftieth of all documents, however few are looked at.</summary>
    [Fact]
    public void At_MoreDocumentsThanTheSample_FindsTheirShare()
    {
        var pages = Effort("SELECT * FROM c WHERE c.owner = @owner", 1_000).At(1_000_000, partitions: 4);

        Assert.Equal((4, 5), (pages.Partitions, pages.PagesEach));
        Assert.InRange(pages.Results, 0.93 * 1_000_000 / Owners, 1.01 * 1_000_000 / Owners);
        var kilobytes = (Bytes + 205) / 1_024.0;
        var expected = (4 * 5 * (2.25 + 0.55)) + (pages.Results * (0.005 + (0.009 * kilobytes) + 0.013 + (0.027 * kilobytes)));
        Assert.InRange(pages.Units, 0.98 * expected, 1.02 * expected);
    }

    /// <summary>A value that no two documents share finds one, however many are stored; a key is on one partition.</summary>
    [Fact]
    public void At_OwnValue_FindsOneDocument()
    {
        var pages = Effort("SELECT * FROM c WHERE c.id = @id", 1_000).At(1e9, partitions: 10);
        var byKey = Effort("SELECT * FROM c WHERE c.pk = @id", 1_000).At(1e9, partitions: 10);

        Assert.Equal((10, 1.0), (pages.Pages, pages.Results));
        Assert.Equal((1, 1.0), (byKey.Pages, byKey.Results));
    }

    [Theory]
    [InlineData("SELECT DISTINCT c.owner FROM c", "DISTINCT")]
    [InlineData("SELECT c.owner, COUNT(1) FROM c GROUP BY c.owner", "GROUP BY")]
    [InlineData("SELECT VALUE x FROM c JOIN x IN c.items", "JOIN")]
    [InlineData("SELECT * FROM c ORDER BY c.n, c.owner", "composite index")]
    [InlineData("SELEC * FROM c", "elec")]
    public void From_QueryThatCannotBeCounted_SaysWhy(string text, string why) =>
        Assert.Contains(why, Assert.Throws<FormatException>(() => Effort(text, 10)).Message, StringComparison.OrdinalIgnoreCase);

    private static string Document(int number)
    {
        var start = $"{{\"id\":\"d-{number}\",\"pk\":\"d-{number}\",\"owner\":\"o-{number % Owners}\",\"n\":{number},\"text\":\"";
        return $"{start}{new string('x', Bytes - start.Length - 2)}\"}}";
    }

    private static QueryEffort Effort(string text, int documents)
    {
        byte[][] sample = [.. Enumerable.Range(0, documents).Select(number => Encoding.UTF8.GetBytes(Document(number)))];
        var spec = new RunSpec
        {
            Document = new() { Kind = DocumentKind.Template, Template = """{"id": "{{id}}", "pk": "{{key}}"}""" },
            Container = new() { PartitionKeyPath = "/pk" },
            Workload = new() { Kind = WorkloadKind.Query, Query = new() { Text = text } },
        };
        return QueryEffort.From(
            spec, sample,
            Enumerable.Range(0, documents).Select(number => new SampledQuery(number, BodyOf(text, number), Key: null)), keys: null,
            TestContext.Current.CancellationToken);
    }

    private static byte[] BodyOf(string text, int number) => JsonSerializer.SerializeToUtf8Bytes(new
    {
        query = text,
        parameters = new[] { new { name = "@owner", value = $"o-{number % Owners}" }, new { name = "@id", value = $"d-{number}" } },
    });
}
