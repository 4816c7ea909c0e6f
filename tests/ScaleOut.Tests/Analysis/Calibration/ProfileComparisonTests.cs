using ScaleOut.Analysis.Calibration;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Calibration;

public sealed class ProfileComparisonTests
{
    private static readonly double[] Spread = [0.99, 0.995, 1, 1.005, 1.01];

    [Theory]
    [InlineData(1.03, true)]
    [InlineData(0.97, true)]
    [InlineData(1.3, false)]
    [InlineData(0.7, false)]
    [InlineData(1.1, null)]
    public void IsSame_RatesOfBothSides_IsShownRefutedOrOpen(double factor, bool? expected)
    {
        var comparisons = ProfileComparison.From(Report(1_000, 10), Report(1_000 * factor, 10));

        Assert.Equal(expected, comparisons.Single(one => one.Figure == "rate").IsSame);
        Assert.True(comparisons.Single(one => one.Figure == "p99").IsSame);
    }

    [Theory]
    [InlineData(1.15, true)]
    [InlineData(1.4, false)]
    public void IsSame_PercentilesOfBothSides_HaveAWiderBand(double factor, bool expected)
    {
        var comparisons = ProfileComparison.From(Report(1_000, 10), Report(1_000, 10 * factor));

        Assert.Equal(expected, comparisons.Single(one => one.Figure == "p99").IsSame);
    }

    [Fact]
    public void From_RunsWhoseDelaysSlipped_CountForNothing()
    {
        var comparisons = ProfileComparison.From(Report(1_000, 10), Report(1_000, 10, slipped: true));

        Assert.All(comparisons, one => Assert.Null(one.IsSame));
        Assert.Contains("too few runs are usable", comparisons[0].Describe(), StringComparison.Ordinal);
    }

    [Fact]
    public void Describe_SameRate_SaysWithinWhat() => Assert.StartsWith(
        "reads, rate: 1 x (90% interval 0.99", ProfileComparison.From(Report(1_000, 10), Report(1_000, 10))[0].Describe(),
        StringComparison.Ordinal);

    private static ExperimentReport Report(double rate, double p99, bool slipped = false) => new()
    {
        Id = "check", State = ExperimentState.Complete, Simulated = true, Scale = 1, StartedAt = default, FinishedAt = default,
        Spec = new ExperimentSpec(),
        Variants =
        [
            new VariantReport
            {
                Name = "reads", Plan = new RunSpec(), FullDocuments = 1,
                Runs = [.. Spread.Select((spread, i) => Run(i + 1, rate * spread, p99 * spread, slipped))],
            },
        ],
    };

    private static RunDigest Run(int repeat, double rate, double p99, bool slipped) => new()
    {
        Repeat = repeat, RunId = $"run-{repeat}", State = RunState.Complete, OperationLatencyMs = new LatencySummary { P99 = p99 },
        Figures = new RunFigures
        {
            RunId = $"run-{repeat}", State = RunState.Complete, Workers = 1, DistinctInstances = 1, Rate = rate, DelaysSlipped = slipped,
        },
    };
}
