namespace ScaleOut.Analysis.Charts;

/// <summary>Makes charts of measured points over a number such as workers, with intervals and fitted curves.</summary>
internal static class CurveChart
{
    /// <summary>As many series as colours can be distinguished.</summary>
    public const int MaxSeries = 8;

    private const int CurveSteps = 60;
    private const double WidestInterval = 1.5;

    /// <param name="logarithmic">Whether equal factors of x are equally far apart; else the axis starts at 0.</param>
    public static Chart From(
        string id, string title, string sentence, IReadOnlyList<CurveSeries> series, string xUnit, string yUnit, bool logarithmic)
    {
        var points = series.SelectMany(one => one.Points).ToList();
        var highest = Math.Max(points.Max(point => point.Y), series.Max(Highest));
        // A very wide interval must not press the points themselves to the floor.
        var interval = Math.Min(points.Max(point => point.Interval?.High ?? 0), points.Max(point => point.Y) * WidestInterval);
        var least = points.Min(point => point.X);
        var most = points.Select(point => point.X).Concat(series.Select(one => one.CurveEnd)).Max();
        return new(
            id, title, sentence,
            logarithmic
                ? new ChartAxis(xUnit, ChartScale.Logarithmic) { Min = least / 1.1, Max = most * 1.1, Ticks = Ticks(points) }
                : new ChartAxis(xUnit) { Min = 0, Max = most * 1.03, Ticks = Ticks(points) },
            new ChartAxis(yUnit) { Min = 0, Max = Math.Max(highest, interval) * 1.05 },
            [.. series.SelectMany((one, i) => From(one, string.Create(CultureInfo.InvariantCulture, $"s{i}")))])
        {
            Marks =
            [
                .. series.Where(one => one.Peak <= one.CurveEnd)
                    .Select(one => new ChartMark("x", one.Peak!.Value, "peak of the fitted law", "limit")),
            ],
        };
    }

    private static List<ChartTick> Ticks(IEnumerable<ChartPoint> points) =>
        [.. points.Select(point => point.X).Distinct().Order().Select(x => new ChartTick(x, Numbers.Brief(x)))];

    private static double Highest(CurveSeries one) => one.Curve is { } curve ? CurveXs(one).Max(curve) : 0;

    private static IReadOnlyList<double> CurveXs(CurveSeries one)
    {
        var first = one.Points.Min(point => point.X);
        return [.. Enumerable.Range(0, CurveSteps + 1).Select(i => first + ((one.CurveEnd - first) * i / CurveSteps))];
    }

    private static IEnumerable<ChartSeries> From(CurveSeries one, string colour)
    {
        if (one.Band is { } band)
        {
            var ends = CurveXs(one).Select(x => (X: x, Interval: band(x))).ToList();
            yield return new($"95% band of {one.Name}", colour, ChartKind.Range)
            {
                X = [.. ends.Select(end => end.X)],
                Low = [.. ends.Select(end => (double?)end.Interval.Low)],
                High = [.. ends.Select(end => (double?)end.Interval.High)],
            };
        }

        yield return ChartSeries.From(one.Name, colour, ChartKind.Line, one.Curve is { } curve
            ? [.. CurveXs(one).Select(x => new ChartPoint(x, curve(x)))]
            : [.. one.Points.Where(point => !point.IsHollow).Select(point => new ChartPoint(point.X, point.Y))]);
        yield return ChartSeries.From(one.Name, colour, ChartKind.Dots, one.Points);
    }
}

/// <summary>Points of one kind, joined by a line or with a fitted curve of their own.</summary>
/// <param name="Points">A hollow one is shown but not used.</param>
/// <param name="Curve">A fitted curve in place of the line between the points; null for that line.</param>
/// <param name="CurveEnd">Largest x to which the curve is drawn.</param>
/// <param name="Peak">Where the curve is highest; null when it has no peak that is shown.</param>
/// <param name="Band">Interval of the curve at an x; null when there is none.</param>
internal sealed record CurveSeries(
    string Name, IReadOnlyList<ChartPoint> Points, Func<double, double>? Curve = null, double CurveEnd = 0, double? Peak = null,
    Func<double, Interval>? Band = null);
