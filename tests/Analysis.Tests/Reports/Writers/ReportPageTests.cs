using ScaleOut.Analysis.Charts;
using ScaleOut.Tests.Analysis.Experiments;

namespace ScaleOut.Tests.Analysis.Reports.Writers;

/// <summary>The parts of a page besides its figures: invalid results, contents, and how it was measured.</summary>
public sealed class ReportPageTests
{
    private static readonly MachineSoftware Software = new(
        "ScaleOut 1.0.0+12345678", "Microsoft.Azure.Cosmos 3.1.0", ".NET 10.0.1", "Linux 1 (x64)");

    public static TheoryData<string> Kinds => ["run", "experiment", "limit"];

    [Fact]
    public void Html_DelaysSlipped_SaysSoAboveEveryFigureAndIsNotMarkedAsGood()
    {
        var delays = new DeliveredDelays
        {
            Responses = 1_000, Slipped = 20, Configured = Delays(10), Delivered = Delays(20), Slip = Delays(10),
        };
        var ending = SampleForms.Run.Ending() with { Delays = delays };
        var report = RunReportBuilder.Build(ending, SampleForms.Run.AllLegs());
        var page = PageOf(RunForms.Kind, report);
        var parts = page.Descendants("main").Single().Elements().ToList();

        const string Title = "Not valid: rate and share of 429s, latencies";
        Assert.Equal(["rate and share of 429s", "latencies"], report.Invalid.Select(one => one.What));
        Assert.All(report.Invalid, one => Assert.Contains(one.Why, report.Warnings));
        Assert.Equal(
            ["Complete", Title, $"Bound by {Words.From(report.BoundBy)}", "simulated account"],
            BadgesOf(page).Select(badge => badge.Text));
        Assert.DoesNotContain(BadgesOf(page), badge => badge.Style == "badge good");
        Assert.StartsWith(Title + ". ", page.Descendants("strong").Single().Value, StringComparison.Ordinal);
        var shown = parts.SkipWhile(part => part.Name.LocalName is not "section").ToList();
        Assert.Equal("warnings serious", shown[0].Attribute("class")!.Value);
        Assert.Equal(report.Invalid.Select(one => one.Why), shown[0].Descendants("li").Select(item => item.Value));
        Assert.Equal("figures", shown[1].Attribute("class")!.Value);
        Assert.Equal(["rate and share of 429s", "latencies"], RunStatus.From(ReportSaver.OutcomeOf(ending, report), asked: 1).Invalid);
        // The reason appears once.
        Assert.Single(page.Descendants("li"), item => item.Value == report.Invalid[0].Why);
    }

    [Fact]
    public void Html_ValidRun_IsMarkedAsGood() =>
        Assert.Equal(
            [("Valid", "badge good"), ("Complete", "badge good")], BadgesOf(PageOf(RunForms.Kind, SampleForms.Run.Build())).Take(2));

    /// <summary>The band has one number, what to do next, and a command that a browser offers to copy.</summary>
    [Fact]
    public void Html_Run_BeginsWithAVerdict()
    {
        var report = SampleForms.Run.Build() with { StartedBy = "devbox run --rate 200" };
        var band = PageOf(RunForms.Kind, report).Descendants("div")
            .Single(div => div.Attribute("class")?.Value.StartsWith("verdict ", StringComparison.Ordinal) == true);
        Assert.Equal("verdict good", band.Attribute("class")!.Value);
        Assert.Equal(
            Numbers.Brief(report.Throughput.Rate), band.Descendants("div").Single(div => div.Attribute("class")?.Value == "value").Value);
        var next = band.Elements("p").Single(part => part.Attribute("class")?.Value == "next");
        Assert.StartsWith(Sentences.Next(report)!, next.Value, StringComparison.Ordinal);
        Assert.StartsWith("devbox run --rate 200", next.Element("code")!.Value, StringComparison.Ordinal);
    }

    /// <summary>Names with one value each are read when they are looked for; rows that are compared are always shown.</summary>
    [Fact]
    public void Html_TablesOfSingleValues_AreFolded()
    {
        var page = PageOf(RunForms.Kind, SampleForms.Run.Build());
        var tables = page.Descendants("table").ToLookup(table => table.Ancestors("details").Any());
        Assert.All(tables[true], table => Assert.Equal(2, table.Descendants("th").Count(cell => cell.Attribute("scope")?.Value == "col")));
        Assert.True(tables[true].Count() >= 3);
        Assert.All(tables[false], table => Assert.True(table.Descendants("th").Count(cell => cell.Attribute("scope")?.Value == "col") > 2));
        Assert.All(page.Descendants("details"), details => Assert.Equal("summary", details.Elements().First().Name.LocalName));
    }

    /// <summary>A line goes from the left to the right and is highest where the figure is.</summary>
    [Fact]
    public void Html_Tile_HasAboutThreeWordsAndTheFigureOverTime()
    {
        var page = new ReportPage
        {
            Subject = "x", Result = ["y"],
            Parts = [new KeyFigures([new("first", "1", "a"), new("second", "2", "much more to say", "in brief", [0, 4, 2])])],
        };
        var card = XDocument.Parse(page.ToHtml()).Descendants("div").Single(div => div.Attribute("class")?.Value == "card");
        Assert.EndsWith("in brief", card.Value, StringComparison.Ordinal);
        Assert.Equal("0,20 30,0 60,10", card.Descendants("polyline").Single().Attribute("points")!.Value);
        Assert.Contains("much more to say", page.ToMarkdown(), StringComparison.Ordinal);
    }

    /// <summary>Two charts share a row; one that has others below it, or many rows, has its own.</summary>
    [Fact]
    public void Html_ChartsThatFollowEachOther_ShareARow()
    {
        static ReportPart ChartOf(string id, params Chart[] below) => ReportPart.From(new Chart(
            id, id, "", new ChartAxis("x"), new ChartAxis("y"), [new ChartSeries("a", "s0", ChartKind.Dots) { Y = [1], X = [1] }])
        { Below = below });
        var below = new Chart("below", "", "", new ChartAxis("x"), new ChartAxis("y"), []);
        var page = new ReportPage
        {
            Subject = "x", Result = ["y"],
            Parts = [ChartOf("wide", below), ChartOf("a"), ChartOf("b"), ChartOf("c"), ReportPart.List("l", ["i"]), ChartOf("d")],
        };
        Assert.Equal(
            ["chart wide", "chart half", "chart half", "chart", "chart"],
            XDocument.Parse(page.ToHtml()).Descendants("figure").Select(figure => figure.Attribute("class")!.Value));
    }

    [Fact]
    public void Html_ThroughputChangedMeanwhile_SharesOfTheBudgetAreNotValid()
    {
        var ending = SampleForms.Run.Ending();
        var report = RunReportBuilder.Build(
            ending with { Verification = ending.Verification! with { BudgetPerSecond = 7 } }, SampleForms.Run.AllLegs());
        Assert.Equal(["shares of the budget"], report.Invalid.Select(one => one.What));
    }

    [Fact]
    public void Html_SomeVariantsSlipped_NamesHowMany()
    {
        var report = MeasuredExperiment.From(
            [("a", 1, [100, 110], null), ("b", 2, [200, 210], null)],
            figures: (name, _, figures) => figures with { DelaysSlipped = name == "b" });
        var page = PageOf(ExperimentForms.Kind, report);
        const string Title = "Not valid: rates of 1 of 2 variants, latencies of 1 of 2 variants";
        Assert.Contains((Title, "badge bad"), BadgesOf(page));
        Assert.Equal(
            ["rates of 1 of 2 variants", "latencies of 1 of 2 variants"], ExperimentReportBuilder.OutcomeOf(report).Invalid);
        Assert.Equal("warnings serious", page.Descendants("section").First().Attribute("class")!.Value);
        Assert.StartsWith(
            Title + ". The fastest variant is ", page.Descendants("strong").Single().Value,
            StringComparison.Ordinal);
        Assert.Contains(report.Warnings, warning => warning.StartsWith("Runs of b count for no finding", StringComparison.Ordinal));
    }

    [Fact]
    public void Html_IncompleteRun_HasItsReasonsAboveTheFigures()
    {
        var page = PageOf(RunForms.Kind, (SampleForms.Run with { VerifiedShortBy = 3 }).Build());
        var parts = page.Descendants("main").Single().Elements("section").ToList();
        Assert.Equal("Reasons and warnings", parts[0].Element("h2")!.Value);
        Assert.Equal("figures", parts[1].Attribute("class")!.Value);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Html_LongReport_LinksToEveryPartWithATitle(string kind)
    {
        var page = XDocument.Parse(SampleForms.From(kind)["report.html"]);
        var links = page.Descendants("nav").Single().Descendants("a")
            .Select(link => (Target: link.Attribute("href")!.Value[1..], Text: link.Value)).ToList();
        var parts = page.Descendants("main").Single().Elements().Where(part => part.Attribute("id") is not null).ToList();
        Assert.Equal(parts.Select(part => part.Attribute("id")!.Value), links.Select(link => link.Target));
        Assert.All(links, link => Assert.NotEmpty(link.Text));
        Assert.Contains(links, link => link == ("how-it-was-measured", "How it was measured"));
    }

    [Fact]
    public void Html_ShortPage_HasNoContents()
    {
        var page = new ReportPage { Subject = "x", Result = ["y"], Parts = [ReportPart.Warnings(["a"]), ReportPart.List("List", ["b"])] };
        Assert.DoesNotContain("<nav", page.ToHtml(), StringComparison.Ordinal);
    }

    [Fact]
    public void Html_PartsOfOneTitle_HaveIdsOfTheirOwn()
    {
        var page = new ReportPage
        {
            Subject = "x", Result = ["y"], Parts = [.. Enumerable.Range(0, 6).Select(i => ReportPart.List("Same, twice", [$"{i}"]))],
        };
        Assert.Equal(
            ["same-twice", "same-twice-2", "same-twice-3"],
            XDocument.Parse(page.ToHtml()).Descendants("section").Take(3).Select(section => section.Attribute("id")!.Value));
    }

    /// <summary>If less than 1% of the budget is used, no field of the heat map has a colour.</summary>
    [Theory]
    [InlineData(5.71, true, true)]
    [InlineData(0.02, true, false)]
    [InlineData(0, false, false)]
    public void Html_RequestUnits_DecideOnTheChartsOfPartitions(double perInsert, bool hasPartitions, bool hasHeat)
    {
        var charts = ChartsOf((SampleForms.Run with { RequestUnitsPerInsert = perInsert }).Build());
        Assert.Contains("chart-throughput", charts);
        Assert.Equal((hasPartitions, hasHeat), (charts.Contains("chart-partitions"), charts.Contains("chart-heat")));
    }

    [Fact]
    public void ToHtml_ChartWithoutPoints_IsNotDrawn()
    {
        var chart = new Chart(
            "empty", "Empty", "Nothing.", new ChartAxis("x"), new ChartAxis("y"),
            [new ChartSeries("a", "s0", ChartKind.Dots) { Y = [null] }]);
        var page = new ReportPage { Subject = "x", Result = ["y"], Parts = [ReportPart.From(chart)] };
        Assert.DoesNotContain("<figure", page.ToHtml(), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_MadeAgain_SaysHowItWasMeasured()
    {
        var runLegs = SampleForms.Run.AllLegs();
        var report = RunReportBuilder.Build(SampleForms.Run.Ending(), runLegs with
        {
            StartedBy = "devbox run --rate 200",
            Results = [.. runLegs.Results.Select(leg => leg with { Machine = leg.Machine with { Software = Software, MachineCores = 6 } })],
        });
        var again = RunForms.Kind.Read(RunForms.Kind.Write(report));
        var markdown = Encoding.UTF8.GetString(RunForms.Kind.Write(again, "report.md"));

        AssertText.Has(
            markdown, "devbox run --rate 200", "ScaleOut 1.0.0+12345678, Microsoft.Azure.Cosmos 3.1.0, .NET 10.0.1",
            "6 cores, 24 GiB, Linux 1 (x64)", "/PartitionKey", "same-region");
    }

    [Fact]
    public void Merge_RunsOnSeveralMachines_KeepsTheMostOfAKind()
    {
        var kind = new MachineKind(1, 2, 1L << 30, Software);
        Assert.Equal(
            [kind with { Count = 3 }, kind with { Cores = 4 }],
            MachineKind.Merge([kind, kind with { Count = 3 }, kind with { Cores = 4 }]));
    }

    [Fact]
    public void Html_Limit_DrawsTheConditionInTheChartOfItsRuns()
    {
        var spec = SampleForms.Limit.Spec with { Limit = new() { Until = "p99<20ms && errors==0" } };
        var page = PageOf(LimitForms.Kind, SampleForms.Limit with { Spec = spec });
        var marks = JsonNode.Parse(page.Descendants("figure").Single(figure => figure.Attribute("id")!.Value == "chart-limit")
            .Element("script")!.Value)!["marks"]!.AsArray().Where(mark => (string?)mark!["axis"] == "y").ToList();
        Assert.Equal(20, (double)Assert.Single(marks)!["from"]!);
        Assert.Contains("p99 under 20 ms", (string)marks[0]!["name"]!, StringComparison.Ordinal);
        AssertText.Has(page.ToString(), "A rate holds when", "First rate", "Time of a run", "Confidence", "Client settings");
    }

    private static LatencySummary Delays(double p99) => new() { P50 = 4, P99 = p99, Max = 30 };

    private static List<(string Text, string Style)> BadgesOf(XDocument page) =>
        [.. page.Descendants("header").Single().Descendants("span").Select(badge => (badge.Value, badge.Attribute("class")!.Value))];

    private static List<string> ChartsOf(RunReport report) =>
        [.. PageOf(RunForms.Kind, report).Descendants("figure").Select(figure => figure.Attribute("id")!.Value)];

    private static XDocument PageOf<TReport>(ReportKind<TReport> kind, TReport report)
        where TReport : class =>
        XDocument.Parse(Encoding.UTF8.GetString(kind.Write(report, "report.html")));
}
