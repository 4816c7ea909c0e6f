namespace ScaleOut.Tests.Analysis.Reports;

public sealed class ReportTimelineTests
{
    private static readonly RunSample Sample = new() { Seconds = 30, Partitions = 2, Spec = new() { Id = "test", Documents = 4_000 } };

    [Fact]
    public void From_SecondsWithoutDocuments_CountAlthoughTheReportOmitsThem()
    {
        var report = WithHole(10, 25);
        var time = ReportTimeline.From(report);
        double[] documents = [.. report.Series.Select(point => (double)point.Counts.Inserted)];

        Assert.Equal(15, report.Series.Count);
        Assert.Equal((31, 26), (time.Seconds, time.InOverlap(documents).Count));
        Assert.Equal(15, time.InOverlap(documents).Count(value => value == 0));
        Assert.Equal(Math.Round(time.InOverlap(documents).Sum() / 26, 2), report.Throughput.OverlapPerSecond);
        Assert.Equal([0, 1, 9, 25, 29], new[] { 0, 1, 9, 10, 14 }.Select(entry => time.Positions[entry]));
        Assert.Equal((0, 1), (PartitionSpread.From(report)!.Median, report.Workers[0].PerSecond.Count / report.Series.Count));
        Assert.Contains("without a single document", RunComparison.From(report, report).Rows[0].Basis, StringComparison.Ordinal);
        Assert.NotEmpty(RunTables.From(report));
    }

    [Fact]
    public void Means_FewSeconds_AreTheSeconds()
    {
        var time = ReportTimeline.From(Seconds(0, 1, 2), maxBins: 10);
        Assert.Equal((3, 1), (time.Bins, time.SecondsPerBin));
        Assert.Equal([1, 2, 3], time.Means([1, 2, 3]));
    }

    [Fact]
    public void Means_ManySeconds_AreDrawnTogetherWithAShortLastBin()
    {
        var time = ReportTimeline.From(Seconds(0, 1, 2, 3, 4), maxBins: 3);
        Assert.Equal((3, 2), (time.Bins, time.SecondsPerBin));
        Assert.Equal([1.5, 3.5, 9], time.Means([1, 2, 3, 4, 9]));
        Assert.Equal([1.5, 0, 9], ReportTimeline.From(Seconds(1, 4), maxBins: 3).Means([3, 9]));
        Assert.Equal([0, 2, 4, 5], Enumerable.Range(0, 4).Select(time.BinStart));
    }

    /// <summary>A report whose last entry is in its last second.</summary>
    private static RunReport Seconds(params int[] entries) => Sample.Build() with
    {
        Stretches = [new(RunSample.Start, RunSample.Start.AddSeconds(entries[^1] + 1))],
        Overlap = [],
        Series = [.. entries.Select(second => new SeriesPoint
        {
            Second = RunSample.Start.AddSeconds(second), Counts = default, Overlap = false,
        })],
    };

    /// <summary>The sample with some seconds in which nothing happened.</summary>
    private static RunReport WithHole(int from, int to)
    {
        var runLegs = Sample.AllLegs();
        bool IsIn(long second) => second - RunSample.Start.ToUnixTimeSeconds() is var at && at >= from && at < to;
        return RunReportBuilder.Build(Sample.Ending(), new RunLegs(
            [.. runLegs.Results.Select(leg => leg with
            {
                Seconds = [.. leg.Seconds.Select(sample => IsIn(sample.Second) ? sample with { Counts = default } : sample)],
                Partitions = [.. leg.Partitions.Select(partition => partition with
                {
                    RequestUnitsPerSecond =
                        [.. partition.RequestUnitsPerSecond.Select((charged, i) => IsIn(partition.FirstSecond + i) ? 0 : charged)],
                })],
            })],
            LostLegs: 0)
        { Start = runLegs.Start });
    }
}
