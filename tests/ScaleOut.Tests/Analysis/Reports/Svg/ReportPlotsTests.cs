using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Reports.Charts;

namespace ScaleOut.Tests.Analysis.Reports.Svg;

public sealed class ReportPlotsTests
{
    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };

    [Fact]
    public void From_EvenRun_ShowsNoThrottling() => Assert.Equal(["throughput", "latency", "partitions", "heat"], Ids(Sample));

    [Fact]
    public void From_ThrottledRunOnOnePartition_ShowsThrottlingAndNoHeatMap() =>
        Assert.Equal(["throughput", "latency", "partitions", "throttled"], Ids(Sample with { Partitions = 1, ThrottledShare = 0.2 }));

    [Fact]
    public void From_RunWithoutLegs_ShowsNothing() => Assert.Empty(ReportPlots.From(RunReportBuilder.Build(Sample.Ending(), new([], 0))));

    [Fact]
    public void From_ManyWorkers_DrawsThemInBandsThatAddUp()
    {
        var report = (Sample with { Spec = Sample.Spec with { Workers = 19 } }).Build();
        var bands = WorkerBands.From(report.Workers, report.Series.Count);

        Assert.Equal(WorkerBands.MaxBands, bands.Count);
        Assert.Equal(("workers 0-1", "workers 16-18"), (bands[0].Name, bands[^1].Name));
        Assert.Equal(4_000, bands.Sum(band => band.PerSecond.Sum()));
    }

    [Fact]
    public void From_Partitions_NamesTheBudgetInTheLegend()
    {
        var legend = PartitionPlot.From((Sample with { Simulated = false, Partitions = 3 }).Build()).Legend;

        Assert.Equal(
            ["partition 0", "partition 1", "partition 2", "budget of one, 20,000 RU/s (assumed even)"], legend.Select(entry => entry.Text));
    }

    private static IEnumerable<string> Ids(RunSample sample) => ReportPlots.From(sample.Build()).Select(plot => plot.Id);
}
