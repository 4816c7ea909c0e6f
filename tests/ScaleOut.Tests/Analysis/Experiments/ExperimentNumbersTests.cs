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
        Assert.Equal(
            (10, 0, 1, 1, 4, 0, 4),
            (
                numbers["published.pairs"], numbers["published.pairs.agree"], numbers["published.pairs.disagree"],
                numbers["published.pairs.undecided"], numbers["published.pairs.assumed"], numbers["published.pairs.tie"],
                numbers["published.pairs.notTestable"]));
        Assert.Equal((4, 0.8), (numbers["published.compared"], Math.Round(numbers["published.spearman"]!.Value, 9)));
        Assert.Equal((4, 1), (numbers["variants.measured"], numbers["variants.notMeasured"]));
        Assert.Equal(
            (0, 0, 0, 0, 1),
            (
                numbers["findings.supported"], numbers["findings.refuted"], numbers["findings.inconclusive"], numbers["findings.assumed"],
                numbers["findings.notTested"]));
    }

    [Fact]
    public void From_NothingPublished_LacksItsNumbers()
    {
        var numbers = ExperimentNumbers.From(MeasuredExperiment.From([("one", 1, [180], null)]));
        Assert.All(numbers.Where(entry => entry.Key.StartsWith("published.", StringComparison.Ordinal)), entry => Assert.Null(entry.Value));
    }
}
