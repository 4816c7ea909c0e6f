namespace ScaleOut.Tests.Analysis.Experiments.Writers;

/// <summary>What the forms of an experiment's report say about its findings, and its chart of the rates.</summary>
public sealed class ExperimentFormsTests
{
    private static readonly ExperimentReport Peak = MeasuredExperiment.From(
        [("low", 10, [100, 101, 99], null), ("peak", 20, [200, 201, 199], null), ("high", 40, [150, 151, 149], null)],
        findings: [new FindingSpec { Id = "the-peak", Kind = FindingKind.ConcurrencyPeak, Variants = ["low", "peak", "high"] }]);

    /// <summary>Every form shows the verdict after Holm's correction beside the verdict itself.</summary>
    [Fact]
    public void EveryForm_DecidedFinding_HasItsVerdictAmongAllFindings()
    {
        var finding = Assert.Single(Peak.Findings);
        var forms = SampleForms.From(ExperimentForms.Kind, Peak);

        Assert.Equal((FindingVerdict.Supported, FindingVerdict.Supported), (finding.Verdict, finding.Holm!.Verdict));
        Assert.InRange(finding.PValue!.Value, 0, finding.Holm.PValue);
        AssertText.Has(forms["report.json"], "\"holm\"");
        Assert.All(["report.md", "report.html"], form => AssertText.Has(forms[form], "Holm: p "));
        Assert.StartsWith("the-peak,concurrencyPeak,supported,", forms["findings.csv"].Split("\r\n")[1], StringComparison.Ordinal);
        var lines = ExperimentForms.Kind.PageOf(Peak).ToText();
        Assert.Contains(lines, line => line.StartsWith("  supported, emergent  the-peak: ", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Trim() == "supported among all findings");
    }

    /// <summary>One finding has a verdict. Every form says that the other's effect is assumed, and from what that effect follows.</summary>
    [Fact]
    public void EveryForm_FindingsOfTheSimulatedAccount_SayWhereTheirEffectsComeFrom()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [100, 101, 100], null), ("two", 2, [200, 201, 200], null), ("four", 4, [150, 151, 150], null)],
            findings: [
                new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] },
                new FindingSpec { Id = "network", Kind = FindingKind.LowLatencyNetwork, Variants = ["far", "near"] },
            ],
            more: [("far", "cross-region", [13, 13.4, 13.1]), ("near", "same-region", [200, 201, 200])]);
        var forms = SampleForms.From(ExperimentForms.Kind, report);

        Assert.All(["report.html", "report.md"], form => AssertText.Has(
            forms[form], "supported, emergent", "assumed",
            "Follows from roundTripMs (80, 1.3): the parameters alone predict 15.2 x, measured 15.2",
            "Origin: assumed; by the parameters alone 15.2",
            "only a real account can give one", "No evidence: these follow from parameters of the simulated account"));
        AssertText.Has(forms["report.json"], "\"origin\": \"assumed\"", "\"verdict\": \"assumed\"", "\"predicted\": 15.");
        AssertText.Has(forms["report.csv"], "\"concurrencyPeak: supported (emergent)\"", "\"network: assumed\"");
        var outcome = ExperimentReportBuilder.OutcomeOf(report);
        Assert.Equal((1, true), (outcome.Verdicts["assumed"], outcome.Simulated));
        Assert.Contains(
            ExperimentForms.Kind.PageOf(report).ToText(),
            line => line.StartsWith("  assumed              network: Follows", StringComparison.Ordinal));
    }

    [Fact]
    public void Html_Experiment_HasItsChartsAndTheFindingsBeforeItsTables()
    {
        var page = XDocument.Parse(SampleForms.From("experiment")["report.html"]);
        var titles = page.Descendants("h2").Select(title => title.Nodes().First().ToString()).ToList();
        Assert.InRange(titles.IndexOf("Findings"), 1, titles.IndexOf("Variants") - 1);
        Assert.Equal(
            ["rates", "concurrency", "latency", "partitions"],
            page.Descendants("figure").Select(figure => figure.Attribute("id")!.Value["chart-".Length..]));
    }

    [Fact]
    public void Html_Rates_MarkIntervalsThatGoOnBeyondTheAxisAndTooFewRepeats()
    {
        var report = MeasuredExperiment.From(
            [("steady", 1, [1_000, 1_010], null), ("wide", 2, [1_000, 1_180], null), ("noise", 4, [300, 1_100], null)]);
        var figure = XDocument.Parse(ExperimentForms.Kind.PageOf(report).ToHtml())
            .Descendants("figure").Single(figure => figure.Attribute("id")!.Value == "chart-rates");
        var chart = JsonNode.Parse(figure.Element("script")!.Value)!;
        var most = (double)chart["x"]!["max"]!;
        var series = chart["series"]!.AsArray();

        Assert.Equal(1, series.Where(one => one!["hollow"] is not null).Sum(one => one!["hollow"]!.AsArray().Sum(hollow => (int)hollow!)));
        Assert.Single(
            series.Where(one => one!["high"] is not null).SelectMany(one => one!["high"]!.AsArray()), high => (double?)high > most);
        Assert.Contains("An arrowhead: the line goes on beyond the axis.", figure.Value, StringComparison.Ordinal);
    }
}
