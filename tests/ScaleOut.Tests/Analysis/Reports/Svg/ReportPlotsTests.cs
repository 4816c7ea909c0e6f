using System.Globalization;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Reports.Charts;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Tests.Analysis.Reports.Svg;

public sealed class ReportPlotsTests
{
    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };

    [Fact]
    public void From_EvenRun_HasAPlotOfEachFigure() =>
        Assert.Equal(["throughput", "histogram", "latency", "partitions", "heat", "workers-time"], Ids(Sample));

    [Fact]
    public void From_ThrottledRunOnOnePartition_Shows429sBesideTheRateAndNoHeatMap()
    {
        var throttled = Sample with { Partitions = 1, ThrottledShare = 0.2 };

        Assert.Equal(["throughput", "histogram", "latency", "partitions", "workers-time"], Ids(throttled));
        Assert.Contains(ThroughputPlot.From(throttled.Build()).Legend, entry => entry.Text == "429s");
        Assert.DoesNotContain(ThroughputPlot.From(Sample.Build()).Legend, entry => entry.Text == "429s");
    }

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

    [Fact]
    public void CurvePlot_FittedLaw_HasItsBandWithinThePicture()
    {
        var fit = ScalabilityFit.From(
            new[] { (1, 64.9), (18, 995.9), (36, 1_652.4), (72, 1_853.2), (108, 1_828.9), (144, 1_775.0), (216, 1_702.2) }
                .Select(point => new ScalabilityPoint(point.Item1, point.Item2)));
        var plot = new CurvePlot(
            [
                new CurveSeries(
                    "fleet", [.. fit.Points.Select(point => new CurvePoint(point.Workers, point.Rate, null, ""))], fit.Law!.RateAt, 216,
                    fit.Law!.PeakWorkers, workers => fit.IntervalOf(law => law.RateAt(workers))),
            ],
            "workers", "per second", logarithmic: false);
        var band = plot.Draw(PlotSize.Wide).Single(element => element.Attribute("class")?.Value == "area belt s0").Attribute("d")!.Value;

        Assert.Contains(plot.Legend, entry => entry.Text == "its 95% band");
        Assert.All(
            band.Trim('M', 'Z').Split('L').Select(place => double.Parse(place.Split(',')[1], CultureInfo.InvariantCulture)),
            y => Assert.InRange(y, PlotSize.Top, PlotSize.Wide.PlotBottom));
    }

    private static IEnumerable<string> Ids(RunSample sample) => ReportPlots.From(sample.Build()).Select(plot => plot.Id);
}
