namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentFormsTests
{
    private static readonly ExperimentReport Sample = Build(simulated: true);

    [Fact]
    public void Json_ReadBack_WritesTheSame()
    {
        var json = new ExperimentJsonWriter().Write(Sample);

        Assert.Equal(
            Encoding.UTF8.GetString(json), Encoding.UTF8.GetString(new ExperimentJsonWriter().Write(ExperimentJsonWriter.Read(json))));
    }

    [Fact]
    public void Csv_EveryRun_HasOneRowOfTheSameWidthAndNoFormula()
    {
        var rows = Text("report.csv").Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Select(row => row.Split(',')).ToList();

        Assert.Equal(1 + (4 * 2), rows.Count);
        Assert.All(rows, row => Assert.Equal(rows[0].Length, row.Length));
        Assert.Equal("variant,repeat,runId,state,ratePerSecond", string.Join(',', rows[0].Take(5)));
        Assert.Equal(["\"'=one\"", "1", "sample-v01-r01", "complete", "100"], rows[1].Take(5));
        Assert.Equal("1", rows[1][^1]);
    }

    /// <summary>What Holm's correction leaves of a verdict stands beside it wherever the verdict does.</summary>
    [Fact]
    public void EveryForm_DecidedFinding_HasItsVerdictAmongAllFindings()
    {
        var report = MeasuredExperiment.From(
            [("low", 10, [100, 101, 99], null), ("peak", 20, [200, 201, 199], null), ("high", 40, [150, 151, 149], null)],
            findings: [new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["low", "peak", "high"] }]);
        var finding = Assert.Single(report.Findings);
        string In(string form) => Encoding.UTF8.GetString(Writer(form).Write(report));

        Assert.Equal((FindingVerdict.Supported, FindingVerdict.Supported), (finding.Verdict, finding.Holm!.Verdict));
        Assert.InRange(finding.PValue!.Value, 0, finding.Holm.PValue);
        Assert.Contains("\"holm\"", In("report.json"), StringComparison.Ordinal);
        Assert.Contains("Holm: p ", In("report.md"), StringComparison.Ordinal);
        Assert.Contains("Holm: p ", In("report.html"), StringComparison.Ordinal);
        var rows = In("findings.csv").Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith("finding,kind,verdict,pValue,holmVerdict,holmPValue,", rows[0], StringComparison.Ordinal);
        Assert.StartsWith("concurrencyPeak,concurrencyPeak,supported,", Assert.Single(rows[1..]), StringComparison.Ordinal);
    }

    [Fact]
    public void Html_AnyText_IsWellFormedSelfContainedAndEscaped()
    {
        var html = Text("report.html");
        var page = XDocument.Parse(html);

        Assert.DoesNotContain("<script>alert", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<b>", html, StringComparison.Ordinal);
        Assert.Contains("&lt;script&gt;alert(1)&lt;/script&gt;", html, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", html, StringComparison.Ordinal);
        Assert.DoesNotContain(page.Descendants().Attributes(), attribute => attribute.Name.LocalName is "src" or "href");
        var ids = page.Descendants().Attributes("id").Select(attribute => attribute.Value).ToList();
        Assert.Equal(ids.Distinct(), ids);
        Assert.DoesNotContain("NaN", html, StringComparison.Ordinal);
        Assert.Equal(
            ["rates", "concurrency", "latency", "partitions"],
            page.Descendants("figure").Select(figure => figure.Attribute("id")!.Value["chart-".Length..]));
    }

    [Theory]
    [InlineData("report.html")]
    [InlineData("report.md")]
    public void Write_Report_HasEveryPart(string form)
    {
        var text = Text(form);

        Assert.All(
            [
                "inconclusive", "not tested", "rank correlation", "Published against measured", "Order of pairs", "What bound each run",
                "What was not tested, and why", "it needs more cores", "Notes of the spec",
            ],
            part => Assert.Contains(part, text, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("report.html")]
    [InlineData("report.md")]
    public void Write_SimulatedOrRealAccount_SaysSo(string form)
    {
        Assert.Contains("from the simulated account", Text(form), StringComparison.Ordinal);
        Assert.DoesNotContain(
            "simulated account", Encoding.UTF8.GetString(Writer(form).Write(Build(simulated: false))), StringComparison.Ordinal);
    }

    /// <summary>Every form says that one effect is assumed and from what it follows, and that the other one has a verdict.</summary>
    [Fact]
    public void Write_FindingsOfTheSimulatedAccount_SayWhereTheirEffectsComeFrom()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [100, 101, 100], null), ("two", 2, [200, 201, 200], null), ("four", 4, [150, 151, 150], null)],
            findings: [
                new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] },
                new FindingSpec { Id = "network", Kind = FindingKind.LowLatencyNetwork, Variants = ["far", "near"] },
            ],
            more: [("far", "cross-region", [20, 21, 20]), ("near", "same-region", [200, 201, 200])]);

        string Form(string name) => Encoding.UTF8.GetString(Writer(name).Write(report));
        foreach (var form in (string[])["report.html", "report.md"])
        {
            Assert.All(
                [
                    "supported, emergent", "assumed",
                    "Follows from roundTripMs (80, 1.3): the parameters alone predict 15.2 x, measured 9.8",
                    "Origin: assumed, it follows from parameters of the simulated account; by the parameters alone 15.2",
                    "only a real account can give one",
                ],
                part => Assert.Contains(part, Form(form), StringComparison.Ordinal));
        }

        Assert.Contains("\"origin\": \"assumed\"", Form("report.json"), StringComparison.Ordinal);
        Assert.Contains("\"verdict\": \"assumed\"", Form("report.json"), StringComparison.Ordinal);
        Assert.Contains("\"predicted\": 15.", Form("report.json"), StringComparison.Ordinal);
        Assert.Contains("\"concurrencyPeak: supported (emergent)\"", Form("report.csv"), StringComparison.Ordinal);
        Assert.Contains("\"network: assumed\"", Form("report.csv"), StringComparison.Ordinal);
        var outcome = ExperimentReportBuilder.OutcomeOf(report);
        Assert.Equal((1, true), (outcome.Verdicts["assumed"], outcome.Simulated));
        Assert.Contains(
            ExperimentSummary.From(report, "report.html"),
            line => line.StartsWith("  assumed                network: Follows", StringComparison.Ordinal));
    }

    private static ExperimentReport Build(bool simulated) => MeasuredExperiment.From(
        [("=one", 1, [100, 110], 90), ("two", 2, [200, 600], 100), ("four", 4, [390, 400], 300), ("no core", 8, [], 1_000)],
        scale: 0.5,
        findings: [
            new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["=one", "two", "four"] },
            new FindingSpec { Kind = FindingKind.TableStorage },
        ],
        simulated: simulated);

    private static string Text(string form) => Encoding.UTF8.GetString(Writer(form).Write(Sample));

    private static IReportWriter<ExperimentReport> Writer(string form) =>
        ExperimentReportWriters.All.Single(writer => writer.FileName == form);
}
