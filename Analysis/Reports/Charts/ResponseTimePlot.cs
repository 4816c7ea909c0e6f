using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

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
