using System.Xml.Linq;
using static ScaleOut.Reports.Html.Markup;

namespace ScaleOut.Reports.Svg;

/// <summary>Draws the axes of a plot: grid lines behind, marks with their labels, units.</summary>
internal static class Axes
{
    /// <summary>Horizontal grid lines with labels on the left, and the unit above.</summary>
    public static IEnumerable<XElement> Values(PlotSize size, Scale scale, IReadOnlyList<double> ticks, string unit)
    {
        foreach (var tick in ticks)
        {
            var y = scale.At(tick);
            yield return Tag("line", Class("grid"), Attr("x1", PlotSize.Left), Attr("x2", size.PlotRight), Attr("y1", y), Attr("y2", y));
            yield return Text(AxisText.Value(tick, ticks[^1]), PlotSize.Left - 6, y + 4, "end");
        }

        yield return Text(unit, 2, 12, "start");
    }

    /// <summary>The time axis: its line, marks and labels.</summary>
    public static IEnumerable<XElement> Time(PlotSize size, Scale scale, int seconds)
    {
        var y = size.PlotBottom;
        yield return Tag("line", Class("axis"), Attr("x1", PlotSize.Left), Attr("x2", size.PlotRight), Attr("y1", y), Attr("y2", y));
        foreach (var tick in Ticks.Time(seconds, most: (int)(size.PlotWidth / 56)))
        {
            var x = scale.At(tick);
            yield return Tag("line", Class("axis"), Attr("x1", x), Attr("x2", x), Attr("y1", y), Attr("y2", y + 4));
            if (x < size.PlotRight - 8)
                yield return Text(AxisText.Elapsed(tick, seconds), x, y + 17, "middle");
        }

        yield return Text(seconds < 3_600 ? "elapsed, min:s" : "elapsed, h:min:s", size.PlotRight, size.Height - 4, "end");
    }

    /// <summary>Where interruptions are left out of the time axis.</summary>
    public static IEnumerable<XElement> Cuts(PlotSize size, Scale scale, ReportTimeline time)
    {
        foreach (var x in time.Cuts.Select(cut => scale.At(cut)))
        {
            yield return Tag("line", Class("stroke dash cut"),
                Attr("x1", x), Attr("x2", x), Attr("y1", PlotSize.Top), Attr("y2", size.PlotBottom), Tag("title", "interrupted"));
        }
    }

    /// <summary>A level that is not to be passed, such as a budget.</summary>
    public static XElement Limit(PlotSize size, double y) =>
        Tag("line", Class("stroke dash limit"), Attr("x1", PlotSize.Left), Attr("x2", size.PlotRight), Attr("y1", y), Attr("y2", y));

    /// <summary>A label.</summary>
    public static XElement Text(string text, double x, double y, string anchor) =>
        Tag("text", Attr("x", x), Attr("y", y), Attr("text-anchor", anchor), text);
}
