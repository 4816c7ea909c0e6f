namespace ScaleOut.DevBox.Display;

/// <summary>Breaks lines between words, where a terminal would break them anywhere.</summary>
internal static class WrappedLines
{
    /// <summary>Widest name of a column that the lines after the first are aligned behind.</summary>
    private const int LongestName = 24;

    private const int Narrowest = 20;

    /// <summary>
    /// A line's parts, each at most as long as there are columns; those after the first stand under the first one's text.
    /// </summary>
    public static IReadOnlyList<string> From(string line, int columns)
    {
        if (line.Length <= columns || columns < Narrowest)
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
        return gap < 0 || gap > LongestName ? first + 2 : line.Length - line[gap..].TrimStart().Length;
    }
}

/// <summary>Writes whole lines to a terminal, broken between words.</summary>
internal sealed class WrappingWriter(TextWriter inner, Func<int> columns) : TextWriter(inner.FormatProvider)
{
    /// <inheritdoc/>
    public override Encoding Encoding => inner.Encoding;

    /// <summary>Standard output, or standard error, as what reads it wants its lines: broken for people, whole for programs.</summary>
    public static TextWriter For(TextWriter output, bool redirected) => redirected ? output : new WrappingWriter(output, ColumnsOrEndless);

    /// <inheritdoc/>
    public override void Write(char value) => inner.Write(value);

    /// <inheritdoc/>
    public override void WriteLine(string? value)
    {
        foreach (var part in WrappedLines.From(value ?? "", columns()))
            inner.WriteLine(part);
    }

    /// <inheritdoc/>
    public override async Task WriteLineAsync(string? value)
    {
        foreach (var part in WrappedLines.From(value ?? "", columns()))
            await inner.WriteLineAsync(part);
    }

    /// <inheritdoc/>
    public override void Flush() => inner.Flush();

    private static int ColumnsOrEndless()
    {
        try
        {
            return Console.WindowWidth is > 0 and var width ? width : int.MaxValue;
        }
        catch (IOException)
        {
            return int.MaxValue;
        }
    }
}
