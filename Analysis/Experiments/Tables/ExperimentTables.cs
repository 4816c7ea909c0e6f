namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>The tables of an experiment's report, besides those of published figures.</summary>
internal static class ExperimentTables
{
    /// <summary>All tables, in the order of the report. The console shows only the variants.</summary>
    public static IEnumerable<TextTable> From(ExperimentReport report) =>
        [Variants(report), .. PublishedTables.From(report), Runs(report), NotTested(report), Settings(report)];

    /// <summary>One row per variant with its intervals.</summary>
    public static TextTable Variants(ExperimentReport report)
    {
        var queries = report.Variants.Any(variant =>
            variant.CallsPerOperation is not null && variant.Plan.Workload.Kind == WorkloadKind.Query);
        var batches = report.Variants.Any(variant => variant.Plan.Workload.Kind.WritesBatches());
        string Complete(VariantReport variant) =>
            $"{Numbers.Count(variant.Runs.Count(run => run.State == RunState.Complete))} of {Numbers.Count(report.Spec.Repeats)}";
        return new Columns<VariantReport>()
            .Text("Variant", variant => variant.Name)
            .Figure("Complete", Complete, console: false)
            .Number("Per second", variant => variant.Rate?.Value)
            .Figure("95% interval", variant => variant.Rate is { Interval95: null } ? "one repeat" : Interval(variant.Rate?.Interval95))
            .Figure("KB/s", variant => Range(variant, run => run.Figures!.KilobytesPerSecond), console: false, when: batches)
            .Number("Latency mean", variant => variant.MeanLatencyMs?.Value, "ms", console: false)
            .Figure("p50", variant => Range(variant, run => run.OperationLatencyMs?.P50), "ms", console: false)
            .Figure("p96", variant => Range(variant, run => run.OperationLatencyMs?.P96), "ms", console: false, when: batches)
            .Figure("p99", variant => Range(variant, run => run.OperationLatencyMs?.P99), "ms")
            .Number("RU per operation", variant => variant.RequestUnitsPerOperation?.Value, console: false)
            .Number("Calls per operation", variant => variant.CallsPerOperation?.Value, console: false, when: queries)
            .Share("Throttled", variant => variant.Usable.Count == 0
                ? null
                : variant.Usable.Average(run => run.Figures!.ThrottledShare ?? 0))
            .Text("Bound by", variant => variant.Usable.Count == 0
                ? $"not measured: {variant.NothingCounts ?? "no run has a rate"}"
                : string.Join(", ", variant.Usable.Select(run => Words.From(run.Figures!.BoundBy)).Distinct()))
            .Table("Variants", report.Variants,
                "Per second: documents, for queries operations; the geometric mean of the repeats with Student's t on their logarithms. "
                    + $"p50 {(batches ? "to " : "and ")}"
                    + "p99 are from the least to the most of the repeats, as percentiles cannot be averaged."
                    + (batches ? " KB are 1,000 bytes of documents; the latency is that of a batch where there are batches." : "")
                    + (report.Variants.Any(variant => ClosedLoops.Has(variant.Plan)) ? $" {ClosedLoops.Caveat}" : ""));
    }

    /// <summary>An interval of a rate.</summary>
    public static string Interval(Interval? interval) => interval switch
    {
        null => Numbers.Unknown,
        { IsTooWide: true } => "too few repeats",
        { } known => $"{Numbers.Brief(known.Low)} to {Numbers.Brief(known.High)}",
    };

    private static string Range(VariantReport variant, Func<RunDigest, double?> value) =>
        Numbers.Range([.. variant.Usable.Select(value).OfType<double>()], Numbers.Brief);

    /// <summary>What bound each run.</summary>
    private static TextTable Runs(ExperimentReport report) => new Columns<(VariantReport Variant, RunDigest Run)>()
        .Text("Variant", row => row.Variant.Name)
        .Count("Repeat", row => row.Run.Repeat)
        .Text("State", row => row.Run.State?.ToString().ToLowerInvariant() ?? "not run")
        .Number("Per second", row => row.Run.Figures?.Rate)
        .Text("Bound by", row => row.Run.Figures?.BoundBy is { } bound ? Words.From(bound) : null)
        .Share("RU/s used", row => row.Run.Utilization?.RequestUnits)
        .Figure("Busiest worker", row => Sentences.Shares(row.Run.Utilization?.Client, row.Run.Utilization?.ClientMax))
        .Figure("Machine", row => Sentences.Shares(row.Run.Utilization?.Machine, row.Run.Utilization?.MachineMax))
        .Count("Throttled", row => row.Run.Requests?.Throttled)
        .Text("Run", row => row.Run.RunId)
        .Table(
            "What bound each run", report.Variants.SelectMany(variant => variant.Runs.Select(run => (variant, run))),
            "The busiest worker's share is of its own cores, the machine's of all cores, other programs included; at most is "
                + "their busiest second. Each run has a report of its own in its folder.",
            console: false);

    private static TextTable NotTested(ExperimentReport report) => TextTable.OfValues(
        "What was not tested, and why", "What", "Why", report.NotTested.Select(item => (item.What, (string?)item.Why))) with
    {
        OnConsole = false,
        IsFolded = false,
    };

    /// <summary>The settings that all variants have in common, including defaults that no spec names.</summary>
    private static IEnumerable<(string Name, string? Value)> SharedBy(ExperimentReport report)
    {
        if (report.Variants.Count == 0)
            return [];
        return report.Variants.Select(variant => RunSettings.RowsOf(variant.Plan, report.Simulated))
            .Aggregate((all, rows) => all.Intersect(rows)).Where(row => row.Name != "Seed");
    }

    private static TextTable Settings(ExperimentReport report)
    {
        var spec = report.Spec;
        return TextTable.OfValues(RunSettings.Title, "Setting", "Value",
        [
            .. MachineKind.RowsOf(report.StartedBy, report.Machines),
            ("Repeats", Numbers.Count(spec.Repeats)),
            ("Order", !spec.Interleaved ? "each variant's repeats together"
                : spec.Seed is { } seed
                    ? $"in rounds of all variants, each round in a random order of its own (seed {Numbers.Count(seed)})"
                    : "in rounds: all variants once, then again"),
            ("Pause between runs", Numbers.Duration(spec.Pause)),
            ("Scale", ExperimentSentences.Scale(report)),
            ("Started", Numbers.Instant(report.StartedAt)),
            ("Finished", Numbers.Instant(report.FinishedAt)),
            .. SharedBy(report),
            ("Base", spec.Base.ToJsonString()),
            .. spec.Variants.Select(variant => ($"Change of {variant.Name}", (string?)variant.Change.ToJsonString())),
        ]) with
        {
            OnConsole = false,
        };
    }
}
