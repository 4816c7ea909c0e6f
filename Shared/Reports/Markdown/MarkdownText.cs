using System.Text;
using ScaleOut.Reports.Tables;

namespace ScaleOut.Reports.Markdown;

/// <summary>Writes Markdown that shows any text as it is and reads well unrendered.</summary>
public static class MarkdownText
{
    private const string Special = "\\`*_{}[]<>|#~&$";

    /// <summary>Text on one line in which nothing is markup.</summary>
    public static string Escape(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
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
    public static string Table(Table table)
    {
        ArgumentNullException.ThrowIfNull(table);
        var rows = new List<IReadOnlyList<string>> { table.Columns.Select(column => Escape(column.Title)).ToList() };
        rows.AddRange(table.Rows.Select(row => row.Select(Escape).ToList()));
        var widths = table.Columns.Select((_, i) => Math.Max(3, rows.Max(row => row[i].Length))).ToList();

        var text = new StringBuilder();
        for (var r = 0; r < rows.Count; r++)
        {
            Row(text, rows[r].Select((cell, i) => table.Columns[i].IsNumber ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i])));
            if (r == 0)
                Row(text, table.Columns.Select((column, i) => column.IsNumber ? new string('-', widths[i] - 1) + ":" : new string('-', widths[i])));
        }

        return text.ToString();
    }

    private static void Row(StringBuilder text, IEnumerable<string> cells) => text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
}
