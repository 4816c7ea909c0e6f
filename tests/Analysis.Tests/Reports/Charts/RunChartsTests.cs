using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Charts;

namespace ScaleOut.Tests.Analysis.Reports.Charts;

public sealed class RunChartsTests
{
    private static readonly RunSample Sample = new() { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } };

    [Fact]
    public void From_EvenRun_HasAChartOfEachFigure() =>
        Assert.Equal(["throughput", "histogram", "latency", "partitions", "heat", "workers-time"], Ids(Sample));

    [Fact]
    public void From_ThrottledRunOnOnePartition_Shows429sBelowTheRateAndNoHeatMap()
    {
        var throttled = Sample with { Partitions = 1, ThrottledShare = 0.2 };
        Assert.Equal(["throughput", "histogram", "latency", "partitions", "workers-time"], Ids(throttled));
        var (rate, quiet) = (RunCharts.OverTime(throttled.Build()), RunCharts.OverTime(Sample.Build()));
        Assert.Contains(rate.Below, one => one.Id == "throttled");
        Assert.DoesNotContain(quiet.Below, one => one.Id == "throttled");
        Assert.All(rate.Below, one => Assert.Equal((rate.X, true), (one.X, one.At!.SequenceEqual(rate.At!))));
    }

    [Fact]
    public void From_RunWithoutLegs_ShowsNothing() => Assert.Empty(RunCharts.From(RunReportBuilder.Build(Sample.Ending(), new([], 0))));

    /// <summary>Four equal parts say nothing that a line does not.</summary>
    [Fact]
    public void OverTime_WorkersThatAreAlike_IsTheMeanOfFiveSecondsOverSingleOnes()
    {
        var report = Sample.Build();
        var chart = RunCharts.OverTime(report);

        Assert.Equal(
            [("each second", "band", ChartKind.Steps), ("mean of 5 s", "s0", ChartKind.Line)],
            chart.Series.Select(one => (one.Name, one.Colour, one.Kind)));
        var (seconds, mean) = (chart.Series[0].Y!, chart.Series[1].Y!);
        Assert.Equal(report.Series.Select(point => (double?)point.Counts.Inserted), seconds.Take(report.Series.Count));
        Assert.Equal(seconds.Skip(5).Take(5).Average()!.Value, mean[7]!.Value, 9);
        Assert.Equal(seconds.Take(3).Average()!.Value, mean[0]!.Value, 9);
    }

    /// <summary>A point of a long run stands for five seconds or more and is their mean.</summary>
    [Fact]
    public void OverTime_RunOfHours_HasNoMeanOfMeans()
    {
        var spec = Sample.Spec with { Workers = 1, Documents = 8_000 };
        Assert.Equal("each 6 s", Assert.Single(RunCharts.OverTime((Sample with { Seconds = 4_000, Spec = spec }).Build()).Series).Name);
    }

    [Fact]
    public void OverTime_WorkersWithOtherSettingsOrOtherRates_AreStacked()
    {
        var report = Sample.Build();
        var others = report with { Spec = report.Spec with { WorkerOverrides = [new() { Workers = [1], Client = new() }] } };
        var slower = report with
        {
            Workers =
            [
                .. report.Workers.Take(3),
                report.Workers[3] with
                {
                    Throughput = report.Workers[3].Throughput with { OverlapPerSecond = report.Workers[0].Throughput.Rate * 0.8 },
                },
            ],
        };
        Assert.All([others, slower], one => Assert.Equal(
            ["worker 0", "worker 1", "worker 2", "worker 3"],
            RunCharts.OverTime(one).Series.Where(series => series.Kind == ChartKind.Area).Select(series => series.Name)));
    }

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
        var chart = PartitionCharts.RequestUnits((Sample with { Simulated = false, Partitions = 3 }).Build());
        Assert.Equal(
            ["partition 0", "partition 1", "partition 2", "budget of one, 20,000 RU/s (assumed even)"],
            chart.Series.Select(one => one.Name).Concat(chart.Marks.Select(mark => mark.Name)));
    }

    [Fact]
    public void CurveChart_FittedLaw_HasItsBandAndItsPeak()
    {
        var fit = ScalabilityFit.From(
            new[] { (1, 64.9), (18, 995.9), (36, 1_652.4), (72, 1_853.2), (108, 1_828.9), (144, 1_775.0), (216, 1_702.2) }
                .Select(point => new ScalabilityPoint(point.Item1, point.Item2)));
        var chart = CurveChart.From(
            "fleet", "", "",
            [
                new CurveSeries(
                    "fleet", [.. fit.Points.Select(point => new ChartPoint(point.Workers, point.Rate))], fit.Law!.RateAt, 216,
                    fit.Law!.PeakWorkers, workers => fit.IntervalOf(law => law.RateAt(workers))),
            ],
            new("workers", "per second", Logarithmic: false));
        var band = Assert.Single(chart.Series, one => one.Kind == ChartKind.Range);

        Assert.Equal(["95% band of fleet", "fleet", "fleet"], chart.Series.Select(one => one.Name));
        Assert.Equal("peak of the fitted law", Assert.Single(chart.Marks).Name);
        Assert.All(band.Low!.Zip(band.High!), ends => Assert.InRange(ends.First!.Value, 0, ends.Second!.Value));
        Assert.All(
            chart.Series.Where(one => one.Y is not null).SelectMany(one => one.Y!), y => Assert.InRange(y!.Value, 0, chart.Y.Max!.Value));
    }

    /// <summary>No name that a user gives a variant can end the element of the page that holds the data.</summary>
    [Fact]
    public void ToJson_AnyName_IsEscapedForHtml()
    {
        var chart = new Chart("a", "</script><!--", "", new ChartAxis(""), new ChartAxis(""), []);
        Assert.DoesNotContain("<", chart.ToJson(), StringComparison.Ordinal);
        Assert.Equal("</script><!--", (string?)JsonNode.Parse(chart.ToJson())!["title"]);
    }

    [Theory]
    [InlineData(1.234567, "1.2346")]
    [InlineData(0.000123456, "0.00012346")]
    [InlineData(123456.7, "123457")]
    [InlineData(0, "0")]
    public void ToJson_Number_HasFiveDigits(double value, string written) => Assert.Contains(
        $"\"at\":[{written}]",
        new Chart("a", "", "", new ChartAxis(""), new ChartAxis(""), []) { At = [value] }.ToJson(), StringComparison.Ordinal);

    private static IEnumerable<string> Ids(RunSample sample) => RunCharts.From(sample.Build()).Select(chart => chart.Id);
}
