using System.Globalization;
using System.Xml.Linq;
using ScaleOut.Analysis.Statistics;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Charts;

/// <summary>Draws measured points over a number such as workers, with intervals and fitted curves.</summary>
/// <param name="series">Up to eight, which is how many colours can be distinguished.</param>
/// <param name="xUnit">Of the lower axis.</param>
/// <param name="yUnit">Of the left axis.</param>
/// <param name="logarithmic">Whether equal factors of x are equally far apart; else the axis starts at 0.</param>
internal sealed class CurvePlot(IReadOnlyList<CurveSeries> series, string xUnit, string yUnit, bool logarithmic)
{
    public const int MostSeries = 8;

    private const int CurveSteps = 120;

    private const double WidestInterval = 1.5;

    public static string Colour(int index) => string.Create(CultureInfo.InvariantCulture, $"s{index}");

    public IReadOnlyList<LegendEntry> Legend =>
    [
        .. series.Select((one, i) => new LegendEntry(one.Name, Colour(i), "line")),
        .. series.Any(one => one.Peak is not null)
            ? [new LegendEntry("peak of the fitted law", "limit", "dash")]
            : Array.Empty<LegendEntry>(),
        .. series.Any(one => one.Band is not null) ? [new LegendEntry("its 95% band", "band")] : Array.Empty<LegendEntry>(),
    ];

    public IEnumerable<XElement> Draw(PlotSize size)
    {
        var points = series.SelectMany(one => one.Points).ToList();
        var most = points.Select(point => point.X).Concat(series.Select(one => one.CurveEnd)).Max();
        // A very wide interval must not press the points themselves to the floor.
        var highest = points.Max(point => point.Y);
        var ticks = Ticks.Linear(
            Math.Max(
                Math.Min(points.Max(point => point.Interval?.High ?? 0), highest * WidestInterval), Math.Max(highest, series.Max(Highest))),
            most: 5);
        var y = Scale.Linear(0, ticks[^1], size.PlotBottom, PlotSize.Top);
        var least = points.Min(point => point.X);
        var x = logarithmic
            ? Scale.Log(least, most, PlotSize.Left + 14, size.PlotRight - 14)
            : Scale.Linear(0, most, PlotSize.Left, size.PlotRight - 14);
        return
        [
            .. Axes.Values(size, y, ticks, yUnit),
            .. XAxis(size, x, [.. points.Select(point => point.X).Distinct().Order()], most),
            .. series.SelectMany((one, i) => Series(one, Colour(i), size, x, y)),
        ];
    }

    private static double Highest(CurveSeries one) => one.Curve is { } curve ? CurveXs(one).Max(curve) : 0;

    private static IEnumerable<double> CurveXs(CurveSeries one)
    {
        var first = one.Points.Min(point => point.X);
        return Enumerable.Range(0, CurveSteps + 1).Select(i => first + ((one.CurveEnd - first) * i / CurveSteps));
    }

    private IEnumerable<XElement> XAxis(PlotSize size, Scale x, IReadOnlyList<double> values, double most)
    {
        var marks = most > values[^1] * 1.05 ? values.Append(Math.Round(most)) : values;
        return Axes.Marks(size, x, marks.Select(value => (value, AxisText.Value(value, value))), xUnit);
    }

    private static IEnumerable<XElement> Series(CurveSeries one, string colour, PlotSize size, Scale x, Scale y)
    {
        var line = one.Curve is { } curve
            ? CurveXs(one).Select(at => (x.At(at), y.At(curve(at))))
            : one.Points.Where(point => !point.LeftOut).Select(point => (x.At(point.X), y.At(point.Y)));
        if (one.Band is { } band)
        {
            var ends = CurveXs(one).Select(at => (X: x.At(at), Interval: band(at))).ToList();
            yield return Tag("path", Class($"area belt {colour}"), Attr("d", PathData.Line(
            [
                .. ends.Select(end => (end.X, Math.Max(PlotSize.Top, y.At(end.Interval.High)))),
                .. Enumerable.Reverse(ends).Select(end => (end.X, Math.Clamp(y.At(end.Interval.Low), PlotSize.Top, size.PlotBottom))),
            ]) + "Z"));
        }

        yield return Tag("path", Class($"stroke {colour}"), Attr("d", PathData.Line(line)));
        if (one is { Peak: { } peak, Curve: { } law } && peak <= one.CurveEnd)
        {
            yield return Tag(
                "line", Class("stroke dash limit"), Attr("x1", x.At(peak)), Attr("x2", x.At(peak)), Attr("y1", y.At(law(peak))),
                Attr("y2", size.PlotBottom),
                Tag("title", string.Create(CultureInfo.InvariantCulture, $"peak of {one.Name} at {peak:0.#}")));
        }

        foreach (var point in one.Points)
        {
            if (point.Interval is { } interval)
            {
                var (at, top) = (x.At(point.X), y.At(interval.High));
                yield return Tag(
                    "line", Class($"stroke {colour}"), Attr("x1", at), Attr("x2", at), Attr("y1", y.At(interval.Low)),
                    Attr("y2", Math.Max(PlotSize.Top, top)));
                if (top < PlotSize.Top)
                    yield return Tag(
                        "path", Class($"cell {colour}"),
                        Attr("d", PathData.Line(
                            [(at - 5, PlotSize.Top + 6), (at, PlotSize.Top - 4), (at + 5, PlotSize.Top + 6)]) + "Z"),
                        Tag("title", "goes on beyond the axis"));
            }

            yield return Tag(
                "circle", Class(point.LeftOut ? $"dot hollow {colour}" : $"dot {colour}"), Attr("cx", x.At(point.X)),
                Attr("cy", y.At(point.Y)), Attr("r", 4), Tag("title", point.Title));
        }
    }
}

/// <summary>One measured point of a <see cref="CurvePlot"/>.</summary>
/// <param name="X">Such as a number of workers.</param>
/// <param name="Y">Such as a rate.</param>
/// <param name="Interval">Of <paramref name="Y"/>; null when there is none.</param>
/// <param name="Title">Name and values, for those who point at it.</param>
/// <param name="LeftOut">Whether it is shown but not used.</param>
internal sealed record CurvePoint(double X, double Y, Interval? Interval, string Title, bool LeftOut = false);

/// <summary>Points of one kind, joined by a line or with a fitted curve of their own.</summary>
/// <param name="Name">For the legend.</param>
/// <param name="Points">By ascending x.</param>
/// <param name="Curve">A fitted curve in place of the line between the points; null for that line.</param>
/// <param name="CurveEnd">Largest x to which the curve is drawn.</param>
/// <param name="Peak">Where the curve is highest; null when it has no peak that is shown.</param>
/// <param name="Band">Interval of the curve at an x; null when there is none.</param>
internal sealed record CurveSeries(
    string Name, IReadOnlyList<CurvePoint> Points, Func<double, double>? Curve = null, double CurveEnd = 0, double? Peak = null,
    Func<double, Interval>? Band = null);
