using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>The plots that a report has figures for.</summary>
internal static class ReportPlots
{
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var plots = new List<Plot>();
        if (report.Series.Count > 0)
            plots.Add(ThroughputPlot.From(report));
        if (report.LatencyMs.Operation.P50 is not null || report.LatencyMs.Attempt.P50 is not null)
            plots.Add(LatencyPlot.From(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 0)
            plots.Add(PartitionPlot.From(report));
        if (report.Series.Count > 0 && report.Partitions.Count > 1 && report.Partitions.Any(partition => partition.BudgetPerSecond > 0))
            plots.Add(PartitionHeatMap.From(report));
        if (report.Series.Any(point => point.Throttled > 0))
            plots.Add(ThrottlePlot.From(report));
        return plots;
    }
}

/// <summary>429s per second.</summary>
internal static class ThrottlePlot
{
    public static Plot From(RunReport report) => new(
        "throttled",
        "Throttled attempts per second",
        $"Attempts that got a 429 in each second: {Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} "
            + $"in all, {Numbers.Count(report.Series.Max(point => point.Throttled))} in the worst second.",
        [],
        size =>
        {
            IReadOnlyList<double> throttled = [.. report.Series.Select(point => (double)point.Throttled)];
            var time = ReportTimeline.From(report);
            var frame = new TimeFrame(size, time, new TimeBins(time.Seconds, size.MaxBins).Means(time.Positions, throttled).Max(), "429/s");
            var floor = Enumerable.Repeat(frame.Y.At(0), frame.Bins.Count).ToList();
            return
            [
                .. frame.Behind(),
                Tag("path", Class("area throttled"), Attr("d", PathData.Between(frame.Edges, floor, frame.Levels(throttled)))),
                .. frame.InFront(),
            ];
        });
}
