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
        var comparisons = ProfileComparison.From(Report(1_000, 10), Report(1_000, 10, run => run with { DelaysSlipped = true }));

        Assert.All(comparisons, one => Assert.Null(one.IsSame));
        Assert.Contains(
            "not compared: on the simulated account no run of reads was complete with a rate and the delays of its physics",
            comparisons[0].Describe(), StringComparison.Ordinal);
    }

    /// <summary>A rate with the ramp in it says nothing of the account, and a busy machine makes both sides the same.</summary>
    [Fact]
    public void From_RunsWithoutOverlapOrBoundByTheMachine_CountForNothing()
    {
        var ramp = Report(1_000, 10, run => run with { RateIsOverlap = false });
        var busy = Report(1_000, 10, run => run with { BoundBy = BoundBy.Machine });
        var both = Report(1_000, 10, run => run with { BoundBy = BoundBy.RequestUnits, Simulated = true, MachineShare = 0.95 });

        Assert.All(
            [.. ProfileComparison.From(ramp, ramp), .. ProfileComparison.From(busy, busy), .. ProfileComparison.From(both, both)],
            one => Assert.Null(one.IsSame));
        Assert.Contains(
            "on the account in no run of reads were all workers at work together for 5 seconds",
            ProfileComparison.From(ramp, Report(1_000, 10))[0].Describe(), StringComparison.Ordinal);
        Assert.Contains(
            "on the simulated account the shared machine bound the runs of reads",
            ProfileComparison.From(Report(1_000, 10), busy)[0].Describe(), StringComparison.Ordinal);
    }

    [Fact]
    public void From_SingleRunLeft_SaysWhatBecameOfTheOthers()
    {
        var one = Report(1_000, 10, run => run with { RateIsOverlap = run.RunId == "run-1" });

        Assert.Contains(
            "too few runs are usable. 4 of 5 runs of reads are left out: ", ProfileComparison.From(one, one)[0].Describe(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Describe_SameRate_SaysWithinWhat() => Assert.StartsWith(
        "reads, rate: 1 x (90% interval 0.99", ProfileComparison.From(Report(1_000, 10), Report(1_000, 10))[0].Describe(),
        StringComparison.Ordinal);

    private static ExperimentReport Report(double rate, double p99, Func<RunFigures, RunFigures>? change = null) => new()
    {
        Id = "check", State = ExperimentState.Complete, Simulated = true, Scale = 1, StartedAt = default, FinishedAt = default,
        Spec = new ExperimentSpec(),
        Variants =
        [
            new VariantReport
            {
                Name = "reads", Plan = new RunSpec(), FullDocuments = 1,
                Runs = [.. Spread.Select((spread, i) => Run(i + 1, rate * spread, p99 * spread, change))],
            },
        ],
    };

    private static RunDigest Run(int repeat, double rate, double p99, Func<RunFigures, RunFigures>? change)
    {
        var figures = new RunFigures
        {
            RunId = $"run-{repeat}", State = RunState.Complete, Workers = 1, DistinctInstances = 1, Rate = rate, RateIsOverlap = true,
            P99LatencyMs = p99,
        };
        return new RunDigest
        {
            Repeat = repeat, RunId = figures.RunId, State = RunState.Complete, OperationLatencyMs = new LatencySummary { P99 = p99 },
            Figures = change is null ? figures : change(figures),
        };
    }
}
