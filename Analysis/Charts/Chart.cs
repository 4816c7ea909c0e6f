namespace ScaleOut.Analysis.Charts;

/// <summary>A chart as data. <c>Page/charts.js</c> draws it, in reports and on the page of <c>serve</c> alike.</summary>
/// <param name="Id">Unique on its page.</param>
/// <param name="Sentence">What the chart shows, with the figures that matter. It stands beside the picture.</param>
public sealed record Chart(
    string Id, string Title, string Sentence, ChartAxis X, ChartAxis Y, IReadOnlyList<ChartSeries> Series)
{
    /// <summary>X values of the series that have none of their own.</summary>
    public IReadOnlyList<double>? At { get; init; }

    public IReadOnlyList<ChartMark> Marks { get; init; } = [];

    /// <summary>Charts that are drawn below this one on its x axis, with one cursor for all of them. Their titles are not shown.</summary>
    public IReadOnlyList<Chart> Below { get; init; } = [];

    /// <summary>What a reader must know to understand the chart. Optional.</summary>
    public string? Note { get; init; }

    /// <summary>Height of the drawing on a screen, in CSS pixels; null for the usual one.</summary>
    public int? Height { get; init; }

    /// <summary>Largest number of rows of a chart beside which a page has room for another one.</summary>
    private const int MaxRowsOfHalf = 12;

    /// <summary>Whether it needs the width of a page.</summary>
    [JsonIgnore]
    public bool IsWide => Below.Count > 0 || Y.Rows?.Count > MaxRowsOfHalf;

    /// <summary>Whether anything is drawn in it.</summary>
    [JsonIgnore]
    public bool HasData => Series.Any(series => (series.Y ?? series.High ?? []).Any(value => value is not null));

    /// <summary>The chart as JSON for a script element. HTML characters are escaped, so text from a user cannot end the element.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, ChartJson.Options);
}

public sealed record ChartAxis(string Unit, ChartScale Scale = ChartScale.Linear)
{
    /// <summary>Names of the rows, from the top. Only for <see cref="ChartScale.Rows"/>.</summary>
    public IReadOnlyList<string>? Rows { get; init; }

    /// <summary>Labelled positions instead of round numbers. Optional.</summary>
    public IReadOnlyList<ChartTick>? Ticks { get; init; }

    /// <summary>Where the axis begins; null to let the data decide.</summary>
    public double? Min { get; init; }

    /// <summary>Where the axis ends; null to let the data decide. A line that goes on beyond it ends in an arrowhead.</summary>
    public double? Max { get; init; }

    /// <summary>Seconds since the beginning.</summary>
    public static ChartAxis Time(double seconds) => new("elapsed", ChartScale.Time) { Min = 0, Max = seconds };
}

/// <summary>A labelled position on a <see cref="ChartAxis"/>.</summary>
public sealed record ChartTick(double At, string Label);

[JsonConverter(typeof(CamelCaseEnumConverter<ChartScale>))]
public enum ChartScale
{
    Linear,
    Logarithmic,

    /// <summary>Seconds, written as minutes and hours.</summary>
    Time,

    /// <summary>One named row below the other.</summary>
    Rows,
}

/// <summary>How a <see cref="ChartSeries"/> is drawn.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ChartKind>))]
public enum ChartKind
{
    Line,
    Dash,

    /// <summary>A horizontal line from each x to the next one.</summary>
    Steps,

    /// <summary>Steps that are filled and stacked on the areas before them.</summary>
    Area,

    /// <summary>The area between <see cref="ChartSeries.Low"/> and <see cref="ChartSeries.High"/>.</summary>
    Range,

    /// <summary>As <see cref="Range"/>, drawn in steps.</summary>
    StepRange,

    /// <summary>Dots, with intervals where there are some.</summary>
    Dots,

    /// <summary>As <see cref="Dots"/>, in another shape.</summary>
    Diamonds,

    /// <summary>Strokes through a row.</summary>
    Ticks,

    /// <summary>Bars from <see cref="ChartSeries.X"/> to <see cref="ChartSeries.To"/>.</summary>
    Bars,

    /// <summary>Stretches of a row, from <see cref="ChartSeries.X"/> to <see cref="ChartSeries.To"/>.</summary>
    Spans,

    /// <summary>As <see cref="Spans"/>, as thin as a line.</summary>
    Lines,
}

/// <summary>Figures of one kind in a <see cref="Chart"/>. Series of one name are shown and hidden together.</summary>
/// <param name="Colour">Name of a colour of the style sheet, such as <c>s0</c>.</param>
public sealed record ChartSeries(string Name, string Colour, ChartKind Kind)
{
    /// <summary>X values in ascending order; null to use those of <see cref="Chart.At"/>.</summary>
    public IReadOnlyList<double>? X { get; init; }

    /// <summary>Values, or row numbers. A null is a gap.</summary>
    public IReadOnlyList<double?>? Y { get; init; }

    public IReadOnlyList<double>? To { get; init; }

    /// <summary>Lower ends of ranges, or of the values' intervals.</summary>
    public IReadOnlyList<double?>? Low { get; init; }

    public IReadOnlyList<double?>? High { get; init; }

    /// <summary>1 for a dot that is drawn hollow, such as an uncertain value; otherwise 0.</summary>
    public IReadOnlyList<int>? Hollow { get; init; }

    /// <summary>Tooltip of each point; null to show its name and value.</summary>
    public IReadOnlyList<string>? Titles { get; init; }

    /// <summary>The labels of the points, in their order. Null if they have none.</summary>
    public IReadOnlyList<string>? Labels { get; init; }

    /// <summary>Makes a series of values at <see cref="Chart.At"/>.</summary>
    public static ChartSeries OfValues(string name, string colour, ChartKind kind, IEnumerable<double> values) =>
        new(name, colour, kind) { Y = [.. values.Select(value => (double?)value)] };

    /// <summary>Makes a series from points. Intervals, tooltips and the like are null if no point has any.</summary>
    /// <param name="points">In ascending order of x.</param>
    public static ChartSeries From(string name, string colour, ChartKind kind, IReadOnlyList<ChartPoint> points)
    {
        var hasIntervals = points.Any(point => point.Interval is not null);
        return new(name, colour, kind)
        {
            X = [.. points.Select(point => point.X)],
            Y = kind is ChartKind.Range ? null : [.. points.Select(point => (double?)point.Y)],
            To = points.Any(point => point.To is not null) ? [.. points.Select(point => point.To ?? point.X)] : null,
            Low = hasIntervals ? [.. points.Select(point => point.Interval?.Low)] : null,
            High = hasIntervals ? [.. points.Select(point => point.Interval?.High)] : null,
            Hollow = points.Any(point => point.IsHollow) ? [.. points.Select(point => point.IsHollow ? 1 : 0)] : null,
            Titles = points.Any(point => point.Title is not null) ? [.. points.Select(point => point.Title ?? "")] : null,
        };
    }
}

/// <param name="Y">A value, or a row number.</param>
/// <param name="Title">Tooltip. Optional.</param>
/// <param name="Interval">Interval of the value. Optional.</param>
/// <param name="IsHollow">Whether the point is drawn hollow, for example because its value is uncertain.</param>
/// <param name="To">End of a bar or stretch that begins at <paramref name="X"/>. Optional.</param>
public sealed record ChartPoint(
    double X, double Y, string? Title = null, Interval? Interval = null, bool IsHollow = false, double? To = null);

/// <summary>A mark at a value of an axis, or along a stretch of it.</summary>
/// <param name="Axis"><c>x</c> or <c>y</c>.</param>
/// <param name="To">End of a stretch; null for a line.</param>
public sealed record ChartMark(string Axis, double From, string Name, string Colour, double? To = null);

/// <summary>JSON options of charts: numbers have five significant digits, and characters with a meaning in HTML are escaped.</summary>
internal static class ChartJson
{
    public static JsonSerializerOptions Options { get; } = new(JsonSerializerDefaults.Web)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Converters = { new FiveDigits() },
    };

    private sealed class FiveDigits : JsonConverter<double>
    {
        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDouble();

        public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
        {
            if (Math.Abs(value) is var size && size > 0 && size < 10_000)
                value = Math.Round(value, Math.Clamp(4 - (int)Math.Floor(Math.Log10(size)), 0, 9));
            writer.WriteNumberValue(value >= 10_000 ? Math.Round(value) : value);
        }
    }
}

/// <summary>Makes charts of measured points over a number such as workers, with intervals and fitted curves.</summary>
internal static class CurveChart
{
    /// <summary>Largest number of series whose colours can be distinguished.</summary>
    public const int MaxSeries = 8;

    private const int CurveSteps = 60;

    /// <summary>Largest height of the axis for intervals, as a multiple of the highest point.</summary>
    private const double MaxIntervalFactor = 1.5;

    public static Chart From(string id, string title, string sentence, IReadOnlyList<CurveSeries> series, CurveAxes axes)
    {
        var points = series.SelectMany(one => one.Points).ToList();
        var highest = Math.Max(points.Max(point => point.Y), series.Max(Highest));
        // A very wide interval must not squeeze the points at the bottom of the chart.
        var interval = Math.Min(points.Max(point => point.Interval?.High ?? 0), points.Max(point => point.Y) * MaxIntervalFactor);
        var least = points.Min(point => point.X);
        var most = points.Select(point => point.X).Concat(series.Select(one => one.CurveEnd)).Max();
        return new(
            id, title, sentence,
            axes.Logarithmic
                ? new ChartAxis(axes.XUnit, ChartScale.Logarithmic) { Min = least / 1.1, Max = most * 1.1, Ticks = Ticks(points) }
                : new ChartAxis(axes.XUnit) { Min = 0, Max = most * 1.03, Ticks = Ticks(points) },
            new ChartAxis(axes.YUnit) { Min = 0, Max = Math.Max(highest, interval) * 1.05 },
            [.. series.SelectMany((one, i) => From(one, $"s{i}"))])
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
            yield return ChartSeries.From($"95% band of {one.Name}", colour, ChartKind.Range,
                [.. CurveXs(one).Select(x => new ChartPoint(x, 0, Interval: band(x)))]);

        yield return ChartSeries.From(one.Name, colour, ChartKind.Line, one.Curve is { } curve
            ? [.. CurveXs(one).Select(x => new ChartPoint(x, curve(x)))]
            : [.. one.Points.Where(point => !point.IsHollow).Select(point => new ChartPoint(point.X, point.Y))]);
        yield return ChartSeries.From(one.Name, colour, ChartKind.Dots, one.Points);
    }
}

/// <summary>The axes of a chart of curves.</summary>
/// <param name="Logarithmic">Whether the x axis is logarithmic. A linear axis starts at 0.</param>
internal sealed record CurveAxes(string XUnit, string YUnit, bool Logarithmic);

/// <summary>Points of one kind, joined by a line or with a fitted curve of their own.</summary>
/// <param name="Points">Hollow points are shown, but not joined by the line.</param>
/// <param name="Curve">A fitted curve in place of the line between the points; null for that line.</param>
/// <param name="CurveEnd">Largest x to which the curve is drawn.</param>
/// <param name="Peak">Where the curve is highest; null when it has no peak that is shown.</param>
/// <param name="Band">Interval of the curve at an x; null when there is none.</param>
internal sealed record CurveSeries(
    string Name, IReadOnlyList<ChartPoint> Points, Func<double, double>? Curve = null, double CurveEnd = 0, double? Peak = null,
    Func<double, Interval>? Band = null);

/// <summary>What a mark on a row means, and how it is drawn.</summary>
internal sealed record RowMark(string Name, string Colour, ChartKind Kind);

/// <summary>Makes charts with one row for each variant. The row shows the variant's values from left to right.</summary>
internal sealed class RowChart(IReadOnlyList<string> rows, bool logarithmic = false)
{
    /// <summary>Largest length of the axis for intervals, as a multiple of the largest value.</summary>
    private const double MaxIntervalFactor = 1.5;

    private readonly List<(RowMark Mark, ChartPoint Point)> _points = [];

    /// <param name="title">Tooltip.</param>
    public void Add(RowMark mark, int row, double at, string title, Interval? interval = null, bool hollow = false) =>
        _points.Add((mark, new ChartPoint(at, row, title, interval, hollow)));

    /// <summary>Adds a stretch between two values.</summary>
    public void AddSpan(RowMark mark, int row, double from, double to, string title) =>
        _points.Add((mark, new ChartPoint(from, row, title, To: to)));

    /// <param name="own">The axis of the values; null to let them decide.</param>
    public Chart Make(string id, string title, string sentence, string unit, ChartAxis? own = null)
    {
        // A very wide interval must not squeeze the values at the left edge.
        var values = _points.Select(one => one.Point.To ?? one.Point.X).DefaultIfEmpty(1).ToList();
        var highest = Math.Max(values.Max(), Math.Min(
            _points.Max(one => one.Point.Interval?.High) ?? 0, values.Max() * MaxIntervalFactor));
        var lowest = _points.Select(one => one.Point.X).Where(at => at > 0).DefaultIfEmpty(highest / 10).Min();
        var axis = own ?? (logarithmic
            ? new ChartAxis(unit, ChartScale.Logarithmic) { Min = lowest / 1.3, Max = highest * 1.3 }
            : new ChartAxis(unit) { Min = 0, Max = highest * 1.04 });
        var beyond = _points.Exists(one => one.Point.Interval is { } ends && (ends.High > axis.Max || ends.Low < axis.Min));
        return new(id, title, sentence, axis, new ChartAxis("", ChartScale.Rows) { Rows = rows },
            [.. _points.GroupBy(one => one.Mark).Select(group => ChartSeries.From(
                group.Key.Name, group.Key.Colour, group.Key.Kind, [.. group.Select(one => one.Point).OrderBy(point => point.X)]))])
        {
            Note = beyond ? "An arrowhead: the line goes on beyond the axis." : null,
        };
    }
}
