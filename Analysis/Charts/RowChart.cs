namespace ScaleOut.Analysis.Charts;

/// <summary>Makes charts with one row for each variant, and with its values from left to right.</summary>
internal sealed class RowChart(IReadOnlyList<string> rows, bool logarithmic = false)
{
    private const double WidestInterval = 1.5;

    private readonly List<(string Name, string Colour, ChartKind Kind, Point Point)> _points = [];

    /// <summary>Adds a value.</summary>
    /// <param name="title">What is said of it where it is pointed at.</param>
    public void Add(
        string name, string colour, ChartKind kind, int row, double at, string title, Interval? interval = null, bool hollow = false) =>
        _points.Add((name, colour, kind, new Point(row, at, null, interval, hollow, title)));

    /// <summary>Adds a stretch between two values.</summary>
    public void AddSpan(string name, string colour, ChartKind kind, int row, double from, double to, string title) =>
        _points.Add((name, colour, kind, new Point(row, from, to, null, false, title)));

    public Chart Make(string id, string title, string sentence, string unit)
    {
        // A very wide interval must not press the values themselves into a corner.
        var values = _points.Select(one => one.Point.To ?? one.Point.At).DefaultIfEmpty(1).ToList();
        var highest = Math.Max(values.Max(), Math.Min(
            _points.Max(one => one.Point.Interval?.High) ?? 0, values.Max() * WidestInterval));
        var lowest = _points.Select(one => one.Point.At).Where(at => at > 0).DefaultIfEmpty(highest / 10).Min();
        var axis = logarithmic
            ? new ChartAxis(unit, ChartScale.Logarithmic) { Min = lowest / 1.3, Max = highest * 1.3 }
            : new ChartAxis(unit) { Min = 0, Max = highest * 1.04 };
        var beyond = _points.Exists(one => one.Point.Interval is { } ends && (ends.High > axis.Max || ends.Low < axis.Min));
        return new(id, title, sentence, axis, new ChartAxis("", ChartScale.Rows) { Rows = rows },
            [.. _points.GroupBy(one => (one.Name, one.Colour, one.Kind)).Select(group => Series(
                new ChartSeries(group.Key.Name, group.Key.Colour, group.Key.Kind),
                [.. group.Select(one => one.Point).OrderBy(point => point.At)]))])
        {
            Note = beyond ? "An arrowhead: the line goes on beyond the axis." : null,
        };
    }

    private static ChartSeries Series(ChartSeries series, IReadOnlyList<Point> points) => series with
    {
        X = [.. points.Select(point => point.At)],
        Y = [.. points.Select(point => (double?)point.Row)],
        To = points[0].To is null ? null : [.. points.Select(point => point.To!.Value)],
        Low = points.Any(point => point.Interval is not null) ? [.. points.Select(point => point.Interval?.Low)] : null,
        High = points.Any(point => point.Interval is not null) ? [.. points.Select(point => point.Interval?.High)] : null,
        Hollow = points.Any(point => point.Hollow) ? [.. points.Select(point => point.Hollow ? 1 : 0)] : null,
        Titles = [.. points.Select(point => point.Title)],
    };

    private sealed record Point(int Row, double At, double? To, Interval? Interval, bool Hollow, string Title);
}
