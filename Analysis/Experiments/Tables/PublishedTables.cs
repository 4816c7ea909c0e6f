namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>Published figures beside measured ones, and how far their orders agree.</summary>
internal static class PublishedTables
{
    /// <summary>Largest number of pairs that are listed for each verdict.</summary>
    private const int MaxPairs = 20;

    private const double BytesPerKilobyte = 1000;

    private static readonly IReadOnlyList<(string Title, Func<PublishedFigures, double?> Published, Func<VariantReport, double?> Measured)>
        OtherFigures =
        [
            ("latency mean ms", published => published.LatencyMeanMs, variant => variant.MeanLatencyMs?.Value),
            ("latency p96 ms", published => published.LatencyP96Ms, variant => variant.P96LatencyMs?.Value),
            ("batches per second", published => published.BatchesPerSecond, BatchesPerSecond),
            ("KB per second", published => published.KilobytesPerSecond, KilobytesPerSecond),
            ("RU per operation", published => published.RequestUnitsPerOperation, variant => variant.RequestUnitsPerOperation?.Value),
            ("calls per operation", published => published.CallsPerOperation, variant => variant.CallsPerOperation?.Value),
            ("throttled", published => published.Throttled,
                variant => variant.Usable.Count == 0 ? null : variant.Usable.Average(run => run.Requests?.Throttled ?? 0)),
        ];

    /// <summary>Empty when nothing was published.</summary>
    public static IReadOnlyList<TextTable> From(ExperimentReport report) => report.Published is not { } published
        ? []
        : [Rates(published), .. Others(report), Order(published)];

    private static TextTable Rates(PublishedComparison published) => new Columns<PublishedRow>()
        .Text("Variant", row => row.Variant)
        .Number("Published per second", row => row.Published)
        .Number("Measured per second", row => row.Measured?.Value)
        .Figure("95% interval", row => ExperimentTables.Interval(row.Measured?.Interval95))
        .Figure("Measured / published", row => Ratio(row.Ratio))
        .Number("By budget and latency", row => row.Expected)
        .Text("Why they differ", row => row.NotTestable is { } why ? $"not tested: {why}" : row.Difference)
        .Table(
            "Published against measured", published.Rows,
            $"{Correlation(published)} By budget and latency: what the spec's RU/s and operations in flight allow if clients cost no time. "
                + "At a budget it does not show what clients could do beyond it, and their CPU is this machine's. The machines, networks "
                + "and years differ, so it is the order that is compared.",
            console: false);

    private static string Correlation(PublishedComparison published) => published.Spearman is { } rho
        ? $"Spearman's rank correlation of published and measured rates: {rho:0.00} over {published.Compared} variants that this machine "
            + "can test."
        : $"No rank correlation: {Words.Amount(published.Compared, "variant")} with both rates that this machine can test.";

    private static IEnumerable<TextTable> Others(ExperimentReport report)
    {
        var variants = report.Variants.Where(variant => variant.Published is not null).ToList();
        var used = OtherFigures.Where(figure => variants.Any(variant => figure.Published(variant.Published!) is not null)).ToList();
        var outcomes = variants.Any(variant => variant.Published!.Outcome is not null);
        if (used.Count == 0 && !outcomes)
            yield break;
        var columns = new Columns<VariantReport>().Text("Variant", variant => variant.Name);
        foreach (var (title, value, measured) in used)
            columns.Number($"Published {title}", variant => value(variant.Published!)).Number($"Measured {title}", measured);
        yield return columns.Text("Published outcome", variant => variant.Published!.Outcome, when: outcomes)
            .Table("Other published figures", variants, console: false);
    }

    private static double? BatchesPerSecond(VariantReport variant) =>
        variant.Plan.Workload.Kind.WritesBatches() ? variant.Rate?.Value / variant.Plan.Workload.DocumentsPerOperation : null;

    /// <summary>Rate x typical size of a document.</summary>
    private static double? KilobytesPerSecond(VariantReport variant) =>
        variant.Rate?.Value * DocumentShape.From(variant.Plan.Document).Bytes / BytesPerKilobyte;

    private static TextTable Order(PublishedComparison published)
    {
        var shown = published.Pairs.GroupBy(pair => pair.Verdict)
            .OrderBy(group => group.Key switch { PairVerdict.NotTestable => 9, var verdict => (int)verdict })
            .SelectMany(group => group.Take(MaxPairs)).ToList();
        var left = published.Pairs.Count - shown.Count;
        string CountOf(PairVerdict verdict) => Numbers.Count(published.CountOf(verdict));
        return new Columns<PublishedPair>()
            .Text("Faster as published", pair => pair.Faster)
            .Text("Slower", pair => pair.Slower)
            .Figure("Published ratio", pair => Ratio(pair.Published))
            .Figure("By budget and latency", pair => Ratio(pair.Expected))
            .Figure("Measured ratio", pair => Ratio(pair.Measured))
            .Figure("95% interval", pair => pair.Interval95 is { } interval ? FindingText.From(interval) : Numbers.Unknown)
            .Text("Origin", pair => pair.Origin is { } origin ? FindingText.Name(origin) : "")
            .Figure("Measured / by the parameters", pair => Ratio(pair.MeasuredOverExpected))
            .Text("Order", pair => pair.Verdict == PairVerdict.NotTestable ? "not testable" : pair.Verdict.ToString().ToLowerInvariant())
            // There may be a hundred such pairs, and the table of rates has the reason of each variant.
            .Text("Why", WhyOf)
            .Text("They differ in", pair => string.Join("; ", pair.Differences))
            .Table(
                "Order of pairs, published against measured", shown,
                $"{CountOf(PairVerdict.Agrees)} pairs agree, {CountOf(PairVerdict.Disagrees)} disagree, "
                    + $"{CountOf(PairVerdict.Undecided)} are undecided, {CountOf(PairVerdict.Assumed)} follow from the parameters and are "
                    + $"no evidence, {CountOf(PairVerdict.Tie)} are ties, "
                    + $"{CountOf(PairVerdict.NotTestable)} cannot be tested, for the reasons beside the rates. "
                    + (published.CountOf(PairVerdict.Assumed) > 0
                        ? "Assumed is what the simulated account's parameters alone give: the measured ratio, or the same order, of "
                            + "which only a factor emerges. "
                        : "")
                    + "A pair has an order when its published rates are 10% or more apart, and keeps it when the 95% interval of the "
                    + "measured ratio lies above 1. Of variants that differ in several settings the ratio is that of all of them together"
                    + $"{(left > 0 ? $". {Words.Amount(left, "more pair")} in report.json" : "")}.",
                console: false);
    }

    /// <summary>What the note says of all such pairs is left out.</summary>
    private static string WhyOf(PublishedPair pair) => pair switch
    {
        { Verdict: PairVerdict.NotTestable } => "not both rates are tested",
        { Verdict: PairVerdict.Assumed, Origin: FindingOrigin.Emergent, MeasuredOverExpected: { } factor } =>
            $"the same order; the factor of {Numbers.Ratio(factor)} emerges",
        { Verdict: PairVerdict.Assumed } => "the same ratio",
        { Verdict: PairVerdict.Undecided, Interval95: not null } => "the interval contains 1",
        _ => pair.Reason ?? "",
    };

    private static string Ratio(double? ratio) => ratio is { } known ? Numbers.Ratio(known) : Numbers.Unknown;
}
