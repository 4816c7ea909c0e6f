namespace ScaleOut.Analysis.Text;

/// <summary>Breaks lines between words, where a terminal would break them anywhere.</summary>
public static class WrappedLines
{
    /// <summary>Widest name of a column that the lines after the first are aligned behind.</summary>
    private const int MaxName = 24;

    private const int MinColumns = 20;

    /// <summary>
    /// A line's parts, each at most as long as there are columns; those after the first stand under the first one's text.
    /// </summary>
    public static IReadOnlyList<string> From(string line, int columns)
    {
        if (line.Length <= columns || columns < MinColumns)
            return [line];
        var indent = new string(' ', Math.Min(IndentOf(line), columns / 2));
        var parts = new List<string>();
        var rest = line;
        while (rest.Length > columns)
        {
            // A word that is longer than a line, such as a path, is broken where the line ends.
            var space = rest.LastIndexOf(' ', columns);
            var end = space > indent.Length && rest[..space].TrimEnd().Length > indent.Length ? space : columns;
            parts.Add(rest[..end].TrimEnd());
            rest = indent + rest[end..].TrimStart();
        }

        parts.Add(rest);
        return parts;
    }

    /// <summary>Where a line's text begins: behind its name, if it has one that two spaces end, else behind its own indent.</summary>
    private static int IndentOf(string line)
    {
        var first = line.Length - line.TrimStart().Length;
        var gap = line.IndexOf("  ", first, StringComparison.Ordinal);
        return gap < 0 || gap > MaxName ? first + 2 : line.Length - line[gap..].TrimStart().Length;
    }
}
