namespace ScaleOut.Analysis.Experiments.Charts;

/// <summary>The charts that an experiment has figures for. Most have one row for each variant that was measured.</summary>
internal static class ExperimentCharts
{
    public const string RatesId = "rates";
    public const string LatencyId = "latency";

    /// <summary>Minimum number of calls per operation that retries alone do not explain.</summary>
    private const double NoticeableCalls = 1.5;

    /// <summary>Largest ratio of the fastest to the slowest rate on a linear axis.</summary>
    private const double MaxLinearRatio = 30;

    public static IReadOnlyList<Chart> From(ExperimentReport report) => report.Variants.All(variant => variant.Rate is null)
        ? []
        :
        [
            Rates(report), .. CurveCharts.From(report), Latency(report),
            .. new[] { Partitions(report), Calls(report) }.OfType<Chart>(),
        ];

    /// <summary>Rates with their intervals, and the published ones.</summary>
    private static Chart Rates(ExperimentReport report)
    {
        var measured = Measured(report);
        var published = measured.Any(variant => variant.Published?.RateFor(variant.FullDocuments) is not null);
        var (fastest, slowest) = (measured.MaxBy(variant => variant.Rate!.Value)!, measured.MinBy(variant => variant.Rate!.Value)!);
        // On a linear axis the slow variants could not be distinguished.
        var logarithmic = fastest.Rate!.Value > slowest.Rate!.Value * MaxLinearRatio;
        var chart = Rows(measured, logarithmic);
        foreach (var (row, variant) in measured.Index())
        {
            var rate = variant.Rate!;
            var uncertain = rate.Interval95 is null or { IsTooWide: true };
            chart.Add(
                new(uncertain ? "too few repeats for an interval" : "measured, with its 95% interval", "s0", ChartKind.Dots),
                row, rate.Value,
                $"{variant.Name}: measured {Numbers.Brief(rate.Value)}/s"
                    + (uncertain ? ", too few repeats for an interval" : $", 95% interval {FindingText.From(rate.Interval95!.Value)}"),
                uncertain ? null : rate.Interval95, uncertain);
            if (variant.Published?.RateFor(variant.FullDocuments) is { } known)
                chart.Add(new("published", "s1", ChartKind.Diamonds), row, known, $"{variant.Name}: published {Numbers.Brief(known)}/s");
        }

        return chart.Make(RatesId, published ? "Rates, measured and published" : "Rates",
            $"Documents (queries: operations) per second of {Words.Amount(measured.Count, "variant")}, with 95% intervals where there are "
                + (ExperimentSentences.KeepTheirRates(report)
                    ? "repeats. Each does the rate that was asked of it."
                    : $"repeats. The fastest is {fastest.Name} with {Numbers.Brief(fastest.Rate.Value)}."),
            logarithmic ? "per second (logarithmic)" : "per second");
    }

    /// <summary>Median and 99th percentile of every run.</summary>
    private static Chart Latency(ExperimentReport report)
    {
        var measured = Measured(report);
        var chart = Rows(measured, logarithmic: true);
        foreach (var (row, variant) in measured.Index())
        {
            var values = variant.Usable.SelectMany(run => new[] { run.OperationLatencyMs?.P50, run.OperationLatencyMs?.P99 })
                .OfType<double>().Select(ms => Math.Max(0.001, ms)).ToList();
            if (values.Count > 0)
                chart.AddSpan(
                    new("p50 to p99", "band", ChartKind.Lines), row, values.Min(), values.Max(),
                    $"{variant.Name}: {Numbers.Brief(values.Min())} to {Numbers.Brief(values.Max())} ms");
            foreach (var latency in variant.Usable.Select(run => run.OperationLatencyMs))
            {
                foreach (var (name, value, colour) in new[]
                    { ("p50", latency?.P50, "s0"), ("p95", latency?.P95, "s2"), ("p99", latency?.P99, "s5") })
                {
                    if (value is { } ms)
                        chart.Add(
                            new(name, colour, ChartKind.Dots), row, Math.Max(0.001, ms), $"{variant.Name}: {name} {Numbers.Brief(ms)} ms");
                }
            }
        }

        return chart.Make(LatencyId, "Latency percentiles",
            "Latency of operations with all waits: a mark for each percentile of each run, as percentiles of several runs cannot be "
                + "averaged.",
            "ms (logarithmic)");
    }

    /// <summary>RU per physical partition and second against the budget of one; null if no partition was measured.</summary>
    private static Chart? Partitions(ExperimentReport report)
    {
        var measured = Measured(report).Where(variant => variant.Usable.Any(run => run.Partitions is not null)).ToList();
        if (measured.Count == 0)
            return null;
        var assumed = measured.Any(variant => variant.Usable.Any(run => run.Partitions?.AssumedEven == true)) ? " (assumed even)" : "";
        var chart = Rows(measured);
        foreach (var (row, variant) in measured.Index())
        {
            var spreads = variant.Usable.Select(run => run.Partitions).OfType<PartitionSpread>().ToList();
            var (low, high) = (spreads.Min(spread => spread.P5), spreads.Max(spread => spread.P95));
            chart.AddSpan(
                new("5% to 95% of partitions and seconds", "band", ChartKind.Spans), row, low, high,
                $"{variant.Name}: 5% to 95% {Numbers.Brief(low)} to {Numbers.Brief(high)} RU/s");
            foreach (var budget in spreads.Select(spread => spread.BudgetPerSecond).OfType<double>().Distinct())
                chart.Add(
                    new($"budget of one partition{assumed}", "limit", ChartKind.Ticks), row, budget,
                    $"{variant.Name}: budget {Numbers.Brief(budget)} RU/s{assumed}");
            foreach (var spread in spreads)
            {
                chart.Add(
                    new("median", "s0", ChartKind.Dots), row, spread.Median, $"{variant.Name}: median {Numbers.Brief(spread.Median)} RU/s");
                chart.Add(
                    new("highest", "s5", ChartKind.Diamonds), row, spread.Max, $"{variant.Name}: highest {Numbers.Brief(spread.Max)} RU/s");
            }
        }

        return chart.Make("partitions", "Request units per physical partition and second",
            "RU that one physical partition was charged in one second: from the 5th to the 95th percentile over all partitions and "
                + $"seconds, the median, the highest, and the budget of one partition{assumed}.",
            "RU/s of one partition");
    }

    /// <summary>Requests per operation; null if runs do not count them, or if nearly every operation takes one request.</summary>
    private static Chart? Calls(ExperimentReport report)
    {
        var measured = Measured(report).Where(variant => variant.CallsPerOperation is not null).ToList();
        if (!measured.Exists(variant =>
            variant.CallsPerOperation!.Value >= NoticeableCalls || variant.Published?.CallsPerOperation is not null))
            return null;
        var chart = Rows(measured);
        foreach (var (row, variant) in measured.Index())
        {
            var calls = variant.CallsPerOperation!.Value;
            chart.AddSpan(new("measured", "s0", ChartKind.Spans), row, 0, calls, $"{variant.Name}: {Numbers.Brief(calls)} calls");
            if (variant.Published?.CallsPerOperation is { } known)
                chart.Add(new("published", "s1", ChartKind.Diamonds), row, known, $"{variant.Name}: published {Numbers.Brief(known)}");
        }

        return chart.Make("calls", "Calls per operation",
            "Requests that one operation took on average, such as the pages of a query on every partition that it asked.", "calls");
    }

    private static RowChart Rows(IReadOnlyList<VariantReport> variants, bool logarithmic = false) =>
        new([.. variants.Select(variant => variant.Name)], logarithmic);

    private static List<VariantReport> Measured(ExperimentReport report) => [.. report.Variants.Where(variant => variant.Rate is not null)];
}
