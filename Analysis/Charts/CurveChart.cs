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

    private static List<ChartTick> Ticks(IEnumerable<CurvePoint> points) =>
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

        var used = one.Points.Where(point => !point.LeftOut).ToList();
        yield return one.Curve is { } curve
            ? new(one.Name, colour, ChartKind.Line) { X = CurveXs(one), Y = [.. CurveXs(one).Select(x => (double?)curve(x))] }
            : new(one.Name, colour, ChartKind.Line)
            {
                X = [.. used.Select(point => point.X)], Y = [.. used.Select(point => (double?)point.Y)],
            };
        var intervals = one.Points.Any(point => point.Interval is not null);
        yield return new(one.Name, colour, ChartKind.Dots)
        {
            X = [.. one.Points.Select(point => point.X)],
            Y = [.. one.Points.Select(point => (double?)point.Y)],
            Low = intervals ? [.. one.Points.Select(point => point.Interval?.Low)] : null,
            High = intervals ? [.. one.Points.Select(point => point.Interval?.High)] : null,
            Hollow = one.Points.Any(point => point.LeftOut) ? [.. one.Points.Select(point => point.LeftOut ? 1 : 0)] : null,
            Titles = [.. one.Points.Select(point => point.Title)],
        };
    }
}

/// <summary>One measured point of a <see cref="CurveChart"/>.</summary>
/// <param name="X">Such as a number of workers.</param>
/// <param name="Interval">Of <paramref name="Y"/>; null when there is none.</param>
/// <param name="Title">Name and values, for those who point at it.</param>
/// <param name="LeftOut">Whether it is shown but not used.</param>
internal sealed record CurvePoint(double X, double Y, Interval? Interval, string Title, bool LeftOut = false);

/// <summary>Points of one kind, joined by a line or with a fitted curve of their own.</summary>
/// <param name="Curve">A fitted curve in place of the line between the points; null for that line.</param>
/// <param name="CurveEnd">Largest x to which the curve is drawn.</param>
/// <param name="Peak">Where the curve is highest; null when it has no peak that is shown.</param>
/// <param name="Band">Interval of the curve at an x; null when there is none.</param>
internal sealed record CurveSeries(
    string Name, IReadOnlyList<CurvePoint> Points, Func<double, double>? Curve = null, double CurveEnd = 0, double? Peak = null,
    Func<double, Interval>? Band = null);
