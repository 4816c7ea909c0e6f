using System.Text;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Charts;

/// <summary>Writes the <c>d</c> of paths in which every bin of time is a level step.</summary>
internal static class PathData
{
    /// <summary>The outline of steps, from left to right.</summary>
    public static string Steps(IReadOnlyList<double> edges, IReadOnlyList<double> levels)
    {
        var path = new StringBuilder();
        AppendSteps(path, edges, levels, 'M');
        return path.ToString();
    }

    /// <summary>The area between two stepped outlines.</summary>
    public static string Between(IReadOnlyList<double> edges, IReadOnlyList<double> lower, IReadOnlyList<double> upper)
    {
        var path = new StringBuilder();
        AppendSteps(path, edges, upper, 'M');
        AppendSteps(path, [.. edges.Reverse()], [.. lower.Reverse()], 'L');
        return path.Append('Z').ToString();
    }

    /// <summary>A straight line through points.</summary>
    public static string Line(IEnumerable<(double X, double Y)> points)
    {
        var path = new StringBuilder();
        foreach (var (x, y) in points)
            path.Append(path.Length == 0 ? 'M' : 'L').Append(Markup.Coordinate(x)).Append(',').Append(Markup.Coordinate(y));
        return path.ToString();
    }

    private static void AppendSteps(StringBuilder path, IReadOnlyList<double> edges, IReadOnlyList<double> levels, char first)
    {
        string? level = null;
        for (var i = 0; i < levels.Count; i++)
        {
            var y = Markup.Coordinate(levels[i]);
            if (i == 0)
                path.Append(first).Append(Markup.Coordinate(edges[0])).Append(',').Append(y);
            else if (y != level)
                path.Append('H').Append(Markup.Coordinate(edges[i])).Append('V').Append(y);
            level = y;
        }

        if (levels.Count > 0)
            path.Append('H').Append(Markup.Coordinate(edges[levels.Count]));
    }
}
