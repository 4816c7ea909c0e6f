using ScaleOut.Analysis.Reports.Building;

namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportCountsTests
{
    [Fact]
    public void Build_SizesThrottlingAndQuantiles_AreThoseOfAllLegs()
    {
        var sample = new RunSample { Spec = new() { Id = "sample", Documents = 100, Workers = 2 }, Seconds = 10 };
        var harvest = sample.Harvest();
        List<LegResult> legs =
        [
            .. harvest.Results.Select(leg => leg.With(
                counts => counts with { Bytes = counts.Inserted * 1_000 * (leg.Output.Worker + 1) }) with
            {
                AttemptLatency = Histogram((45, 10), (5, 900)),
                ThrottledResponses = new ThrottledSample(30 + leg.Output.Worker, 150 + leg.Output.Worker, Histogram((4, 20))),
            }),
        ];
        var report = RunReportBuilder.Build(sample.Ending(), harvest with { Results = legs });

        Assert.Equal(1_500, report.DocumentBytes);
        Assert.Equal((30, 151), (report.ThrottledResponses!.RetryAfterMinMs, report.ThrottledResponses.RetryAfterMaxMs));
        Assert.InRange(report.ThrottledResponses.LatencyMs.P50!.Value, 19.8, 20.2);
        // Five of 100 attempts are beyond 5% and 95%, and fewer beyond what is nearer to the ends.
        Assert.Equal([0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95], report.LatencyMs.AttemptQuantiles.Select(one => one.Probability));
        Assert.InRange(report.LatencyMs.AttemptQuantiles[3].Ms, 9.9, 10.1);
        Assert.All(report.Workers, worker => Assert.Empty(worker.LatencyMs.AttemptQuantiles));
        var plain = sample.Build();
        Assert.Null(plain.ThrottledResponses);
        Assert.Null(plain.DocumentBytes);
    }

    private static LatencyHistogram Histogram(params (int Count, double Ms)[] latencies)
    {
        var histogram = new LatencyHistogram();
        foreach (var (count, ms) in latencies)
        {
            for (var i = 0; i < count; i++)
                histogram.Record(TimeSpan.FromMilliseconds(ms));
        }

        return histogram;
    }
}
