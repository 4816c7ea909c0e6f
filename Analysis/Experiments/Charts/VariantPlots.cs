using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Experiments.Charts;

/// <summary>Plots with one row for each variant that was measured.</summary>
internal static class VariantPlots
{
    /// <summary>Above it retries alone do not explain the calls.</summary>
    private const double NoticeableCalls = 1.5;

    private const double WidestLinear = 30;

    /// <summary>Rates with their intervals, and the published ones.</summary>
    public static Plot Rates(ExperimentReport report)
    {
        var measured = Measured(report);
        var published = measured.Any(variant => variant.Published?.RateFor(variant.FullDocuments) is not null);
        var (fastest, slowest) = (measured.MaxBy(variant => variant.Rate!.Value)!, measured.MinBy(variant => variant.Rate!.Value)!);
        // On a linear axis the slow ones could not be distinguished.
        var logarithmic = fastest.Rate!.Value > slowest.Rate!.Value * WidestLinear;
        var plot = new RowPlot([.. measured.Select(variant => new PlotRow(
            variant.Name,
            variant.Rate!.Interval95 is { IsTooWide: false } interval ? [new RowBar(interval.Low, interval.High, "s0")] : [],
            [
                new RowMark(
                    variant.Rate.Value, IsUncertain(variant) ? RowShape.Hollow : RowShape.Dot, "s0",
                    $"measured {Numbers.Brief(variant.Rate.Value)}/s{(IsUncertain(variant) ? ", too few repeats for an interval" : "")}"),
                .. variant.Published?.RateFor(variant.FullDocuments) is { } rate
                    ? [new RowMark(rate, RowShape.Diamond, "s1", $"published {Numbers.Brief(rate)}/s")]
                    : Array.Empty<RowMark>(),
            ]))], logarithmic ? "per second (logarithmic)" : "per second", logarithmic);
        return Make("rates", published ? "Rates, measured and published" : "Rates",
            $"Documents (queries: operations) per second of {Words.Amount(measured.Count, "variant")}, with 95% intervals where there are "
                + $"repeats. The fastest is {fastest.Name} with {Numbers.Brief(fastest.Rate.Value)}.",
            [
                new("measured, with its 95% interval", "s0"),
                .. measured.Exists(IsUncertain) ? [new LegendEntry("too few repeats for an interval", "s0", "hollow")]
                    : Array.Empty<LegendEntry>(),
                .. published ? [new LegendEntry("published", "s1")] : Array.Empty<LegendEntry>(),
            ],
            plot);
    }

    private static bool IsUncertain(VariantReport variant) => variant.Rate!.Interval95 is null or { IsTooWide: true };

    /// <summary>Median and 99th percentile of every run.</summary>
    public static Plot Latency(ExperimentReport report)
    {
        var measured = Measured(report);
        var plot = new RowPlot([.. measured.Select(variant => new PlotRow(
            variant.Name,
            [.. Span(variant)],
            [.. variant.Usable.SelectMany(run => Percentiles(run))]))], "ms (logarithmic)", logarithmic: true);
        return Make("latency", "Latency percentiles",
            "Latency of operations with all waits: a mark for each percentile of each run, as percentiles of several runs cannot be "
                + "averaged.",
            [new("p50", "s0"), new("p95", "s2"), new("p99", "s5")], plot);
    }

    /// <summary>RU per physical partition and second against the budget of one; none where no partition was measured.</summary>
    public static IReadOnlyList<Plot> Partitions(ExperimentReport report)
    {
        var measured = Measured(report).Where(variant => variant.Usable.Any(run => run.Partitions is not null)).ToList();
        if (measured.Count == 0)
            return [];
        var assumed = measured.Any(variant => variant.Usable.Any(run => run.Partitions?.AssumedEven == true)) ? " (assumed even)" : "";
        var plot = new RowPlot([.. measured.Select(variant => PartitionRow(variant))], "RU/s of one partition");
        return [Make("partitions", "Request units per physical partition and second",
            "RU that one physical partition was charged in one second: from the 5th to the 95th percentile over all partitions and "
                + $"seconds, the median, the highest, and the budget of one partition{assumed}.",
            [
                new("5% to 95% of partitions and seconds", "band"),
                new("median", "s0"),
                new("highest", "s5"),
                new($"budget of one partition{assumed}", "limit", "line"),
            ],
            plot)];
    }

    /// <summary>Requests that an operation took; none where runs do not count them, and where one each is all that there is.</summary>
    public static IReadOnlyList<Plot> Calls(ExperimentReport report)
    {
        var measured = Measured(report).Where(variant => variant.CallsPerOperation is not null).ToList();
        if (!measured.Exists(variant =>
            variant.CallsPerOperation!.Value >= NoticeableCalls || variant.Published?.CallsPerOperation is not null))
            return [];
        var plot = new RowPlot([.. measured.Select(variant => new PlotRow(
            variant.Name,
            [new RowBar(0, variant.CallsPerOperation!.Value, "s0", Thick: true)],
            [
                new RowMark(variant.CallsPerOperation.Value, RowShape.Dot, "s0", $"{Numbers.Brief(variant.CallsPerOperation.Value)} calls"),
                .. variant.Published?.CallsPerOperation is { } calls
                    ? [new RowMark(calls, RowShape.Diamond, "s1", $"published {Numbers.Brief(calls)}")]
                    : Array.Empty<RowMark>(),
            ]))], "calls");
        return
        [
            Make(
                "calls", "Calls per operation",
                "Requests that one operation took on average, such as the pages of a query on every partition that it asked.",
                [new("measured", "s0"), new("published", "s1")], plot)
        ];
    }

    private static List<VariantReport> Measured(ExperimentReport report) => [.. report.Variants.Where(variant => variant.Rate is not null)];

    private static Plot Make(string id, string title, string description, IReadOnlyList<LegendEntry> legend, RowPlot plot) =>
        new(id, title, description, legend, plot.Draw, plot.Note, plot.Fit);

    private static IEnumerable<RowBar> Span(VariantReport variant)
    {
        var values = variant.Usable.SelectMany(run => new[] { run.OperationLatencyMs?.P50, run.OperationLatencyMs?.P99 }).OfType<double>()
            .ToList();
        if (values.Count > 0)
            yield return new RowBar(Math.Max(0.001, values.Min()), Math.Max(0.001, values.Max()), "band");
    }

    private static IEnumerable<RowMark> Percentiles(RunDigest run) =>
        new[]
        {
            (Name: "p50", Value: run.OperationLatencyMs?.P50, Colour: "s0"),
            (Name: "p95", Value: run.OperationLatencyMs?.P95, Colour: "s2"),
            (Name: "p99", Value: run.OperationLatencyMs?.P99, Colour: "s5"),
        }
            .Where(percentile => percentile.Value is not null)
            .Select(percentile =>
                new RowMark(
                    Math.Max(0.001, percentile.Value!.Value), RowShape.Dot, percentile.Colour,
                    $"{percentile.Name} {Numbers.Brief(percentile.Value)} ms"));

    private static PlotRow PartitionRow(VariantReport variant)
    {
        var spreads = variant.Usable.Select(run => run.Partitions).OfType<PartitionSpread>().ToList();
        var budgets = spreads.Select(spread => spread.BudgetPerSecond).OfType<double>().Distinct().ToList();
        return new PlotRow(
            variant.Name,
            [new RowBar(spreads.Min(spread => spread.P5), spreads.Max(spread => spread.P95), "band", Thick: true)],
            [
                .. budgets.Select(budget => new RowMark(budget, RowShape.Tick, "limit", $"budget {Numbers.Brief(budget)} RU/s")),
                .. spreads.Select(spread => new RowMark(spread.Median, RowShape.Dot, "s0", $"median {Numbers.Brief(spread.Median)} RU/s")),
                .. spreads.Select(spread => new RowMark(spread.Max, RowShape.Diamond, "s5", $"highest {Numbers.Brief(spread.Max)} RU/s")),
            ]);
    }
}
