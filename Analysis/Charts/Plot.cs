using System.Xml.Linq;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Charts;

/// <summary>A plot in both sizes, with what is said about it.</summary>
/// <param name="Id">Unique on the page; makes the ids of its titles.</param>
/// <param name="Title">What it shows.</param>
/// <param name="Description">The same in a sentence with the figures that matter, for those who cannot see it.</param>
/// <param name="Legend">In the order of drawing.</param>
/// <param name="Draw">Draws it in a size.</param>
/// <param name="Note">What must be known to read it; null when nothing.</param>
/// <param name="Fit">Changes a size to what the plot needs, such as a row for each variant; null when the common sizes will do.</param>
internal sealed record Plot(
    string Id, string Title, string Description, IReadOnlyList<LegendEntry> Legend, Func<PlotSize, IEnumerable<XElement>> Draw,
    string? Note = null, Func<PlotSize, PlotSize>? Fit = null);

/// <summary>Size of a plot with the room that its axes need. Each plot is drawn twice, so that text stays readable on a phone.</summary>
/// <param name="Name">CSS class that shows it on screens of its kind.</param>
/// <param name="Width">Width of the picture.</param>
/// <param name="Height">Height of the picture.</param>
/// <param name="MaxBins">Most points of time that can be distinguished.</param>
internal sealed record PlotSize(string Name, double Width, double Height, int MaxBins)
{
    public static readonly PlotSize Wide = new("wide", 880, 300, 400);

    public static readonly PlotSize Narrow = new("narrow", 360, 240, 120);

    public const double Left = 46;

    public const double Top = 24;

    public const double Right = 12;

    public const double Bottom = 36;

    public double PlotWidth => Width - Left - Right;

    public double PlotHeight => Height - Top - Bottom;

    public double PlotBottom => Height - Bottom;

    public double PlotRight => Width - Right;
}

/// <summary>Maps values to coordinates, linearly or by their logarithm.</summary>
internal sealed class Scale
{
    private readonly double _from;
    private readonly double _to;
    private readonly double _start;
    private readonly double _end;
    private readonly bool _isLog;

    private Scale(double from, double to, double start, double end, bool isLog)
    {
        (_from, _to) = isLog ? (Math.Log(from), Math.Log(to)) : (from, to);
        (_start, _end, _isLog) = (start, end, isLog);
    }

    /// <summary>A linear scale; <paramref name="from"/> lies at <paramref name="start"/>.</summary>
    public static Scale Linear(double from, double to, double start, double end) =>
        new(from, to > from ? to : from + 1, start, end, isLog: false);

    /// <summary>A logarithmic scale of positive values.</summary>
    public static Scale Log(double from, double to, double start, double end) =>
        new(from, to > from ? to : from * 10, start, end, isLog: true);

    /// <summary>The coordinate of a value.</summary>
    public double At(double value) => _start + (((_isLog ? Math.Log(value) : value) - _from) / (_to - _from) * (_end - _start));
}

/// <summary>One entry of a plot's legend.</summary>
/// <param name="Text">What it stands for.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Kind">How it is drawn: <c>area</c>, <c>line</c> or <c>dash</c>.</param>
internal sealed record LegendEntry(string Text, string Colour, string Kind = "area");

/// <summary>Places a plot on the page: its heading, legend and both sizes, of which a style sheet shows the one that fits.</summary>
internal static class PlotMarkup
{
    public static XElement Figure(Plot plot, bool simulated) => Tag("figure",
        Class($"plot plot-{plot.Id}"),
        Tag("h2", plot.Title, simulated ? SimulatedLabel() : null),
        plot.Legend.Count > 0 ? Tag("ul", Class("legend"), plot.Legend.Select(Entry)) : null,
        new[] { PlotSize.Wide, PlotSize.Narrow }.Select(size => Svg(plot, plot.Fit?.Invoke(size) ?? size)),
        Tag("figcaption", plot.Description, plot.Note is { } note ? $" {note}" : null));

    private static XElement Entry(LegendEntry entry) =>
        Tag("li", Tag("span", Class($"key key-{entry.Kind} {entry.Colour}"), ""), entry.Text);

    private static XElement Svg(Plot plot, PlotSize size)
    {
        var (title, description) = ($"{plot.Id}-{size.Name}-title", $"{plot.Id}-{size.Name}-desc");
        return Tag("svg",
            Class(size.Name),
            Attr("viewBox", $"0 0 {Coordinate(size.Width)} {Coordinate(size.Height)}"),
            Attr("role", "img"),
            Attr("aria-labelledby", $"{title} {description}"),
            Tag("title", Attr("id", title), plot.Title),
            Tag("desc", Attr("id", description), plot.Description),
            plot.Draw(size));
    }
}
