using System.Xml.Linq;
using ScaleOut.Reports.Svg;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Reports.Html;

/// <summary>Puts a plot on the page: its heading, legend and both sizes, of which a style sheet shows the one that fits.</summary>
internal static class PlotMarkup
{
    public static XElement Figure(Plot plot, bool simulated) => Tag("figure",
        Class($"plot plot-{plot.Id}"),
        Tag("h2", plot.Title, simulated ? Simulated() : null),
        plot.Legend.Count > 0 ? Tag("ul", Class("legend"), plot.Legend.Select(Entry)) : null,
        new[] { PlotSize.Wide, PlotSize.Narrow }.Select(size => Svg(plot, plot.Fit?.Invoke(size) ?? size)),
        Tag("figcaption", plot.Description, plot.Note is { } note ? $" {note}" : null));

    /// <summary>The label of everything that comes from the simulated account.</summary>
    public static XElement Simulated() => Tag("em", Class("simulated"), "simulated");

    private static XElement Entry(LegendEntry entry) => Tag("li", Tag("span", Class($"key key-{entry.Kind} {entry.Colour}"), ""), entry.Text);

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
