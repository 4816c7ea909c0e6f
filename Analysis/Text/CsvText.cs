namespace ScaleOut.Analysis.Text;

/// <summary>Rows and cells of a CSV file for spreadsheets: RFC 4180, comma, point as decimal separator.</summary>
internal static class CsvText
{
    /// <summary>Characters that make a spreadsheet take a cell for a formula.</summary>
    private const string FormulaStarts = "=+-@\t\r";

    /// <summary>1 or 0.</summary>
    public static string Flag(bool value) => value ? "1" : "0";

    /// <summary>A number as it is; empty for none.</summary>
    public static string Number(double? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>An enum's name as JSON has it; empty for none.</summary>
    public static string Name<T>(T? value)
        where T : struct, Enum =>
        value is { } known ? JsonNamingPolicy.CamelCase.ConvertName(known.ToString()) : "";

    /// <summary>Any text, in quotes.</summary>
    public static string Quoted(string? text) => $"\"{text?.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    /// <summary>Text that somebody else wrote: in quotes, and with an apostrophe where a spreadsheet would compute it.</summary>
    public static string Guarded(string? text) =>
        Quoted(text is [var first, ..] && FormulaStarts.Contains(first, StringComparison.Ordinal) ? $"'{text}" : text);

    /// <summary>The whole file.</summary>
    public static string From<TRow>(IEnumerable<TRow> rows, IReadOnlyList<CsvColumn<TRow>> columns) => string.Concat(
        rows.Select(row => columns.Select(column => column.Cell(row))).Prepend(columns.Select(column => column.Name))
            .Select(cells => $"{string.Join(',', cells)}\r\n"));
}

/// <summary>A column of a CSV file, and what it has of a row.</summary>
internal sealed record CsvColumn<TRow>(string Name, Func<TRow, string> Cell);
