using ScaleOut.Tests.Analysis.Experiments;
using ScaleOut.Tests.Analysis.Limits;

namespace ScaleOut.Tests.Analysis.Reports;

/// <summary>What every report begins with, whatever it is of.</summary>
public sealed class ReportPageTests
{
    private static readonly RunSample Sample = new()
    {
        Seconds = 40, ThrottledShare = 0.1, Spec = new() { Id = "sample", Documents = 20_000, Client = new() { Rate = 200 } },
    };

    public static TheoryData<string> Kinds => ["run", "experiment", "limit"];

    [Theory, MemberData(nameof(Kinds))]
    public void Html_FirstScreen_HasTheResultAndThenThePicture(string kind)
    {
        var page = XDocument.Parse(Forms(kind).Html);
        var parts = page.Descendants("main").Single().Elements().ToList();
        var result = parts[0].Elements("p").Single(p => p.Attribute("class")!.Value == "headline").Value;

        Assert.Equal(("header", "figure"), (parts[0].Name.LocalName, parts[1].Name.LocalName));
        AssertSaysEverything(result);
        Assert.All(
            page.Descendants("table"), table => Assert.Equal("caption", table.Elements().First().Name.LocalName));
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Markdown_FirstParagraph_HasTheResult(string kind) =>
        AssertSaysEverything(Forms(kind).Markdown.Split("\n\n").First(paragraph => paragraph.StartsWith("**", StringComparison.Ordinal)));

    [Fact]
    public void Html_Experiment_FindingsBeforeItsTables()
    {
        var titles = XDocument.Parse(Forms("experiment").Html).Descendants("h2").Select(title => title.Nodes().First().ToString()).ToList();

        Assert.InRange(titles.IndexOf("Findings"), 1, titles.IndexOf("Variants") - 1);
    }

    [Fact]
    public void Html_Rates_MarkIntervalsThatGoOnBeyondTheAxisAndTooFewRepeats()
    {
        var report = MeasuredExperiment.From(
            [("steady", 1, [1_000, 1_010], null), ("wide", 2, [1_000, 1_180], null), ("noise", 4, [300, 1_100], null)]);
        var figure = XDocument.Parse(Encoding.UTF8.GetString(new ExperimentHtmlWriter().Write(report)))
            .Descendants("figure").Single(figure => figure.Attribute("id")!.Value == "chart-rates");
        var chart = JsonNode.Parse(figure.Element("script")!.Value)!;
        var most = (double)chart["x"]!["max"]!;
        var series = chart["series"]!.AsArray();

        Assert.Equal(1, series.Where(one => one!["hollow"] is not null).Sum(one => one!["hollow"]!.AsArray().Sum(hollow => (int)hollow!)));
        Assert.Single(
            series.Where(one => one!["high"] is not null).SelectMany(one => one!["high"]!.AsArray()), high => (double?)high > most);
        Assert.Contains("An arrowhead: the line goes on beyond the axis.", figure.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Console_Experiment_NamesItsFindings()
    {
        var report = MeasuredExperiment.From(
            [("low", 10, [100, 101, 99], null), ("peak", 20, [200, 201, 199], null), ("high", 40, [150, 151, 149], null)],
            findings: [new FindingSpec { Id = "the-peak", Kind = FindingKind.ConcurrencyPeak, Variants = ["low", "peak", "high"] }]);

        Assert.Contains(
            ExperimentSummary.From(report, "report.html"),
            line => line.StartsWith("  supported, emergent    the-peak: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Run_WithARateAskedFor_SaysHowMuchOfItWasAchievedEverywhere()
    {
        var report = Sample.Build();

        Assert.Equal(800, report.Throughput.AskedPerSecond);
        Assert.All(report.Workers, worker => Assert.Equal(200, worker.Throughput.AskedPerSecond));
        Assert.Contains(" of the 800 inserts per second asked for by 4 workers", Sentences.Headline(report), StringComparison.Ordinal);
        Assert.All(
            ["asked for, 800/s", "inserts per second, asked for", "Asked/s"],
            text => Assert.Contains(text, Forms("run").Html, StringComparison.OrdinalIgnoreCase));
        Assert.Null((Sample with { Spec = Sample.Spec with { Client = new() } }).Build().Throughput.AskedPerSecond);
    }

    [Theory]
    [InlineData(BoundBy.RequestUnits, "more throughput")]
    [InlineData(BoundBy.Machine, "a larger machine")]
    [InlineData(BoundBy.Latency, "more operations in flight, or more workers, with room for about 2.5 x until the RU/s are used up")]
    public void NextStep_Bound_NamesTheOneChange(BoundBy bound, string change) =>
        Assert.StartsWith(
            $"Next step: {change}", NextStep.From(bound, new Utilization { RequestUnits = 0.4, Client = 0.2, Machine = 0.3 }),
            StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.Rate)]
    [InlineData(BoundBy.RequestUnits)]
    public void NextStep_RunWithRequestUnitsOfItsOwn_IsToPermitMore(BoundBy bound) =>
        Assert.StartsWith("Next step: permit more RU/s", NextStep.From(bound, used: null, isPaced: true), StringComparison.Ordinal);

    [Fact]
    public void NextStep_MachineThatOthersUse_IsToCloseThem() =>
        Assert.Contains("close what else runs", NextStep.From(BoundBy.Machine, new() { MachineByOthers = 0.3 }), StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.RequestUnits, false, "something about Cosmos DB: it is what the container's RU/s give")]
    [InlineData(BoundBy.RequestUnits, true, "says nothing about Cosmos DB")]
    [InlineData(BoundBy.Latency, true, "says nothing about Cosmos DB")]
    [InlineData(BoundBy.Machine, false, "something about this machine, not Cosmos DB")]
    [InlineData(BoundBy.Client, true, "something about the clients, not Cosmos DB")]
    public void SpeaksOf_Bound_SaysWhetherItIsAboutCosmosDb(BoundBy bound, bool simulated, string text) =>
        Assert.Contains(text, NextStep.SpeaksOf(bound, simulated), StringComparison.Ordinal);

    private static void AssertSaysEverything(string result)
    {
        Assert.Matches("[0-9] .*(per second|/s)", result);
        Assert.Contains("ound by ", result.Replace("stopped by", "bound by", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Contains("Next step: ", result, StringComparison.Ordinal);
        Assert.Contains("Cosmos DB", result, StringComparison.Ordinal);
    }

    private static (string Html, string Markdown) Forms(string kind)
    {
        var (html, markdown) = kind switch
        {
            "run" => (new HtmlReportWriter().Write(Sample.Build()), new MarkdownReportWriter().Write(Sample.Build())),
            "limit" => (Limit("report.html"), Limit("report.md")),
            _ => (new ExperimentHtmlWriter().Write(Experiment), new ExperimentMarkdownWriter().Write(Experiment)),
        };
        return (Encoding.UTF8.GetString(html), Encoding.UTF8.GetString(markdown));
    }

    private static ScaleOut.Analysis.Experiments.ExperimentReport Experiment { get; } = MeasuredExperiment.From(
        [("low", 10, [100, 101, 99], null), ("peak", 20, [200, 201, 199], null), ("high", 40, [150, 151, 149], null)],
        findings: [new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["low", "peak", "high"] }]);

    private static byte[] Limit(string form) => LimitReportWriters.All.Single(one => one.FileName == form).Write(
        LimitSample.Build(LimitSample.Run(1_037, bound: BoundBy.RequestUnits, throttledShare: 0.06, used: new() { RequestUnits = 0.99 })));
}
