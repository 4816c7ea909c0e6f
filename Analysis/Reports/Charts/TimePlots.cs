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

/// <summary>When each worker was at work, from its first start to its last end; of very many, neighbours share a row.</summary>
internal static class WorkerTimePlot
{
    private const int MostRows = 48;

    /// <summary>None for a single worker, and where no times are known.</summary>
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var workers = report.Workers.Where(worker => worker is { StartedAt: not null, EndedAt: not null }).ToList();
        if (workers.Count < 2 || report.Series.Count == 0)
            return [];
        var (first, last) = (workers.Min(worker => worker.StartedAt!.Value), workers.Max(worker => worker.EndedAt!.Value));
        var latest = workers.Max(worker => worker.StartedAt!.Value) - first;
        var earliest = last - workers.Min(worker => worker.EndedAt!.Value);
        var rows = Math.Min(MostRows, workers.Count);
        var height = Math.Min(18, 240.0 / rows);
        return
        [
            new Plot("workers-time", "When each worker was at work",
                $"From its first start to its last end. The last worker started {Numbers.Duration(latest)} after the first, and the first "
                    + $"one ended {Numbers.Duration(earliest)} before the last.",
                [], size => Draw(report, workers, rows, height, size),
                rows < workers.Count ? "Neighbouring workers share a row." : null,
                size => size with { Height = PlotSize.Top + (rows * height) + PlotSize.Bottom }),
        ];
    }

    private static IEnumerable<XElement> Draw(
        RunReport report, List<WorkerReport> workers, int rows, double height, PlotSize size)
    {
        var time = ReportTimeline.From(report);
        var x = Scale.Linear(0, time.Seconds, PlotSize.Left, size.PlotRight);
        var every = Math.Max(1, (int)Math.Ceiling(14 / height));
        yield return Axes.Text("worker", 2, 12, "start");
        for (var row = 0; row < rows; row++)
        {
            var members = workers[(row * workers.Count / rows)..((row + 1) * workers.Count / rows)];
            var (from, to) = (
                x.At(time.At(members.Min(worker => worker.StartedAt!.Value))),
                x.At(time.At(members.Max(worker => worker.EndedAt!.Value)) + 1));
            var top = PlotSize.Top + (row * height);
            yield return Tag("path", Class("cell s0"), Attr("d", PathData.Line(
                [(from, top + 1), (to, top + 1), (to, top + height - 1), (from, top + height - 1)]) + "Z"));
            if (row % every == 0)
                yield return Axes.Text(Numbers.Count(members[0].Index), PlotSize.Left - 6, top + Math.Min(height, 14), "end");
        }

        foreach (var element in Axes.Cuts(size, x, time.Cuts).Concat(Axes.Time(size, x, time.Seconds)))
            yield return element;
    }
}

/// <summary>How many operations took how long.</summary>
internal static class ResponseTimePlot
{
    /// <summary>None in what earlier versions wrote.</summary>
    public static IReadOnlyList<Plot> From(RunReport report)
    {
        var buckets = report.LatencyMs.Operations;
        if (buckets.Count == 0)
            return [];
        var total = buckets.Sum(bucket => bucket.Count);
        var fullest = buckets.MaxBy(bucket => bucket.Count);
        return
        [
            new Plot("histogram", "Response times of operations",
                $"{Numbers.Percent(fullest.Count / (double)total)} of {Numbers.Count(total)} operations took "
                    + $"{Numbers.Brief(LowerOf(fullest.UpperBoundMs))} to {Numbers.Brief(fullest.UpperBoundMs)} ms, more than in any other "
                    + "bar; all waits are in it.",
                [], size => Draw(report, total, size)),
        ];
    }

    private static IEnumerable<XElement> Draw(RunReport report, long total, PlotSize size)
    {
        var buckets = report.LatencyMs.Operations;
        var marks = Ticks.Log(Math.Max(0.001, LowerOf(buckets[0].UpperBoundMs)), buckets[^1].UpperBoundMs);
        var x = Scale.Log(marks[0], marks[^1], PlotSize.Left, size.PlotRight - 8);
        var ticks = Ticks.Linear(100.0 * buckets.Max(bucket => bucket.Count) / total, most: 5);
        var y = Scale.Linear(0, ticks[^1], size.PlotBottom, PlotSize.Top);
        return
        [
            .. Axes.Values(size, y, ticks, "% of operations"),
            .. buckets.Select(bucket => Bar(bucket.UpperBoundMs, bucket.Count, total, x, y, size)),
            .. Axes.Marks(size, x, marks.Select(mark => (mark, AxisText.Value(mark, mark))), "ms (logarithmic)"),
        ];
    }

    private static XElement Bar(double upperMs, long count, long total, Scale x, Scale y, PlotSize size)
    {
        var (left, right, top) = (x.At(Math.Max(0.001, LowerOf(upperMs))), x.At(upperMs), y.At(100.0 * count / total));
        return Tag("path", Class("bin s0"), Attr("d", PathData.Line(
            [(left, size.PlotBottom), (left, top), (right, top), (right, size.PlotBottom)]) + "Z"),
            Tag("title", $"under {Numbers.Brief(upperMs)} ms: {Numbers.Count(count)}"));
    }

    /// <summary>Where a bucket begins: there are eight of equal width to each power of two of microseconds, from 64 on.</summary>
    private static double LowerOf(double upperMs)
    {
        var upper = Math.Max(2, Math.Round(upperMs * 1_000));
        return (upper - Math.Max(8, Math.Pow(2, Math.Floor(Math.Log2(upper - 1))) / 8)) / 1_000;
    }
}
