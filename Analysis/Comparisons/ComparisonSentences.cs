namespace ScaleOut.Analysis.Comparisons;

/// <summary>What differs between two reports, in sentences.</summary>
internal static class ComparisonSentences
{
    /// <summary>Largest number of figures, and of settings, that a sentence names.</summary>
    private const int MaxNamed = 4;

    /// <summary>What differs first, then what does not, then the settings.</summary>
    public static IReadOnlyList<string> Result(ComparisonReport report) => InvalidParts.Result(
        report.Invalid, [Difference(report), .. Others(report.Rows), .. Settings(report)]);

    /// <summary>The figures that differ, and by how much.</summary>
    private static string Difference(ComparisonReport report)
    {
        var differing = report.Rows.Where(row => row.Verdict == ComparisonVerdict.Differs).ToList();
        var named = differing.Take(MaxNamed).Select(row =>
            $"{row.Figure} x {Numbers.Ratio(row.Ratio!.Value)} (95% interval {FindingText.From(row.Interval95!.Value)})");
        var what = (report.Rows.Count, differing.Count) switch
        {
            (0, _) => "nothing to compare, no variant is in both",
            (_, 0) => "no figure is shown to differ",
            _ => $"{string.Join(", ", named)}{More(differing.Count, "figure")}",
        };
        return $"{report.B} against {report.A}: {what}.";
    }

    /// <summary>How many figures are the same, show nothing, or cannot be judged; empty if all differ.</summary>
    private static IEnumerable<string> Others(IReadOnlyList<ComparisonRow> rows)
    {
        var groups = rows.Where(row => row.Verdict != ComparisonVerdict.Differs).GroupBy(row => row.Verdict).OrderBy(group => group.Key)
            .Select(group =>
            {
                var (figures, isOne) = (Words.Amount(group.Count(), "figure"), group.Count() == 1);
                return group.Key switch
                {
                    ComparisonVerdict.Same => $"{figures} {(isOne ? "is" : "are")} the same",
                    ComparisonVerdict.NoDifferenceShown => $"{figures} {(isOne ? "shows" : "show")} neither difference nor sameness",
                    _ => $"the noise of {figures} is not known",
                };
            }).ToList();
        if (groups.Count > 0)
            yield return $"{Words.Capital(string.Join(", ", groups))}.";
    }

    private static IEnumerable<string> Settings(ComparisonReport report)
    {
        if (report.Rows.Count > 0)
            yield return report.Settings.Count == 0
                ? "Their settings are the same."
                : $"Settings that differ (first, second): {string.Join("; ", report.Settings.Take(MaxNamed))}"
                    + $"{More(report.Settings.Count, "setting")}.";
    }

    private static string More(int count, string noun) => count > MaxNamed ? $", and {Words.Amount(count - MaxNamed, $"more {noun}")}" : "";
}
