using System.Xml.Linq;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Findings;
using ScaleOut.Evidence;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Experiments.Sensitivity;

public sealed class SensitivityReportTests
{
    private static readonly int Hop = PhysicsParameters.All.ToList().FindIndex(parameter => parameter.Name == "latency.gatewayHopMs");

    [Fact]
    public void From_VerdictThatFlipsWithTheHop_SaysWhereAndHowOften()
    {
        var finding = Report(draw => Finding(draw[Hop] > 1 ? FindingVerdict.Supported : FindingVerdict.Inconclusive, 1.2)).Findings[0];

        Assert.Equal((false, "supported", 40), (finding.ByDirection, finding.Own, finding.Tested));
        Assert.InRange(finding.Same, 2, 38);
        Assert.InRange(finding.Flip!.Threshold, 0.85, 1.2);
        Assert.Contains(
            $"In {finding.Same} of 40 draws of the assumed physics the same verdict (supported). \"It is so\" is supported while "
                + "latency.gatewayHopMs is above ", finding.Sentence, StringComparison.Ordinal);
        Assert.EndsWith(", and inconclusive below it: right for 40 of 40 draws.", finding.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void From_AssumedEffect_CountsItsDirection()
    {
        var finding = Report(draw => Finding(FindingVerdict.Assumed, draw[Hop] < 1 ? 0.9 : 1.3)).Findings[0];

        Assert.Equal((true, "above 1"), (finding.ByDirection, finding.Own));
        Assert.Equal("latency.gatewayHopMs", finding.Flip?.Parameter);
        Assert.Contains("The effect (x / y) is above 1 while latency.gatewayHopMs is above ", finding.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void From_VerdictThatNeverFlips_SaysSo()
    {
        var finding = Report(_ => Finding(FindingVerdict.Supported, 1.2)).Findings[0];

        Assert.Equal((40, null), (finding.Same, finding.Flip));
        Assert.Equal(
            "In 40 of 40 draws of the assumed physics the same verdict (supported). It does not flip in the range of any parameter.",
            finding.Sentence);
    }

    [Fact]
    public void From_DrawsWithoutAVerdict_AreLeftOutAndCounted()
    {
        var number = 0;
        var finding = Report(_ => number++ switch
        {
            < 2 => Finding(FindingVerdict.NotTested, null),
            var n => Finding(n % 2 == 0 ? FindingVerdict.Supported : FindingVerdict.Refuted, 1.2),
        }).Findings[0];

        Assert.Equal((38, 19), (finding.Tested, finding.Same));
        Assert.Contains("In 19 of 38 draws", finding.Sentence, StringComparison.Ordinal);
        Assert.Contains(", 2 more not tested.", finding.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void From_ControlThatSaysSomethingElse_HasNoOutcomes()
    {
        var report = Report(_ => Finding(FindingVerdict.Supported, 1.2), Finding(FindingVerdict.Refuted, 0.8));
        var finding = report.Findings[0];

        Assert.Equal((0, "supported", "refuted"), (finding.Tested, finding.Own, finding.Control));
        Assert.Equal(
            "Its sensitivity could not be simulated: in virtual time the experiment's own physics give \"refuted (0.80 x)\", the measured "
                + "runs \"supported (1.20 x)\".", finding.Sentence);
        Assert.Equal(["so", "supported", "-", "0", "not simulated", "-", "-"], SensitivityText.Findings(report).Rows[0]);
        Assert.Empty(XDocument.Parse(SensitivityWriter.PageOf(report)).Descendants("circle"));
    }

    [Fact]
    public void Forms_Report_NameEveryDraw()
    {
        var report = Report(draw => Finding(FindingVerdict.Assumed, draw[Hop] < 1 ? 0.9 : 1.3));

        var json = StoredItem.Write("sample/sensitivity.json", report, ScaleOutJson.Indented);
        Assert.Equal(report.Findings[0].Sentence, SensitivityWriter.Read(json).Findings[0].Sentence);
        var page = XDocument.Parse(SensitivityWriter.PageOf(report));
        var wide = page.Descendants("svg").First();
        Assert.Equal(40, wide.Descendants("circle").Count());
        Assert.Equal(report.Findings[0].Outcomes.Count(outcome => outcome == "above 1"),
            wide.Descendants("circle").Count(dot => dot.Attribute("class")!.Value == "dot s0"));
        Assert.Contains(report.Findings[0].Sentence, page.Root!.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Forms_PhysicsOfAProfile_NameWhatIsNotDrawn()
    {
        var report = Report(_ => Finding(FindingVerdict.Supported, 1.2)) with
        {
            Measured = ["latency.roundTripMs", "charges.perIndexedTerm"],
        };

        Assert.EndsWith(
            " Not drawn: 2 parameters that the profile measured.", SensitivityText.Headline(report), StringComparison.Ordinal);
        Assert.Contains(
            "Not drawn, because the profile measured them: latency.roundTripMs, charges.perIndexedTerm.", SensitivityWriter.PageOf(report),
            StringComparison.Ordinal);
    }

    [Fact]
    public void NameIn_OwnReport_GivesEachFindingItsSentence()
    {
        var report = Report(_ => Finding(FindingVerdict.Supported, 1.2));

        var named = report.NameIn(Own(Finding(FindingVerdict.Supported, 1.2)));

        Assert.Equal(report.Findings[0].Sentence, named.Findings[0].Sensitivity);
        Assert.Contains($"Sensitivity: {report.Findings[0].Sentence}", FindingText.Details(named.Findings[0]));
    }

    /// <summary>An experiment whose own verdict is what a draw with a large hop gives, under 40 draws.</summary>
    private static SensitivityReport Report(Func<IReadOnlyList<double>, FindingResult> findingOf, FindingResult? control = null)
    {
        var own = Own(Finding(FindingVerdict.Supported, 1.2));
        var draws = SensitivityDraws.From(own.Spec, 40);
        var found = draws.Select(draw => findingOf(draw.Values)).ToList();
        // What is assumed in every draw is so in the experiment.
        if (found.TrueForAll(finding => finding.Verdict == FindingVerdict.Assumed))
            own = Own(Finding(FindingVerdict.Assumed, 1.2));
        var sensitivity = FindingSensitivity.From(
            own.Findings[0], control ?? own.Findings[0], found, SensitivityDraws.DrawnIn(own.Spec), [.. draws.Select(draw => draw.Values)],
            SensitivityDraws.SeedOf(own.Spec));
        return SensitivityReport.From(own with { Findings = [] }, new Dictionary<string, string>(), [], [.. draws.Select(draw =>
            (draw, (IReadOnlyList<VariantResult>)[]))]) with { Findings = [sensitivity] };
    }

    private static ExperimentReport Own(FindingResult finding) =>
        MeasuredExperiment.From([("one", 10, [100], null), ("two", 20, [120], null)]) with { Findings = [finding] };

    private static FindingResult Finding(FindingVerdict verdict, double? effect) => new()
    {
        Id = "so", Kind = FindingKind.DirectBeatsGateway, Claim = "It is so", Verdict = verdict, Effect = effect, EffectOf = "x / y",
        Sentence = "It is.",
    };
}
