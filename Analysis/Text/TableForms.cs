using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Text;

internal static class TableForms
{
    private const int MinMarkdownWidth = 3;
    private const int MinWrappedWidth = 20;

    /// <summary>
    /// Maximum number of rows of a table that is not split between printed pages. It leaves at most a third of a page empty.
    /// </summary>
    private const int MaxRowsTogether = 6;

    /// <summary>Minimum length of a text at which its column in HTML gets room for several words.</summary>
    private const int MinLong = 30;

    private const string Indent = "  ";
    private const string Gap = "  ";

    public static XElement Html(TextTable table, bool simulated)
    {
        var heading = Tag("h2", table.Title, simulated ? SimulatedLabel() : null);
        object?[] content =
        [
            Tag("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", table.Title), Tag("table",
                table.IsFolded ? null : Tag("caption", heading),
                Tag("thead", Tag("tr", table.Columns.Select(column => Tag("th", Attr("scope", "col"), Align(column), column.Title)))),
                Tag("tbody", table.Rows.Select(row => Tag("tr", row.Select((cell, i) => Cell(table, cell, i))))))),
            table.Note is { } note ? Tag("p", Class("note"), note) : null,
        ];
        return Tag("section",
            Class(table.Rows.Count <= MaxRowsTogether ? "table short" : "table"),
            table.IsFolded ? (object)Tag("details", Tag("summary", heading), content) : content);
    }

    /// <summary>A table that shows any text as it is and reads well unrendered: its columns are padded to one width.</summary>
    public static string Markdown(TextTable table)
    {
        var rows = new List<IReadOnlyList<string>> { table.Columns.Select(column => MarkdownText.Escape(column.Title)).ToList() };
        rows.AddRange(table.Rows.Select(row => row.Select(MarkdownText.Escape).ToList()));
        var widths = table.Columns.Select((_, i) => Math.Max(MinMarkdownWidth, rows.Max(row => row[i].Length))).ToList();
        var rule = widths.Select((width, i) => table.Columns[i].IsNumber ? new string('-', width - 1) + ":" : new string('-', width));
        var lines = rows.Select(row => row.Select((cell, i) => Padded(cell, table.Columns[i], widths[i]))).ToList();
        lines.Insert(1, rule);
        return string.Concat(lines.Select(cells => $"| {string.Join(" | ", cells)} |\n"));
    }

    /// <summary>
    /// Aligned lines with the columns that the console shows. If they are too wide, the last column is wrapped, provided that it holds
    /// words. If that is not enough, each row becomes a sentence.
    /// </summary>
    /// <param name="width">Columns of the console.</param>
    public static IEnumerable<string> Lines(TextTable table, int width)
    {
        var shown = Enumerable.Range(0, table.Columns.Count).Where(i => table.Columns[i].OnConsole).ToList();
        var columns = shown.Select(i => table.Columns[i]).ToList();
        var rows = table.Rows.Select(row => shown.Select(i => row[i]).ToList()).ToList();
        var heading = columns.Select(column => column.Title).ToList();
        // Names and values need no heading.
        var lines = columns.Count > 2 ? [heading, .. rows] : rows;
        if (lines.Count == 0)
            return [];
        var widths = columns.Select((_, i) => lines.Max(line => line[i].Length)).ToList();
        var before = Indent.Length + widths.SkipLast(1).Sum(one => one + Gap.Length);
        if (before + widths[^1] <= width)
            return lines.Select(line => Aligned(line, columns, widths));
        if (!columns[^1].IsNumber && width - before >= MinWrappedWidth)
            return lines.SelectMany(line => WrappedLast(line, columns, widths, width - before));
        return rows.SelectMany(row => WrappedLines.From(
            Indent + row[0] + Gap + (columns.Count == 2
                ? row[1]
                : string.Join(", ", row.Skip(1).Zip(heading.Skip(1), (cell, title) => $"{title} {cell}"))),
            width));
    }

    private static string Aligned(IReadOnlyList<string> line, List<Column> columns, List<int> widths) =>
        (Indent + string.Join(Gap, line.Select((cell, i) => Padded(cell, columns[i], widths[i])))).TrimEnd();

    private static IEnumerable<string> WrappedLast(List<string> line, List<Column> columns, List<int> widths, int room)
    {
        var parts = WrappedLines.From(line[^1], room).Select(part => part.Trim()).ToList();
        yield return Aligned([.. line.SkipLast(1), parts[0]], columns, widths);
        foreach (var part in parts.Skip(1))
            yield return Aligned([.. line.SkipLast(1).Select(_ => ""), part], columns, widths);
    }

    private static string Padded(string cell, Column column, int width) =>
        column.IsNumber ? cell.PadLeft(width) : cell.PadRight(width);

    private static XElement Cell(TextTable table, string cell, int i) =>
        // A header without text names no row to a screen reader.
        i == 0 && cell.Length > 0 ? Tag("th", Attr("scope", "row"), Align(table.Columns[i]), cell)
            : Tag("td", Align(table.Columns[i]) ?? (cell.Length >= MinLong ? Class("long") : null), cell);

    private static XAttribute? Align(Column column) => column.IsNumber ? Class("number") : null;
}

/// <summary>Breaks lines between words. A terminal would break them anywhere.</summary>
public static class WrappedLines
{
    /// <summary>Maximum length of a name at the start of a line for the wrapped parts to be aligned after it.</summary>
    private const int MaxName = 24;

    private const int MinColumns = 20;

    /// <summary>
    /// Splits a line into parts that are at most as long as the given number of columns. Parts after the first are indented to the first
    /// part's text.
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

    /// <summary>
    /// The column at which a line's text begins. A name followed by two spaces precedes the text; without one, the column is the line's
    /// indent plus two.
    /// </summary>
    private static int IndentOf(string line)
    {
        var first = line.Length - line.TrimStart().Length;
        var gap = line.IndexOf("  ", first, StringComparison.Ordinal);
        return gap < 0 || gap > MaxName ? first + 2 : line.Length - line[gap..].TrimStart().Length;
    }
}
