namespace ScaleOut.Analysis.Charts;

/// <summary>Makes charts with one row for each variant, and with its values from left to right.</summary>
internal sealed class RowChart(IReadOnlyList<string> rows, bool logarithmic = false)
{
    private const double WidestInterval = 1.5;

    private readonly List<(string Name, string Colour, ChartKind Kind, ChartPoint Point)> _points = [];

    /// <summary>Adds a value.</summary>
    /// <param name="title">What is said of it where it is pointed at.</param>
    public void Add(
        string name, string colour, ChartKind kind, int row, double at, string title, Interval? interval = null, bool hollow = false) =>
        _points.Add((name, colour, kind, new ChartPoint(at, row, title, interval, hollow)));

    /// <summary>Adds a stretch between two values.</summary>
    public void AddSpan(string name, string colour, ChartKind kind, int row, double from, double to, string title) =>
        _points.Add((name, colour, kind, new ChartPoint(from, row, title, To: to)));

    public Chart Make(string id, string title, string sentence, string unit)
    {
        // A very wide interval must not press the values themselves into a corner.
        var values = _points.Select(one => one.Point.To ?? one.Point.X).DefaultIfEmpty(1).ToList();
        var highest = Math.Max(values.Max(), Math.Min(
            _points.Max(one => one.Point.Interval?.High) ?? 0, values.Max() * WidestInterval));
        var lowest = _points.Select(one => one.Point.X).Where(at => at > 0).DefaultIfEmpty(highest / 10).Min();
        var axis = logarithmic
            ? new ChartAxis(unit, ChartScale.Logarithmic) { Min = lowest / 1.3, Max = highest * 1.3 }
            : new ChartAxis(unit) { Min = 0, Max = highest * 1.04 };
        var beyond = _points.Exists(one => one.Point.Interval is { } ends && (ends.High > axis.Max || ends.Low < axis.Min));
        return new(id, title, sentence, axis, new ChartAxis("", ChartScale.Rows) { Rows = rows },
            [.. _points.GroupBy(one => (one.Name, one.Colour, one.Kind)).Select(group => ChartSeries.From(
                group.Key.Name, group.Key.Colour, group.Key.Kind, [.. group.Select(one => one.Point).OrderBy(point => point.X)]))])
        {
            Note = beyond ? "An arrowhead: the line goes on beyond the axis." : null,
        };
    }
}
