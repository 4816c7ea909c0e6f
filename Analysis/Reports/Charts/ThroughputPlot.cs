using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>
/// Documents inserted per second, workers stacked, and the 429s and the rate asked for on the same axes; the overlap window is marked under
/// the time axis.
/// </summary>
internal static class ThroughputPlot
{
    public static Plot From(RunReport report)
    {
        var bands = WorkerBands.From(report.Workers, report.Series.Count);
        var overlap = report.Throughput.OverlapSeconds > 0;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        var throttled = report.Series.Max(point => point.Throttled);
        return new(
            "throughput",
            $"{words.Plural}{(throttled > 0 ? " and 429s" : "")} per second",
            $"{(words.One == "insert" ? "Documents inserted" : $"{words.Phrase[..1].ToUpperInvariant()}{words.Phrase[1..]}")} in each "
                + "second, stacked by worker. The busiest second had "
                + $"{Numbers.Count(report.Series.Max(point => point.Inserted))}{Mean(report.Throughput)}."
                + (throttled > 0
                    ? $" {Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} attempts got a 429, "
                        + $"{Numbers.Count(throttled)} in the worst second."
                    : ""),
            [
                .. bands.Select(band => new LegendEntry(band.Name, band.Colour)),
                .. throttled > 0 ? [new LegendEntry("429s", "throttled", "line")] : Array.Empty<LegendEntry>(),
                .. report.Throughput.AskedPerSecond is { } asked
                    ? [new LegendEntry($"asked for, {Numbers.Brief(asked)}/s", "limit", "dash")]
                    : Array.Empty<LegendEntry>(),
                .. overlap ? [new LegendEntry("all workers at work", "overlap", "line")] : Array.Empty<LegendEntry>(),
                .. report.Interruptions.Count > 0 ? [new LegendEntry("interrupted, left out", "cut", "dash")] : Array.Empty<LegendEntry>(),
            ],
            size => Draw(report, bands, size));
    }

    private static string Mean(ThroughputReport rate) => rate.OverlapPerSecond is { } overlap
        ? $"; over the {Words.Amount(rate.OverlapSeconds, "second")} in which all workers were at work the mean is {Numbers.Brief(overlap)}"
        : "";

    private static IEnumerable<XElement> Draw(RunReport report, IReadOnlyList<WorkerBands> bands, PlotSize size)
    {
        var time = ReportTimeline.From(report);
        IReadOnlyList<double> inserted = [.. report.Series.Select(point => (double)point.Inserted)];
        IReadOnlyList<double> throttled = [.. report.Series.Select(point => (double)point.Throttled)];
        var bins = new TimeBins(time.Seconds, size.MaxBins);
        var asked = report.Throughput.AskedPerSecond;
        var max = bins.Means(time.Positions, inserted).Concat(bins.Means(time.Positions, throttled)).Max();
        var frame = new TimeFrame(size, time, Math.Max(max, 1.05 * asked ?? 0), "per second");
        return
        [
            .. frame.Behind(), .. Stack(frame, bands, report.Series.Count),
            .. Throttled(frame, throttled),
            .. asked is { } rate ? [Axes.Limit(size, frame.Y.At(rate))] : Array.Empty<XElement>(),
            .. Overlap(time, frame, size), .. frame.InFront(),
        ];
    }

    /// <summary>A line with a halo, so that it can be seen on any worker's colour; nothing without 429s.</summary>
    private static IEnumerable<XElement> Throttled(TimeFrame frame, IReadOnlyList<double> perEntry)
    {
        if (perEntry.All(count => count == 0))
            yield break;
        var line = PathData.Steps(frame.Edges, frame.Levels(perEntry));
        yield return Tag("path", Class("halo"), Attr("d", line));
        yield return Tag("path", Class("stroke throttled"), Attr("d", line));
    }

    private static IEnumerable<XElement> Stack(TimeFrame frame, IReadOnlyList<WorkerBands> bands, int entries)
    {
        var below = new double[entries];
        foreach (var band in bands)
        {
            var above = below.Zip(band.PerSecond, (sum, value) => sum + value).ToArray();
            yield return Tag("path", Class($"area {band.Colour}"),
                Attr("d", PathData.Between(frame.Edges, frame.Levels(below), frame.Levels(above))),
                Tag("title", band.Name));
            below = above;
        }
    }

    /// <summary>One bar for each stretch of the window.</summary>
    private static IEnumerable<XElement> Overlap(ReportTimeline time, TimeFrame frame, PlotSize size)
    {
        var y = size.PlotBottom + 2;
        foreach (var (from, to) in time.Overlap)
        {
            yield return Tag("line", Class("stroke overlap"),
                Attr("x1", frame.X(from)), Attr("x2", frame.X(to)), Attr("y1", y), Attr("y2", y));
        }
    }
}
