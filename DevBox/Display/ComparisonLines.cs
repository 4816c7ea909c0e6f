namespace ScaleOut.DevBox.Display;

/// <summary>A comparison in lines for a terminal.</summary>
internal static class ComparisonLines
{
    public static IEnumerable<string> From(ComparisonReport comparison)
    {
        yield return $"{(comparison.Simulated ? "Simulated: " : "")}{comparison.B} against {comparison.A}";
        var width = comparison.Rows.Select(row => row.Figure.Length).DefaultIfEmpty().Max();
        foreach (var row in comparison.Rows)
        {
            var (a, b) = (Numbers.Brief(row.A), Numbers.Brief(row.B));
            yield return $"  {row.Figure.PadRight(width)}  {a,10} -> {b,-10} {Difference(row)}".TrimEnd();
        }

        if (comparison.Rows.Count == 0)
            yield return "  nothing to compare: no variant is in both";
        foreach (var setting in comparison.Settings)
            yield return $"  differs in: {setting}";
        foreach (var finding in comparison.Findings)
            yield return $"  finding: {finding}";
        foreach (var note in comparison.Notes)
            yield return $"  note: {note}";
    }

    private static string Difference(ComparisonRow row)
    {
        var ratio = row.Ratio is { } known ? $"x {FindingText.Ratio(known)}" : "";
        return row.Verdict switch
        {
            ComparisonVerdict.Differs => $"{ratio}, 95% interval {FindingText.From(row.Interval95!.Value)}: differs ({row.Basis})",
            ComparisonVerdict.Same =>
                $"{ratio}, 90% interval {FindingText.From(row.Interval90!.Value)}: the same within "
                    + $"{FindingText.From(Equivalence.NegligibleBand)} ({row.Basis})",
            ComparisonVerdict.NoDifferenceShown =>
                $"{ratio}, 95% interval {FindingText.From(row.Interval95!.Value)}: no difference shown, nor sameness "
                    + $"({row.Basis})",
            _ => $"{ratio}{(ratio.Length > 0 ? ", " : "")}noise not known ({row.Basis})",
        };
    }
}
