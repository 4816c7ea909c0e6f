namespace ScaleOut.Analysis.Charts;

/// <summary>A chart as data. <c>Page/charts.js</c> draws it, in reports and on the page of <c>serve</c> alike.</summary>
/// <param name="Id">Unique on its page.</param>
/// <param name="Sentence">What the chart shows, with the figures that matter. It stands beside the picture.</param>
public sealed record Chart(
    string Id, string Title, string Sentence, ChartAxis X, ChartAxis Y, IReadOnlyList<ChartSeries> Series)
{
    /// <summary>Where the points of a series lie that has no places of its own.</summary>
    public IReadOnlyList<double>? At { get; init; }

    public IReadOnlyList<ChartMark> Marks { get; init; } = [];

    /// <summary>What must be known to read it. Optional.</summary>
    public string? Note { get; init; }

    /// <summary>Whether anything is drawn in it.</summary>
    [JsonIgnore]
    public bool HasData => Series.Any(series => (series.Y ?? series.High ?? []).Any(value => value is not null));

    /// <summary>Whether the chart may stand in an HTML page's data: what a user wrote in it cannot end the element.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, ChartJson.Options);
}

/// <summary>An axis of a <see cref="Chart"/>.</summary>
public sealed record ChartAxis(string Unit, ChartScale Scale = ChartScale.Linear)
{
    /// <summary>Names of the rows, from the top. Only for <see cref="ChartScale.Rows"/>.</summary>
    public IReadOnlyList<string>? Rows { get; init; }

    /// <summary>Labelled places in place of round numbers. Optional.</summary>
    public IReadOnlyList<ChartTick>? Ticks { get; init; }

    /// <summary>Where the axis begins; null to let the data decide.</summary>
    public double? Min { get; init; }

    /// <summary>Where the axis ends; null to let the data decide. What goes on beyond it ends in an arrowhead.</summary>
    public double? Max { get; init; }

    /// <summary>Seconds since the beginning.</summary>
    public static ChartAxis Time(double seconds) => new("elapsed", ChartScale.Time) { Min = 0, Max = seconds };
}

/// <summary>A labelled place on a <see cref="ChartAxis"/>.</summary>
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

    /// <summary>A level for each place, up to the next one.</summary>
    Steps,

    /// <summary>Steps that are filled and stacked on the areas before them.</summary>
    Area,

    /// <summary>The room between <see cref="ChartSeries.Low"/> and <see cref="ChartSeries.High"/>.</summary>
    Range,

    /// <summary>As <see cref="Range"/>, with a level for each place.</summary>
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
    /// <summary>Places in ascending order; null for those of <see cref="Chart.At"/>.</summary>
    public IReadOnlyList<double>? X { get; init; }

    /// <summary>Values, or rows. A null is a gap.</summary>
    public IReadOnlyList<double?>? Y { get; init; }

    public IReadOnlyList<double>? To { get; init; }

    /// <summary>Lower ends of ranges, or of the values' intervals.</summary>
    public IReadOnlyList<double?>? Low { get; init; }

    public IReadOnlyList<double?>? High { get; init; }

    /// <summary>1 for a dot that says less than the others and is drawn hollow.</summary>
    public IReadOnlyList<int>? Hollow { get; init; }

    /// <summary>What is said of each point where it is pointed at; null for its name and value.</summary>
    public IReadOnlyList<string>? Titles { get; init; }

    /// <summary>A series of points that each know their place. What no point has is left out.</summary>
    /// <param name="points">In ascending order of x.</param>
    public static ChartSeries From(string name, string colour, ChartKind kind, IReadOnlyList<ChartPoint> points)
    {
        var hasIntervals = points.Any(point => point.Interval is not null);
        return new(name, colour, kind)
        {
            X = [.. points.Select(point => point.X)],
            Y = [.. points.Select(point => (double?)point.Y)],
            To = points.Any(point => point.To is not null) ? [.. points.Select(point => point.To ?? point.X)] : null,
            Low = hasIntervals ? [.. points.Select(point => point.Interval?.Low)] : null,
            High = hasIntervals ? [.. points.Select(point => point.Interval?.High)] : null,
            Hollow = points.Any(point => point.IsHollow) ? [.. points.Select(point => point.IsHollow ? 1 : 0)] : null,
            Titles = points.Any(point => point.Title is not null) ? [.. points.Select(point => point.Title ?? "")] : null,
        };
    }
}

/// <summary>One point of a <see cref="ChartSeries"/>.</summary>
/// <param name="Y">A value, or a row.</param>
/// <param name="Title">What is said of it where it is pointed at. Optional.</param>
/// <param name="Interval">Of the value. Optional.</param>
/// <param name="IsHollow">Whether it says less than the others.</param>
/// <param name="To">Where a stretch or a bar ends that begins at <paramref name="X"/>.</param>
public sealed record ChartPoint(
    double X, double Y, string? Title = null, Interval? Interval = null, bool IsHollow = false, double? To = null);

/// <summary>A level, an instant or a stretch of the x axis that is marked.</summary>
/// <param name="Axis"><c>x</c> or <c>y</c>.</param>
/// <param name="To">End of a stretch; null for a line.</param>
public sealed record ChartMark(string Axis, double From, string Name, string Colour, double? To = null);

/// <summary>Writes charts: numbers to five significant digits, and every character that HTML knows escaped.</summary>
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
