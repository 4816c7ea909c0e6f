using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Latency percentiles of each second: a line for the median, bands up to the 95th and the 99th.</summary>
internal static class LatencyBandPlot
{
    /// <summary>None where no second has percentiles, as in what earlier versions wrote.</summary>
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var bands = report.Series.Where(point => point.LatencyMs is not null).ToList();
        if (bands.Count == 0)
            return [];
        var worst = bands.MaxBy(point => point.LatencyMs!.P99)!;
        var time = ReportTimeline.From(report);
        return
        [
            new Plot("latency-time", "Latency over time",
                $"Percentiles of the operations that ended in each second. The highest p99 of a second is "
                    + $"{Numbers.Brief(worst.LatencyMs!.P99)} ms, at {AxisText.Elapsed(time.At(worst.Second), time.Seconds)}.",
                [new("p50", "s0", "line"), new("p50 to p95", "band"), new("p95 to p99", "tail")],
                size => Draw(report, time, size),
                new TimeBins(time.Seconds, PlotSize.Wide.MaxBins).SecondsPerBin > 1
                    ? "Where several seconds share a place, the highest of each percentile is drawn."
                    : null),
        ];
    }

    private static IEnumerable<XElement> Draw(RunReport report, ReportTimeline time, PlotSize size)
    {
        var known = report.Series.Select(point => point.LatencyMs).OfType<LatencyBand>().ToList();
        var frame = new TimeFrame(
            size, time, known.Max(band => band.P99), "ms (logarithmic)", leastOfLog: Math.Max(0.001, known.Min(band => band.P50)));
        var bins = Highest(report, time, frame.Bins);
        return [.. frame.Behind(), .. Stretches(bins).SelectMany(stretch => Stretch(frame, bins, stretch)), .. frame.InFront()];
    }

    private static IEnumerable<XElement> Stretch(TimeFrame frame, LatencyBand?[] bins, (int From, int To) stretch)
    {
        IReadOnlyList<double> edges = [.. frame.Edges.Skip(stretch.From).Take(stretch.To - stretch.From + 1)];
        IReadOnlyList<double> Levels(Func<LatencyBand, double> of) =>
            [.. bins[stretch.From..stretch.To].Select(band => frame.Y.At(Math.Max(0.001, of(band!))))];
        var (p50, p95, p99) = (Levels(band => band.P50), Levels(band => band.P95), Levels(band => band.P99));
        yield return Tag("path", Class("area tail"), Attr("d", PathData.Between(edges, p95, p99)));
        yield return Tag("path", Class("area band"), Attr("d", PathData.Between(edges, p50, p95)));
        yield return Tag("path", Class("stroke s0"), Attr("d", PathData.Steps(edges, p50)));
    }

    private static LatencyBand?[] Highest(RunReport report, ReportTimeline time, TimeBins bins)
    {
        var highest = new LatencyBand?[bins.Count];
        foreach (var (position, point) in time.Positions.Zip(report.Series))
        {
            var bin = position / bins.SecondsPerBin;
            if (point.LatencyMs is { } band)
                highest[bin] = highest[bin] is not { } seen ? band : new LatencyBand(
                    Math.Max(seen.P50, band.P50), Math.Max(seen.P95, band.P95), Math.Max(seen.P99, band.P99));
        }

        return highest;
    }

    private static IEnumerable<(int From, int To)> Stretches(LatencyBand?[] bins)
    {
        for (var from = 0; from < bins.Length; from++)
        {
            var to = from;
            while (to < bins.Length && bins[to] is not null)
                to++;
            if (to > from)
                yield return (from, to);
            from = to;
        }
    }
}
