using System.Xml;
using static ScaleOut.Analysis.Text.Markup;

namespace ScaleOut.Analysis.Text;

/// <summary>Makes elements. All text goes through here as text, never as markup, so whatever a user wrote is shown as it is.</summary>
internal static class Markup
{
    /// <summary>An element with attributes, child elements and text.</summary>
    /// <param name="content">Attributes, elements, sequences of them, text; nulls are left out.</param>
    public static XElement Tag(string name, params object?[] content) => new(name, content.Select(Clean));

    /// <summary>An attribute.</summary>
    public static XAttribute Attr(string name, string value) => new(name, Clean(value) ?? "");

    public static XAttribute Class(string value) => new("class", value);

    /// <summary>The label of everything that comes from the simulated account.</summary>
    public static XElement SimulatedLabel() => Tag("em", Class("simulated"), "simulated");

    /// <summary>Characters that no XML document may hold are shown as U+FFFD.</summary>
    private static object? Clean(object? content) => content is string text
        ? string.Concat(
            text.EnumerateRunes().Select(rune => rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? "\uFFFD" : rune.ToString()))
        : content;
}

/// <summary>Places a table on the page.</summary>
internal static class TableMarkup
{
    public static XElement Section(TextTable table, bool simulated) => Tag("section",
        Class("table"),
        Tag("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", table.Title),
            Tag("table",
                Tag("caption", Tag("h2", table.Title, simulated ? SimulatedLabel() : null)),
                Tag("thead", Tag("tr", table.Columns.Select(column => Tag("th", Attr("scope", "col"), Align(column), column.Title)))),
                Tag("tbody", table.Rows.Select(row => Tag("tr", row.Select((cell, i) => Cell(table, cell, i))))))),
        table.Note is { } note ? Tag("p", Class("note"), note) : null);

    private static XElement Cell(TextTable table, string cell, int i) =>
        i == 0 ? Tag("th", Attr("scope", "row"), Align(table.Columns[i]), cell) : Tag("td", Align(table.Columns[i]), cell);

    private static XAttribute? Align(Column column) => column.IsNumber ? Class("number") : null;
}

/// <summary>Writes Markdown that shows any text as it is and reads well unrendered.</summary>
internal static class MarkdownText
{
    private const string Special = "\\`*_{}[]<>|#~&$";

    /// <summary>Text on one line in which nothing is markup.</summary>
    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length);
        foreach (var c in text)
        {
            if (char.IsControl(c))
            {
                escaped.Append(' ');
                continue;
            }

            if (Special.Contains(c, StringComparison.Ordinal))
                escaped.Append('\\');
            escaped.Append(c);
        }

        return escaped.ToString();
    }

    /// <summary>A table whose columns are padded to one width.</summary>
    public static string Table(TextTable table)
    {
        var rows = new List<IReadOnlyList<string>> { table.Columns.Select(column => Escape(column.Title)).ToList() };
        rows.AddRange(table.Rows.Select(row => row.Select(Escape).ToList()));
        var widths = table.Columns.Select((_, i) => Math.Max(3, rows.Max(row => row[i].Length))).ToList();

        var text = new StringBuilder();
        for (var r = 0; r < rows.Count; r++)
        {
            Row(text, rows[r].Select((cell, i) => table.Columns[i].IsNumber ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i])));
            if (r == 0)
                Row(
                    text,
                    table.Columns.Select((column, i) =>
                        column.IsNumber ? new string('-', widths[i] - 1) + ":" : new string('-', widths[i])));
        }

        return text.ToString();
    }

    private static void Row(StringBuilder text, IEnumerable<string> cells) => text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
}
