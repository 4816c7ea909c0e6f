namespace ScaleOut.Analysis.Comparisons;

/// <summary>What a comparison shows to people.</summary>
public static class ComparisonPage
{
    /// <summary>Largest number of differing figures that the result names.</summary>
    private const int MaxNamed = 4;

    public static ReportPage From(ComparisonReport report) => new()
    {
        Subject = $"{report.B} against {report.A}",
        Simulated = report.Simulated,
        Result = [$"{report.B} against {report.A}: {Verdicts(report.Rows)}.", .. Differences(report.Rows)],
        Parts =
        [
            .. Ratios(report.Rows).Select(ReportPart.From),
            .. report.Rows.Count == 0 ? Array.Empty<ReportPart>() : [ReportPart.From(Figures(report))],
            ReportPart.List("Settings that differ (first, second)", report.Settings),
            ReportPart.List("Findings", report.Findings),
            ReportPart.List("What to know", report.Notes),
        ],
    };

    private static string Verdicts(IReadOnlyList<ComparisonRow> rows) => rows.Count == 0
        ? "nothing to compare, no variant is in both"
        : string.Join(", ", rows.GroupBy(row => row.Verdict).OrderBy(group => group.Key).Select(group =>
        {
            var (figures, isOne) = (Words.Amount(group.Count(), "figure"), group.Count() == 1);
            return group.Key switch
            {
                ComparisonVerdict.Differs => $"{figures} {(isOne ? "differs" : "differ")}",
                ComparisonVerdict.Same => $"{figures} {(isOne ? "is" : "are")} the same",
                ComparisonVerdict.NoDifferenceShown => $"{figures} {(isOne ? "shows" : "show")} neither difference nor sameness",
                _ => $"the noise of {figures} is not known",
            };
        }));

    /// <summary>The figures that differ, and by how much; empty if none does.</summary>
    private static IEnumerable<string> Differences(IReadOnlyList<ComparisonRow> rows)
    {
        var differing = rows.Where(row => row.Verdict == ComparisonVerdict.Differs).ToList();
        if (differing.Count == 0)
            yield break;
        var named = differing.Take(MaxNamed).Select(row => $"{row.Figure} x {FindingText.Ratio(row.Ratio!.Value)}");
        var others = differing.Count - MaxNamed;
        yield return $"It differs in {string.Join("; ", named)}{(others > 0 ? $", and {Numbers.Count(others)} more" : "")}.";
    }

    private static TextTable Figures(ComparisonReport report) => new Columns<ComparisonRow>()
        .Text("Figure", row => row.Figure)
        .Number(report.A, row => row.A)
        .Number(report.B, row => row.B)
        .Figure("Ratio", row => row.Ratio is { } ratio ? FindingText.Ratio(ratio) : Numbers.Unknown)
        .Figure("Interval of the ratio", Interval)
        .Text("Verdict", row => row.Verdict switch
        {
            ComparisonVerdict.Differs => "differs",
            ComparisonVerdict.Same => $"the same within {FindingText.From(Equivalence.NegligibleBand)}",
            ComparisonVerdict.NoDifferenceShown => "no difference shown, nor sameness",
            _ => "noise not known",
        })
        .Text("Basis", row => row.Basis)
        .Table("Figures", report.Rows);

    /// <summary>The interval that the verdict rests on.</summary>
    private static string Interval(ComparisonRow row) =>
        (row.Verdict == ComparisonVerdict.Same ? row.Interval90 : row.Interval95) is { } interval
            ? $"{(row.Verdict == ComparisonVerdict.Same ? "90%" : "95%")}: {FindingText.From(interval)}"
            : Numbers.Unknown;

    private static IEnumerable<Chart> Ratios(IReadOnlyList<ComparisonRow> rows)
    {
        var known = rows.Where(row => row.Ratio is not null).ToList();
        if (known.Count == 0)
            yield break;
        var chart = new RowChart([.. known.Select(row => row.Figure)]);
        foreach (var (i, row) in known.Index())
        {
            var interval = row.Interval95 is { IsTooWide: false } one ? one : (Interval?)null;
            chart.Add(
                interval is null ? "noise not known" : "with its 95% interval", "s0", ChartKind.Dots, i, row.Ratio!.Value,
                $"{row.Figure}: {FindingText.Ratio(row.Ratio.Value)}", interval, hollow: interval is null);
        }

        yield return chart.Make("ratios", "Second / first", "Each figure of the second divided by that of the first.", "ratio") with
        {
            Marks = [new ChartMark("x", 1, "no difference", "limit")],
        };
    }
}
