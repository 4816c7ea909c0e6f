using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Analysis.Text;

namespace ScaleOut.DevBox.Display;

/// <summary>What a user wants to know when all draws are run, before opening the page.</summary>
internal static class SensitivityLines
{
    /// <summary>The lines: the control, the table of findings, and a sentence for each.</summary>
    /// <param name="report">Of all draws.</param>
    /// <param name="page">Path of the page for people.</param>
    public static IEnumerable<string> From(SensitivityReport report, string page)
    {
        yield return "";
        yield return $"Sensitivity: {SensitivityText.Headline(report)}";
        foreach (var line in Rows(SensitivityText.Control(report)).Concat(Rows(SensitivityText.Findings(report))))
            yield return line;
        foreach (var finding in report.Findings)
            yield return $"  {finding.Id}: {finding.Sentence}";
        yield return $"  {"sensitivity",-22} {page}";
    }

    private static IEnumerable<string> Rows(TextTable table)
    {
        IReadOnlyList<IReadOnlyList<string>> rows = [table.Columns.Select(column => column.Title).ToList(), .. table.Rows];
        var widths = table.Columns.Select((_, i) => rows.Max(row => row[i].Length)).ToList();
        return
        [
            .. rows.Select(row =>
                "  " + string.Join("  ", row.Select((cell, i) => Pad(table.Columns[i], cell, widths[i]))).TrimEnd()),
        ];
    }

    private static string Pad(Column column, string cell, int width) => column.IsNumber ? cell.PadLeft(width) : cell.PadRight(width);
}
