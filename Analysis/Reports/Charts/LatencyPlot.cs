using System.Xml.Linq;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Latency by percentile, of operations and of attempts. Each step to the right leaves a tenth of the slower ones.</summary>
internal static class LatencyPlot
{
    /// <summary>Where the largest value is drawn: beyond 99.9%.</summary>
    private const double MaxPlace = 3.7;

    public static Plot From(RunReport report) => new(
        "latency",
        "Latency by percentile",
        $"Half of the operations took up to {Numbers.Brief(report.LatencyMs.Operation.P50)} ms, 99% up to "
            + $"{Numbers.Brief(report.LatencyMs.Operation.P99)} ms, the slowest {Numbers.Brief(report.LatencyMs.Operation.Max)} ms; of the "
            + $"single attempts {Numbers.Brief(report.LatencyMs.Attempt.P50)}, {Numbers.Brief(report.LatencyMs.Attempt.P99)} and "
            + $"{Numbers.Brief(report.LatencyMs.Attempt.Max)} ms.",
        [new("operation, with all waits", "s0", "line"), new("attempt", "s1", "dash")],
        size => Draw(report, size));

    private static IEnumerable<XElement> Draw(RunReport report, PlotSize size)
    {
        var operation = Points(report.LatencyMs.Operation);
        var attempt = Points(report.LatencyMs.Attempt);
        var values = operation.Concat(attempt).Select(point => point.Ms).ToList();
        var ticks = Ticks.Log(Math.Max(0.001, values.Min()), Math.Max(0.001, values.Max()));
        var y = Scale.Log(ticks[0], ticks[^1], size.PlotBottom, PlotSize.Top);
        var x = Scale.Linear(0, MaxPlace + 0.2, PlotSize.Left, size.PlotRight);
        return
        [
            .. Axes.Values(size, y, ticks, "ms (logarithmic)"),
            .. PlaceAxis(size, x),
            .. Curve(operation, x, y, "s0", "stroke"),
            .. Curve(attempt, x, y, "s1", "stroke dash"),
        ];
    }

    private static IReadOnlyList<(double Place, double Ms, string Name)> Points(LatencySummary latency) =>
    [
        .. new (double Place, double? Ms, string Name)[]
        {
            (Place(50), latency.P50, "p50"), (Place(90), latency.P90, "p90"), (Place(95), latency.P95, "p95"),
            (Place(96), latency.P96, "p96"),
            (Place(99), latency.P99, "p99"), (Place(99.9), latency.P999, "p99.9"), (MaxPlace, latency.Max, "max"),
        }.Where(point => point.Ms is not null).Select(point => (point.Place, Math.Max(0.001, point.Ms!.Value), point.Name)),
    ];

    private static double Place(double percent) => -Math.Log10(1 - (percent / 100));

    private static IEnumerable<XElement> Curve(
        IReadOnlyList<(double Place, double Ms, string Name)> points, Scale x, Scale y, string colour, string style)
    {
        yield return Tag(
            "path", Class($"{style} {colour}"), Attr("d", PathData.Line(points.Select(point => (x.At(point.Place), y.At(point.Ms))))));
        foreach (var (place, ms, name) in points)
            yield return Tag(
                "circle", Class($"dot {colour}"), Attr("cx", x.At(place)), Attr("cy", y.At(ms)), Attr("r", 3),
                Tag("title", $"{name}: {Numbers.Brief(ms)} ms"));
    }

    private static IEnumerable<XElement> PlaceAxis(PlotSize size, Scale x)
    {
        var bottom = size.PlotBottom;
        yield return Tag(
            "line", Class("axis"), Attr("x1", PlotSize.Left), Attr("x2", size.PlotRight), Attr("y1", bottom), Attr("y2", bottom));
        (double, string)[] marks =
        [
            (Place(50), "50"), (Place(90), "90"), (Place(95), "95"), (Place(99), "99"), (Place(99.9), "99.9"), (MaxPlace, "max"),
        ];
        foreach (var (place, text) in marks)
        {
            yield return Tag(
                "line", Class("axis"), Attr("x1", x.At(place)), Attr("x2", x.At(place)), Attr("y1", bottom), Attr("y2", bottom + 4));
            yield return Axes.Text(text, x.At(place), bottom + 17, "middle");
        }

        yield return Axes.Text("percentile, %", size.PlotRight, size.Height - 4, "end");
    }
}
