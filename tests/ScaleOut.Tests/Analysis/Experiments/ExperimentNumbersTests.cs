using ScaleOut.Analysis.Experiments;
using ScaleOut.Experiments;

namespace ScaleOut.Tests.Analysis.Experiments;

public sealed class ExperimentNumbersTests
{
    [Fact]
    public void From_ReportWithPublishedFigures_CountsPairsVariantsAndFindings()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [180], 300), ("two", 2, [360], 500), ("four", 4, [350], 900), ("no core", 8, [], 1_000)],
            findings: [new() { Kind = FindingKind.TableStorage }]);

        var numbers = ExperimentNumbers.From(report);

        Assert.Equal(ExperimentNumbers.Names, numbers.Keys);
        Assert.Equal(
            (2, 1, 0, 3),
            (
                numbers["published.pairs.agree"], numbers["published.pairs.disagree"], numbers["published.pairs.tie"],
                numbers["published.pairs.notTestable"]));
        Assert.Equal((3, 0.5), (numbers["published.compared"], numbers["published.spearman"]));
        Assert.Equal((3, 1), (numbers["variants.measured"], numbers["variants.notMeasured"]));
        Assert.Equal(
            (0, 0, 0, 1),
            (numbers["findings.supported"], numbers["findings.refuted"], numbers["findings.inconclusive"], numbers["findings.notTested"]));
    }

    [Fact]
    public void From_NothingPublished_LacksItsNumbers()
    {
        var numbers = ExperimentNumbers.From(MeasuredExperiment.From([("one", 1, [180], null)]));
        Assert.All(numbers.Where(entry => entry.Key.StartsWith("published.", StringComparison.Ordinal)), entry => Assert.Null(entry.Value));
    }
}
