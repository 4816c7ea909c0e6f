namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>One row per variant with its intervals.</summary>
public static class VariantTable
{
    public static TextTable From(ExperimentReport report)
    {
        var calls = report.Variants.Any(variant =>
            variant.CallsPerOperation is not null && variant.Plan.Workload.Kind == WorkloadKind.Query);
        var batches = report.Variants.Any(variant => variant.Plan.Workload.Kind.WritesBatches());
        IReadOnlyList<Column> columns =
        [
            Column.From("Variant"), new("Complete"), new("Per second"), new("95% interval"),
            .. batches ? [new Column("KB/s")] : Array.Empty<Column>(),
            new("Latency mean ms"), new("p50 ms"),
            .. batches ? [new Column("p96 ms")] : Array.Empty<Column>(),
            new("p99 ms"), new("RU per operation"),
            .. calls ? [new Column("Calls per operation")] : Array.Empty<Column>(),
            new("Throttled"), Column.From("Bound by"),
        ];
        return new("Variants", columns, [.. report.Variants.Select(variant => Row(variant, report.Spec.Repeats, calls, batches))],
            "Per second: documents, for queries operations; the geometric mean of the repeats with Student's t on their logarithms. p50 "
                + (batches ? "to " : "and ")
                + "p99 are from the least to the most of the repeats, as percentiles cannot be averaged."
                + (batches ? " KB are 1,000 bytes of documents; the latency is that of a batch where there are batches." : "")
                + (report.Variants.Any(variant => ClosedLoops.Has(variant.Plan)) ? $" {ClosedLoops.Caveat}" : ""));
    }

    /// <summary>An interval of a rate.</summary>
    public static string Interval(Interval? interval) =>
        interval is not { } known ? Numbers.Unknown
        : known.IsTooWide ? "too few repeats"
        : $"{Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}";

    private static IReadOnlyList<string> Row(VariantReport variant, int repeats, bool calls, bool batches)
    {
        var usable = variant.Usable;
        return
        [
            variant.Name,
            string.Create(CultureInfo.InvariantCulture, $"{variant.Runs.Count(run => run.State == RunState.Complete)} of {repeats}"),
            Numbers.Brief(variant.Rate?.Value),
            Interval(variant.Rate?.Interval95),
            .. batches ? [Range(usable.Select(run => run.Figures!.KilobytesPerSecond))] : Array.Empty<string>(),
            Numbers.Brief(variant.MeanLatencyMs?.Value),
            Range(usable.Select(run => run.OperationLatencyMs?.P50)),
            .. batches ? [Range(usable.Select(run => run.OperationLatencyMs?.P96))] : Array.Empty<string>(),
            Range(usable.Select(run => run.OperationLatencyMs?.P99)),
            Numbers.Brief(variant.RequestUnitsPerOperation?.Value),
            .. calls ? [Numbers.Brief(variant.CallsPerOperation?.Value)] : Array.Empty<string>(),
            Throttled(usable),
            usable.Count == 0 ? Numbers.Unknown : string.Join(", ", usable.Select(run => Words.From(run.Figures!.BoundBy)).Distinct()),
        ];
    }

    private static string Throttled(IReadOnlyList<RunDigest> usable) =>
        usable.Count == 0 ? Numbers.Unknown : Numbers.Percent(usable.Average(run => run.Figures!.ThrottledShare ?? 0));

    private static string Range(IEnumerable<double?> values)
    {
        var known = values.OfType<double>().ToList();
        if (known.Count == 0)
            return Numbers.Unknown;
        var (least, most) = (Numbers.Brief(known.Min()), Numbers.Brief(known.Max()));
        return least == most ? least : $"{least} to {most}";
    }
}
