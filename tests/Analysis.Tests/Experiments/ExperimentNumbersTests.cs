using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentNumbersTests
{
    [Fact]
    public void From_ReportWithPublishedFigures_CountsPairsVariantsAndFindings()
    {
        var report = MeasuredExperiment.From(
            [
                ("one", 1, [180, 181], 300), ("two", 2, [360, 361], 500), ("four", 4, [350, 351], 900), ("six", 6, [350, 380], 1_200),
                ("no core", 8, [], 1_000),
            ],
            findings: [new() { Kind = FindingKind.TableStorage }]);

        var numbers = ExperimentNumbers.From(report);

        Assert.Equal(ExperimentNumbers.Names, numbers.Keys);
        Assert.Equal(10, numbers["published.pairs"]);
        Assert.Equal([0, 1, 1, 4, 0, 4], Of("published.pairs", "agree", "disagree", "undecided", "assumed", "tie", "notTestable"));
        Assert.Equal((4, 0.8), (numbers["published.compared"], Math.Round(numbers["published.spearman"]!.Value, 9)));
        Assert.Equal([4, 1], Of("variants", "measured", "notMeasured"));
        Assert.Equal([0, 0, 0, 0, 1], Of("findings", "supported", "refuted", "inconclusive", "assumed", "notTested"));

        IEnumerable<double?> Of(string of, params string[] names) => names.Select(name => numbers[$"{of}.{name}"]);
    }

    /// <summary>A condition on verdicts that a busy machine left open is not decided, and ends with 5.</summary>
    [Theory]
    [InlineData("findings.refuted>0", true, null)]
    [InlineData("findings.notTested>0", true, true)]
    [InlineData("published.pairs.disagree>0", true, null)]
    [InlineData("variants.notMeasured>0", true, false)]
    [InlineData("findings.refuted>0", false, false)]
    [InlineData("published.pairs.disagree>0", false, false)]
    public void OpenIn_RunsOfAVariantCameLate_LeavesConditionsOnVerdictsOpen(string condition, bool late, bool? holds)
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180, 181], 300), ("two", 2, [360, 361], 500)],
            findings: [new() { Kind = FindingKind.Faster, Variants = ["one", "two"] }],
            figures: (name, _, figures) => figures with { DelaysSlipped = late && name == "one" });

        Assert.Equal(holds, Decide(condition, report));
    }

    /// <summary>One run of a variant is left, and one run decides nothing.</summary>
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, null)]
    public void OpenIn_MostRunsOfAVariantCameLate_LeavesConditionsOnVerdictsOpen(int late, bool? holds)
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180, 181, 182], null), ("two", 1, [360, 361, 362], null)],
            findings: [new() { Kind = FindingKind.Faster, Variants = ["one", "two"] }],
            figures: (name, repeat, figures) => figures with { DelaysSlipped = name == "one" && repeat <= late });

        Assert.Equal(holds, Decide("findings.refuted>0", report));
    }

    /// <summary>A finding that a busy machine left open can add one to each count. What valid runs decided stays.</summary>
    [Theory]
    [InlineData("findings.supported>0", true)]
    [InlineData("findings.supported>=1", true)]
    [InlineData("findings.supported>1", null)]
    [InlineData("findings.supported<=1", null)]
    [InlineData("findings.supported<3", true)]
    [InlineData("findings.supported>2", false)]
    [InlineData("findings.supported==0", false)]
    [InlineData("findings.supported==2", null)]
    [InlineData("findings.supported!=3", true)]
    [InlineData("findings.refuted==0", null)]
    public void OpenIn_ValidRunsDecidedAnotherFinding_ConditionsThatThisDecidesAreDecided(string condition, bool? holds)
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180, 181], null), ("two", 1, [360, 361], null), ("three", 1, [360, 361], null)],
            findings:
            [
                new() { Kind = FindingKind.Faster, Variants = ["one", "two"] },
                new() { Kind = FindingKind.Faster, Variants = ["one", "three"] },
            ],
            figures: (name, _, figures) => figures with { DelaysSlipped = name == "three" });
        Assert.Equal([FindingVerdict.Supported, FindingVerdict.NotTested], report.Findings.Select(finding => finding.Verdict));

        Assert.Equal(holds, Decide(condition, report));
    }

    private static bool? Decide(string condition, ExperimentReport report) =>
        FailIfExpression.Parse(condition).Value!.Decide(ExperimentNumbers.From(report), ExperimentNumbers.OpenIn(report));

    [Fact]
    public void From_NothingPublished_HasNoNumbersOfPublishedRates()
    {
        var numbers = ExperimentNumbers.From(MeasuredExperiment.From([("one", 1, [180], null)]));
        Assert.All(numbers.Where(entry => entry.Key.StartsWith("published.", StringComparison.Ordinal)), entry => Assert.Null(entry.Value));
    }
}
