namespace ScaleOut.Analysis.Comparisons;

/// <summary>What a comparison shows to people.</summary>
public static class ComparisonPage
{
    /// <summary>Largest factor by which figures differ on a linear axis.</summary>
    private const double MaxLinearFactor = 1.5;

    /// <summary>Smallest factor to which the axis goes, so that noise does not look like a difference.</summary>
    private const double MinFactor = 1.1;

    private const double Room = 1.06;

    public static ReportPage From(ComparisonReport report) => new()
    {
        Subject = $"{report.B} against {report.A}",
        Simulated = report.Simulated,
        Badges =
        [
            report.Invalid.Count == 0 ? new("Valid", "good") : new(InvalidParts.TitleOf(report.Invalid), "bad"),
            new($"{Numbers.Count(report.Rows.Count(row => row.Verdict == ComparisonVerdict.Differs))} of "
                + $"{Words.Amount(report.Rows.Count, "figure")} differ", "muted"),
        ],
        Number = report.Rows.FirstOrDefault(row => row.Ratio is not null) is { } first
            ? new($"Second / first, {first.Figure}", $"{Numbers.Ratio(first.Ratio!.Value)} x", Interval(first))
            : null,
        Result = report.Result,
        Parts =
        [
            .. InvalidParts.From(report.Invalid),
            .. Ratios(report.Rows).Select(ReportPart.From),
            ReportPart.From(Figures(report)),
            ReportPart.List("Settings that differ (first, second)", report.Settings),
            ReportPart.List("Findings", report.Findings),
            ReportPart.List("What to know", report.Notes),
        ],
    };

    private static TextTable Figures(ComparisonReport report) => new Columns<ComparisonRow>()
        .Text("Figure", row => row.Figure)
        .Number(report.A, row => row.A)
        .Number(report.B, row => row.B)
        .Figure("Ratio", row => row.Ratio is { } ratio ? Numbers.Ratio(ratio) : Numbers.Unknown)
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
                new(interval is null ? "noise not known" : "with its 95% interval", "s0", ChartKind.Dots), i, row.Ratio!.Value,
                $"{row.Figure}: {Numbers.Ratio(row.Ratio.Value)}", interval, hollow: interval is null);
        }

        yield return chart.Make(
            "ratios", "Second / first", "Each figure of the second divided by that of the first.", "ratio", AroundOne(known)) with
        {
            Marks = [new ChartMark("x", 1, "no difference", "limit")],
        };
    }

    /// <summary>An axis with 1 in its middle and room for every ratio; logarithmic if some are far from 1.</summary>
    private static ChartAxis AroundOne(IReadOnlyList<ComparisonRow> known)
    {
        var ratios = known.Max(row => Math.Max(row.Ratio!.Value, 1 / row.Ratio.Value));
        var ends = known.Select(row => row.Interval95).OfType<Interval>().Where(one => one is { IsTooWide: false, Low: > 0 })
            .Select(one => Math.Max(one.High, 1 / one.Low)).DefaultIfEmpty(1).Max();
        // A very wide interval must not squeeze the ratios in the middle.
        var most = Math.Max(MinFactor, Math.Max(ratios, Math.Min(ends, ratios * MaxLinearFactor)));
        return most <= MaxLinearFactor
            ? new ChartAxis("ratio") { Min = 2 - (most * Room), Max = most * Room }
            : new ChartAxis("ratio (logarithmic)", ChartScale.Logarithmic) { Min = 1 / (most * Room), Max = most * Room };
    }
}
