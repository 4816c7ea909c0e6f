using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Documents inserted per second, workers stacked, with the overlap window marked under the time axis.</summary>
internal static class ThroughputPlot
{
    public static Plot From(RunReport report)
    {
        var bands = WorkerBands.From(report.Workers, report.Series.Count);
        var overlap = report.Throughput.OverlapSeconds > 0;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        return new(
            "throughput",
            $"{words.Plural} per second",
            $"{(words.One == "insert" ? "Documents inserted" : $"{words.Phrase[..1].ToUpperInvariant()}{words.Phrase[1..]}")} in each "
                + "second, stacked by worker. The busiest second had "
                + $"{Numbers.Count(report.Series.Max(point => point.Inserted))}{Mean(report.Throughput)}.",
            [
                .. bands.Select(band => new LegendEntry(band.Name, band.Colour)),
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
        var max = new TimeBins(time.Seconds, size.MaxBins).Means(time.Positions, inserted).Max();
        var frame = new TimeFrame(size, time, max, "documents/s");
        return [.. frame.Behind(), .. Stack(frame, bands, report.Series.Count), .. Overlap(time, frame, size), .. frame.InFront()];
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
