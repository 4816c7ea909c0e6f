using System.Xml.Linq;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Charts;

/// <summary>Draws one row for each variant, with its values on a common axis from left to right.</summary>
/// <param name="rows">From top to bottom.</param>
/// <param name="unit">Of the axis.</param>
/// <param name="logarithmic">Whether equal factors are equally far apart; else the axis starts at 0.</param>
internal sealed class RowPlot(IReadOnlyList<PlotRow> rows, string unit, bool logarithmic = false)
{
    private const double LabelWidth = 220;
    private const double LetterWidth = 6.6;
    private const double WidestInterval = 1.5;

    private readonly IReadOnlyList<double> _ticks = TicksOf(rows, logarithmic);

    /// <summary>What an arrowhead means; null when no stretch goes on beyond the axis.</summary>
    public string? Note => rows.Any(row => row.Bars.Any(bar => bar.To > _ticks[^1] || (logarithmic && bar.From < _ticks[0])))
        ? "An arrowhead: the line goes on beyond the axis."
        : null;

    /// <summary>The size that the rows need.</summary>
    public PlotSize Fit(PlotSize size) => size with { Height = 14 + (rows.Count * RowHeight(size)) + PlotSize.Bottom };

    public IEnumerable<XElement> Draw(PlotSize size)
    {
        var left = IsWide(size) ? LabelWidth : 8;
        var right = size.PlotRight - 8;
        var x = logarithmic ? Scale.Log(_ticks[0], _ticks[^1], left, right) : Scale.Linear(0, _ticks[^1], left, right);
        return [.. Grid(size, x, left), .. rows.SelectMany((row, i) => Row(row, 14 + (i * RowHeight(size)), size, x))];
    }

    private static bool IsWide(PlotSize size) => size.Name == PlotSize.Wide.Name;

    private static double RowHeight(PlotSize size) => IsWide(size) ? 24 : 38;

    private static IReadOnlyList<double> TicksOf(IReadOnlyList<PlotRow> rows, bool logarithmic)
    {
        var marks = rows.SelectMany(row => row.Marks.Select(mark => mark.At)).DefaultIfEmpty(1).ToList();
        var bars = rows.SelectMany(row => row.Bars.Select(bar => bar.To)).DefaultIfEmpty().Max();
        // A very wide interval must not press the values themselves into a corner.
        return logarithmic
            ? Ticks.Log(Math.Max(0.001, marks.Min()), Math.Max(0.001, marks.Max()))
            : Ticks.Linear(Math.Max(marks.Max(), Math.Min(bars, marks.Max() * WidestInterval)), most: 6);
    }

    private IEnumerable<XElement> Grid(PlotSize size, Scale x, double left)
    {
        var shown = _ticks.Where((_, i) => IsWide(size) || _ticks.Count <= 6 || i % 2 == 0).ToList();
        foreach (var tick in shown)
        {
            yield return Tag(
                "line", Class("grid"), Attr("x1", x.At(tick)), Attr("x2", x.At(tick)), Attr("y1", 8), Attr("y2", size.PlotBottom));
            yield return Axes.Text(AxisText.Value(tick, logarithmic ? tick : _ticks[^1]), x.At(tick), size.PlotBottom + 15, "middle");
        }

        yield return Tag(
            "line", Class("axis"), Attr("x1", left), Attr("x2", size.PlotRight), Attr("y1", size.PlotBottom), Attr("y2", size.PlotBottom));
        yield return Axes.Text(unit, size.PlotRight, size.Height - 4, "end");
    }

    private IEnumerable<XElement> Row(PlotRow row, double top, PlotSize size, Scale x)
    {
        var (least, most) = (logarithmic ? _ticks[0] : 0, _ticks[^1]);
        var y = top + (IsWide(size) ? 12 : 26);
        yield return IsWide(size)
            ? Axes.Text(Cut(row.Label, LabelWidth - 14), LabelWidth - 14, y + 4, "end")
            : Axes.Text(Cut(row.Label, size.Width - 16), 8, top + 13, "start");
        foreach (var bar in row.Bars)
        {
            // Ends beyond the axis, as of a very wide interval, are cut at it.
            var start = x.At(Math.Clamp(bar.From, least, most));
            if (bar.To > most)
                yield return Arrow(x.At(most), y, 6, bar.Colour);
            if (bar.From < least)
                yield return Arrow(x.At(least), y, -6, bar.Colour);
            yield return Tag("line", Class(bar.Thick ? $"stroke thick {bar.Colour}" : $"stroke {bar.Colour}"),
                Attr("x1", start), Attr("x2", Math.Clamp(x.At(Math.Min(bar.To, most)), start + 1, Math.Max(start + 1, size.PlotRight))),
                Attr("y1", y), Attr("y2", y));
        }

        foreach (var mark in row.Marks)
            yield return Draw(mark, x.At(mark.At), y);
    }

    private static XElement Draw(RowMark mark, double x, double y) => mark.Shape switch
    {
        RowShape.Dot or RowShape.Hollow => Tag(
            "circle", Class($"dot {(mark.Shape == RowShape.Hollow ? "hollow " : "")}{mark.Colour}"), Attr("cx", x), Attr("cy", y),
            Attr("r", 4.5), Tag("title", mark.Title)),
        RowShape.Diamond => Tag(
            "path", Class($"dot {mark.Colour}"),
            Attr("d", $"M{Coordinate(x)},{Coordinate(y - 6)}L{Coordinate(x + 6)},{Coordinate(y)}"
                + $"L{Coordinate(x)},{Coordinate(y + 6)}L{Coordinate(x - 6)},{Coordinate(y)}Z"),
            Tag("title", mark.Title)),
        _ => Tag(
            "line", Class($"stroke {mark.Colour}"), Attr("x1", x), Attr("x2", x), Attr("y1", y - 9), Attr("y2", y + 9),
            Tag("title", mark.Title)),
    };

    /// <summary>An arrowhead that points out of the axis.</summary>
    private static XElement Arrow(double x, double y, double reach, string colour) => Tag(
        "path", Class($"cell {colour}"), Attr("d", PathData.Line([(x - reach, y - 6), (x + reach, y), (x - reach, y + 6)]) + "Z"),
        Tag("title", "goes on beyond the axis"));

    private static string Cut(string label, double width)
    {
        var most = (int)(width / LetterWidth);
        return label.Length <= most ? label : label[..(most - 1)] + "…";
    }
}

/// <summary>One row of a <see cref="RowPlot"/>, such as a variant.</summary>
internal sealed record PlotRow(string Label, IReadOnlyList<RowBar> Bars, IReadOnlyList<RowMark> Marks);

/// <summary>A stretch between two values in a row of a <see cref="RowPlot"/>.</summary>
/// <param name="From">Lower value.</param>
/// <param name="To">Upper value.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Thick">Whether it is a bar rather than a line, as of an interval.</param>
internal sealed record RowBar(double From, double To, string Colour, bool Thick = false);

/// <summary>One value in a row of a <see cref="RowPlot"/>.</summary>
/// <param name="At">The value.</param>
/// <param name="Shape">How it is drawn.</param>
/// <param name="Colour">CSS class that sets the colour.</param>
/// <param name="Title">Name and value, for those who point at it.</param>
internal sealed record RowMark(double At, RowShape Shape, string Colour, string Title);

/// <summary>How a value is drawn.</summary>
internal enum RowShape
{
    Dot,
    Diamond,

    /// <summary>A circle, for a value that says less than the others.</summary>
    Hollow,

    /// <summary>An upright stroke through the row, for limits.</summary>
    Tick,
}
