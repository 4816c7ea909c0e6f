namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>Published figures beside measured ones, and how far their orders agree.</summary>
internal static class PublishedTables
{
    /// <summary>Pairs of a kind that are listed one by one.</summary>
    private const int MostPairs = 20;

    private const double BytesPerKilobyte = 1000;

    /// <summary>None when nothing was published.</summary>
    public static IReadOnlyList<TextTable> From(ExperimentReport report)
    {
        return report.Published is { } published ? [Rates(published), .. Others(report), .. Order(published)] : [];
    }

    private static TextTable Rates(PublishedComparison published) => new("Published against measured",
        [
            Column.From("Variant"), new("Published per second"), new("Measured per second"), new("95% interval"),
            new("Measured / published"), new("By budget and latency"), Column.From("Why they differ"),
        ],
        [.. published.Rows.Select(row => (IReadOnlyList<string>)
        [
            row.Variant,
            Numbers.Brief(row.Published),
            Numbers.Brief(row.Measured?.Value),
            VariantTable.Interval(row.Measured?.Interval95),
            row.Ratio is { } ratio ? FindingText.Ratio(ratio) : Numbers.Unknown,
            Numbers.Brief(row.Expected),
            row.NotTestable is { } why ? $"not tested: {why}" : row.Difference ?? Numbers.Unknown,
        ])],
        $"{Correlation(published)} By budget and latency: what the spec's RU/s and operations in flight allow if clients cost no time. The "
            + "machines, networks and years differ, so it is the order that is compared.");

    private static string Correlation(PublishedComparison published) => published.Spearman is { } rho
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"Spearman's rank correlation of published and measured rates: {rho:0.00} over {published.Compared} variants that this machine "
                + $"can test.")
        : $"No rank correlation: {Words.Amount(published.Compared, "variant")} with both rates that this machine can test.";

    private static IReadOnlyList<TextTable> Others(ExperimentReport report)
    {
        var columns = new (string Title, Func<VariantReport, double?> Published, Func<VariantReport, double?> Measured)[]
        {
            ("latency mean ms", variant => variant.Published!.LatencyMeanMs, variant => variant.MeanLatencyMs?.Value),
            ("latency p96 ms", variant => variant.Published!.LatencyP96Ms, variant => variant.P96LatencyMs?.Value),
            ("batches per second", variant => variant.Published!.BatchesPerSecond, BatchesPerSecond),
            ("KB per second", variant => variant.Published!.KilobytesPerSecond, KilobytesPerSecond),
            (
                "RU per operation", variant => variant.Published!.RequestUnitsPerOperation,
                variant => variant.RequestUnitsPerOperation?.Value),
            ("calls per operation", variant => variant.Published!.CallsPerOperation, variant => variant.CallsPerOperation?.Value),
            (
                "throttled", variant => variant.Published!.Throttled,
                variant => variant.Usable.Count == 0 ? null : variant.Usable.Average(run => run.Requests?.Throttled ?? 0)),
        };
        var variants = report.Variants.Where(variant => variant.Published is not null).ToList();
        var used = columns.Where(column => variants.Any(variant => column.Published(variant) is not null)).ToList();
        var outcomes = variants.Any(variant => variant.Published!.Outcome is not null);
        if (used.Count == 0 && !outcomes)
            return [];
        return [new TextTable("Other published figures",
            [
                Column.From("Variant"),
                .. used.SelectMany(column => new[] { new Column($"Published {column.Title}"), new Column($"Measured {column.Title}") }),
                .. outcomes ? [Column.From("Published outcome")] : Array.Empty<Column>(),
            ],
            [.. variants.Select(variant => (IReadOnlyList<string>)
            [
                variant.Name,
                .. used.SelectMany(column => new[] { Numbers.Brief(column.Published(variant)), Numbers.Brief(column.Measured(variant)) }),
                .. outcomes ? [variant.Published!.Outcome ?? Numbers.Unknown] : Array.Empty<string>(),
            ])])];
    }

    private static double? BatchesPerSecond(VariantReport variant) =>
        variant.Plan.Workload.Kind.WritesBatches() ? variant.Rate?.Value / variant.Plan.Workload.DocumentsPerOperation : null;

    /// <summary>By the typical size of the documents.</summary>
    private static double? KilobytesPerSecond(VariantReport variant) =>
        variant.Rate?.Value * DocumentShape.From(variant.Plan.Document).Bytes / BytesPerKilobyte;

    private static IReadOnlyList<TextTable> Order(PublishedComparison published)
    {
        if (published.Pairs.Count == 0)
            return [];
        var counts = string.Create(
            CultureInfo.InvariantCulture,
            $"{published.CountOf(PairVerdict.Agrees)} pairs agree, {published.CountOf(PairVerdict.Disagrees)} disagree, "
                + $"{published.CountOf(PairVerdict.Undecided)} are undecided, {published.CountOf(PairVerdict.Tie)} are ties, "
                + $"{published.CountOf(PairVerdict.NotTestable)} cannot be tested.");
        var shown = published.Pairs.GroupBy(pair => pair.Verdict)
            .OrderBy(group => group.Key switch { PairVerdict.NotTestable => 9, var verdict => (int)verdict })
            .SelectMany(group => group.Take(MostPairs)).ToList();
        var left = published.Pairs.Count - shown.Count;
        return [new TextTable("Order of pairs, published against measured",
            [
                Column.From("Faster as published"), Column.From("Slower"), new("Published ratio"), new("By budget and latency"),
                new("Measured ratio"), new("95% interval"), Column.From("Order"), Column.From("Why"), Column.From("They differ in"),
            ],
            [.. shown.Select(pair => (IReadOnlyList<string>)
            [
                pair.Faster, pair.Slower, FindingText.Ratio(pair.Published), Ratio(pair.Expected), Ratio(pair.Measured),
                pair.Interval95 is { } interval ? FindingText.From(interval) : Numbers.Unknown, Name(pair.Verdict), pair.Reason ?? "",
                string.Join("; ", pair.Differences),
            ])],
            $"{counts} A pair has an order when its published rates are 10% or more apart, and keeps it when the 95% interval of the "
                + "measured ratio lies above 1. Of variants that differ in several settings the ratio is that of all of them together"
                + $"{(left > 0 ? $". {Words.Amount(left, "more pair")} in report.json" : "")}.")];
    }

    private static string Ratio(double? ratio) => ratio is { } known ? FindingText.Ratio(known) : Numbers.Unknown;

    private static string Name(PairVerdict verdict) =>
        verdict == PairVerdict.NotTestable ? "not testable" : verdict.ToString().ToLowerInvariant();
}
