using System.Globalization;
using System.Xml.Linq;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Charts;

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
            // A logarithmic axis, which does not begin at 0, has no one unit that suits all of its marks.
            yield return Text(AxisText.Value(tick, ticks[0] > 0 ? tick : ticks[^1]), PlotSize.Left - 6, y + 4, "end");
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

    /// <summary>An axis with marks where values are: a label stands only where the one before it leaves room.</summary>
    public static IEnumerable<XElement> Marks(PlotSize size, Scale scale, IEnumerable<(double Value, string Label)> marks, string unit)
    {
        var y = size.PlotBottom;
        yield return Tag("line", Class("axis"), Attr("x1", PlotSize.Left), Attr("x2", size.PlotRight), Attr("y1", y), Attr("y2", y));
        var free = double.NegativeInfinity;
        foreach (var (value, label) in marks)
        {
            var x = scale.At(value);
            yield return Tag("line", Class("axis"), Attr("x1", x), Attr("x2", x), Attr("y1", y), Attr("y2", y + 4));
            if (x < free)
                continue;
            yield return Text(label, x, y + 17, "middle");
            free = x + (label.Length * 7) + 8;
        }

        yield return Text(unit, size.PlotRight, size.Height - 4, "end");
    }

    /// <summary>Where interruptions are left out of the time axis.</summary>
    public static IEnumerable<XElement> Cuts(PlotSize size, Scale scale, IEnumerable<int> seconds)
    {
        foreach (var x in seconds.Select(second => scale.At(second)))
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

/// <summary>Labels of axis marks.</summary>
internal static class AxisText
{
    /// <summary>
    /// A round value in the unit that the axis's largest value asks for, such as <c>0.5</c>, <c>5,000</c>, <c>20k</c>, <c>1.5M</c>.
    /// </summary>
    public static string Value(double value, double largest) => largest switch
    {
        _ when value == 0 => "0",
        >= 1e9 => Text(value / 1e9) + "G",
        >= 1e6 => Text(value / 1e6) + "M",
        >= 1e4 => Text(value / 1e3) + "k",
        _ => Text(value),
    };

    /// <summary>Elapsed time, such as <c>0:30</c>, with hours when the whole axis has some, as <c>1:05:00</c>.</summary>
    public static string Elapsed(int seconds, int whole) => whole < 3_600
        ? string.Create(CultureInfo.InvariantCulture, $"{seconds / 60}:{seconds % 60:00}")
        : string.Create(CultureInfo.InvariantCulture, $"{seconds / 3_600}:{seconds / 60 % 60:00}:{seconds % 60:00}");

    private static string Text(double value) => value.ToString("#,0.######", CultureInfo.InvariantCulture);
}

/// <summary>Round places for the marks of an axis.</summary>
internal static class Ticks
{
    private static readonly int[] Factors = [1, 2, 5, 10];

    private static readonly int[] TimeSteps =
    [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
    ];

    /// <summary>From 0 in steps of 1, 2 or 5 times a power of ten up to the first at or above <paramref name="max"/>.</summary>
    /// <param name="max">Largest value to show.</param>
    /// <param name="most">Most steps.</param>
    public static IReadOnlyList<double> Linear(double max, int most)
    {
        if (!(max > 0) || double.IsInfinity(max))
            return [0, 1];
        var raw = max / most;
        var power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        var step = power * Factors.First(factor => factor * power >= raw * 0.999_999);
        var count = (int)Math.Ceiling((max / step) - 0.000_001);
        return [.. Enumerable.Range(0, count + 1).Select(i => Math.Round(i * step, 10))];
    }

    /// <summary>1, 2 and 5 times powers of ten (powers alone over three decades) that enclose the values.</summary>
    public static IReadOnlyList<double> Log(double min, double max)
    {
        var wide = max / min > 1_000;
        var all = Enumerable.Range(-6, 20)
            .SelectMany(exponent => Factors.Take(wide ? 1 : 3).Select(factor => Math.Round(factor * Math.Pow(10, exponent), 6))).ToList();
        var first = all.FindLastIndex(tick => tick <= min);
        var last = all.FindIndex(tick => tick >= max);
        return all.GetRange(first, Math.Max(1, last - first) + 1);
    }

    /// <summary>Whole seconds from 0 in steps that people count in, none beyond the end.</summary>
    public static IReadOnlyList<int> Time(int seconds, int most)
    {
        var step = TimeSteps.FirstOrDefault(step => seconds / step <= most, Math.Max(1, seconds / most / 86_400 * 86_400));
        return [.. Enumerable.Range(0, (seconds / step) + 1).Select(i => i * step)];
    }
}
