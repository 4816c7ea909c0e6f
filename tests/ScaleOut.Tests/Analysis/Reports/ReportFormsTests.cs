namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportFormsTests
{
    private static readonly RunSample Sample = new()
    {
        Seconds = 40,
        Spec = new() { Id = "sample", Documents = 20_000, Name = "<script>alert(1)</script> & | \"x\" \u0001" },
    };

    [Fact]
    public void Json_ReadBack_WritesTheSame()
    {
        var json = new JsonReportWriter().Write(Sample.Build());

        Assert.Equal(Encoding.UTF8.GetString(json), Encoding.UTF8.GetString(new JsonReportWriter().Write(JsonReportWriter.Read(json))));
    }

    [Fact]
    public void Json_TopLevel_HasTheContractsNames()
    {
        using var json = JsonDocument.Parse(new JsonReportWriter().Write(Sample.Build()));
        var names = json.RootElement.EnumerateObject().Select(property => property.Name).ToHashSet();

        Assert.Superset(
            new HashSet<string>(
            [
                "id", "name", "state", "simulated", "startedAt", "finishedAt", "spec", "documents", "requests", "lostLegs", "throughput",
                "requestUnits", "latencyMs", "boundBy", "distinctInstances", "workers", "partitions", "series", "warnings",
            ]),
            names);
        Assert.Equal("complete", json.RootElement.GetProperty("state").GetString());
    }

    [Fact]
    public void Csv_EverySecond_HasOneRowWhoseWorkersAddUp()
    {
        var report = Sample.Build();
        var rows = Encoding.UTF8.GetString(new CsvReportWriter().Write(report)).Split("\r\n", StringSplitOptions.RemoveEmptyEntries)
            .Select(row => row.Split(',')).ToList();

        Assert.Equal(report.Series.Count + 1, rows.Count);
        Assert.Equal(
            "second,inserted,throttled,failed,requestUnits,overlap,worker0,worker1,worker2,worker3,partition0",
            string.Join(',', rows[0].Take(11)));
        Assert.Equal("2026-11-21T17:00:00Z", rows[1][0]);
        Assert.All(rows.Skip(1), row => Assert.Equal(long.Parse(row[1]), row.Skip(6).Take(4).Sum(long.Parse)));
        Assert.All(rows, row => Assert.Equal(rows[0].Length, row.Length));
        Assert.Equal("simulated", rows[0][^1]);
        Assert.All(rows.Skip(1), row => Assert.Equal(report.Simulated ? "1" : "0", row[^1]));
    }

    [Fact]
    public void Html_AnyText_IsWellFormedSelfContainedAndEscaped()
    {
        var html = Encoding.UTF8.GetString(new HtmlReportWriter().Write(Sample.Build()));
        var page = XDocument.Parse(html);

        Assert.DoesNotContain("<script>alert", html, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("&lt;script&gt;alert(1)&lt;/script&gt;", html, StringComparison.Ordinal);
        Assert.DoesNotContain("http", OwnText(page), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("url(", html, StringComparison.Ordinal);
        Assert.DoesNotContain(page.Descendants().Attributes(), attribute => attribute.Name.LocalName is "src" or "href");
        Assert.All(page.Descendants("figure"), figure => Assert.NotEmpty(figure.Element("figcaption")!.Value));
        var ids = page.Descendants().Attributes("id").Select(attribute => attribute.Value).ToList();
        Assert.Equal(ids.Distinct(), ids);
        Assert.DoesNotContain("NaN", html, StringComparison.Ordinal);
    }

    /// <summary>Only the scripts of the page run: its policy names each by its hash.</summary>
    [Fact]
    public void Html_Scripts_AreThoseThatThePolicyNames()
    {
        var page = XDocument.Parse(Encoding.UTF8.GetString(new HtmlReportWriter().Write(Sample.Build())), LoadOptions.PreserveWhitespace);
        var policy = page.Descendants("meta").Single(meta => meta.Attribute("http-equiv") is not null).Attribute("content")!.Value;
        var scripts = page.Descendants("script").Where(script => script.Attribute("type")?.Value != "application/json").ToList();

        Assert.Equal(2, scripts.Count);
        Assert.All(scripts, script =>
        {
            var text = string.Concat(script.Nodes().Select(node => node.ToString(SaveOptions.DisableFormatting)));
            Assert.Contains(
                Convert.ToBase64String(System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(text))), policy,
                StringComparison.Ordinal);
        });
        Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
    }

    [Fact]
    public void Html_SixteenWorkersForTenMinutes_IsAtMost600Kilobytes()
    {
        var spec = Sample.Spec with { Workers = 16, Documents = 3_000_000 };
        var report = (Sample with { Seconds = 600, Partitions = 20, Spec = spec }).Build();

        Assert.Equal(16, report.Workers.Count);
        Assert.InRange(new HtmlReportWriter().Write(report).Length, 60_000, 600 * 1_024);
    }

    private static string OwnText(XDocument page) => string.Concat(
        page.Descendants().Where(one => one.Name.LocalName is not ("script" or "style")).Attributes()
            .Where(one => one.Name.LocalName is "src" or "href" or "style").Select(one => one.Value))
        + string.Concat(
            page.Descendants("script").Where(one => one.Attribute("type")?.Value == "application/json").Select(one => one.Value));

    [Fact]
    public void Markdown_AnyText_StaysOneLineWithoutMarkup()
    {
        var lines = Encoding.UTF8.GetString(new MarkdownReportWriter().Write(Sample.Build())).Split('\n');

        Assert.Equal("# Run sample: \\<script\\>alert(1)\\</script\\> \\& \\| \"x\"  ", lines[0]);
    }

    [Theory]
    [InlineData("report.html")]
    [InlineData("report.md")]
    public void Write_SimulatedOrRealAccount_SaysSoAtEveryFigure(string form)
    {
        var writer = ReportWriters.All.Single(writer => writer.FileName == form);
        var simulated = Encoding.UTF8.GetString(writer.Write(Sample.Build()));
        var real = Encoding.UTF8.GetString(writer.Write((Sample with { Simulated = false }).Build()));

        Assert.Contains("simulated", simulated, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("simulated account", real, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("assumed even", real, StringComparison.Ordinal);
        Assert.DoesNotContain("assumed even", simulated, StringComparison.Ordinal);
    }
}
