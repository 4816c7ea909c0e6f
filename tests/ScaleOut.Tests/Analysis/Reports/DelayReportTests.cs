using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Orchestration;

namespace ScaleOut.Tests.Analysis.Reports;

public sealed class DelayReportTests
{
    private const string Warning =
        "The simulated account gave 2.0% of its responses later than its latency says, by more than 1 ms and 10%: this machine was too "
            + "busy. Latencies and rates are the machine's, and the run counts for no finding.";

    [Fact]
    public void Build_DelaysSlippedInTheWindow_WarnsAndCountsForNoFinding()
    {
        var report = Build(slippedInWindow: 2, slippedBefore: 0);

        Assert.Equal((true, 0.02), (report.Delays!.HaveSlipped, Math.Round(report.Delays.SlippedShare, 6)));
        Assert.Contains(Warning, report.Warnings);
        var figures = RunFigures.From(report);
        Assert.Equal((true, true, false), (figures.IsUsable, figures.DelaysSlipped, figures.CountsForFindings));
    }

    [Fact]
    public void Build_DelaysSlippedButThePercentileIsAsConfigured_CountsForFindings()
    {
        var report = Build(slippedInWindow: 2, slippedBefore: 0, deliveredP99: 10);

        Assert.Equal((false, 0.02), (report.Delays!.HaveSlipped, Math.Round(report.Delays.SlippedShare, 6)));
        Assert.True(RunFigures.From(report).CountsForFindings);
    }

    [Fact]
    public void Build_DelaysSlippedInOneOfAHundred_AreAsTheyShouldBe() =>
        Assert.Equal(
            (false, true), (Build(slippedInWindow: 1, 0).Delays!.HaveSlipped, RunFigures.From(Build(1, 0)).CountsForFindings));

    [Fact]
    public void Build_DelaysSlippedInWarmUp_ChangesNothing()
    {
        var report = Build(slippedInWindow: 0, slippedBefore: 100);

        Assert.Equal((false, 0L), (report.Delays!.HaveSlipped, report.Delays.Slipped));
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains("later than its latency", StringComparison.Ordinal));
    }

    [Fact]
    public void Build_DelaysNotMeasured_CountsAsBefore()
    {
        var report = new RunSample().Build();

        Assert.Null(report.Delays);
        Assert.True(RunFigures.From(report).CountsForFindings);
    }

    /// <summary>100 responses in each second of the run, and in the second in which it started.</summary>
    private static RunReport Build(int slippedInWindow, int slippedBefore, double deliveredP99 = 10.1)
    {
        var sample = new RunSample();
        long start = RunSample.Start.ToUnixTimeSeconds();
        var none = new DelayQuantiles(4, 9, 12);
        var delays = new DeliveredDelays
        {
            Responses = 0,
            Slipped = 0,
            Configured = none,
            Delivered = none with { P99 = deliveredP99 },
            Slip = none,
            Seconds =
            [
                .. Enumerable.Range(0, sample.Seconds)
                    .Select(second => new DelaySecond(start + second, 100, second == 0 ? slippedBefore : slippedInWindow)),
            ],
        };
        return RunReportBuilder.Build(sample.Ending() with { Delays = delays }, sample.Harvest());
    }
}
