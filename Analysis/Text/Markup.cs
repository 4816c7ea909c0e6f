using System.Xml;

namespace ScaleOut.Analysis.Text;

/// <summary>Makes elements. Text is never read as markup, so whatever a user wrote is shown as it is.</summary>
internal static class Markup
{
    /// <summary>An element with attributes, child elements and text.</summary>
    /// <param name="content">Attributes, elements, sequences of them, text; nulls are left out.</param>
    public static XElement Tag(string name, params object?[] content) => new(name, content.Select(Clean));

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

/// <summary>Writes Markdown that shows any text as it is and reads well unrendered.</summary>
internal static class MarkdownText
{
    private const string Special = "\\`*_{}[]<>|#~&$";

    /// <summary>Text on one line in which nothing is markup.</summary>
    public static string Escape(string text) => string.Concat(text.Select(c =>
        char.IsControl(c) ? " " : Special.Contains(c, StringComparison.Ordinal) ? $"\\{c}" : $"{c}"));
}

/// <summary>Rows and cells of a CSV file for spreadsheets: RFC 4180, comma, point as decimal separator.</summary>
internal static class CsvText
{
    /// <summary>Characters that make a spreadsheet take a cell for a formula.</summary>
    private const string FormulaStarts = "=+-@\t\r";

    /// <summary>1 or 0.</summary>
    public static string Flag(bool value) => value ? "1" : "0";

    /// <summary>A number in full precision; empty for null.</summary>
    public static string Number(double? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>An enum value by its name in JSON; empty for null.</summary>
    public static string Name<T>(T? value)
        where T : struct, Enum =>
        value is { } known ? JsonNamingPolicy.CamelCase.ConvertName(known.ToString()) : "";

    /// <summary>Any text, in quotes.</summary>
    public static string Quoted(string? text) => $"\"{text?.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    /// <summary>Text from a user, in quotes. An apostrophe stands before text that a spreadsheet would take for a formula.</summary>
    public static string Guarded(string? text) =>
        Quoted(text is [var first, ..] && FormulaStarts.Contains(first, StringComparison.Ordinal) ? $"'{text}" : text);

    /// <summary>The whole file, in UTF-8.</summary>
    public static byte[] From<TRow>(IEnumerable<TRow> rows, IReadOnlyList<CsvColumn<TRow>> columns)
    {
        using var file = new MemoryStream();
        using (var text = new StreamWriter(file, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\r\n" })
        {
            text.WriteLine(string.Join(',', columns.Select(column => column.Name)));
            foreach (var row in rows)
                text.WriteLine(string.Join(',', columns.Select(column => column.Cell(row))));
        }

        return file.ToArray();
    }
}

/// <summary>A column of a CSV file, with the function that writes its cell of a row.</summary>
internal sealed record CsvColumn<TRow>(string Name, Func<TRow, string> Cell);
