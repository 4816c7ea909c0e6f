namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>The tables of a report.</summary>
internal static class ReportTables
{
    /// <summary>All of them, in the order in which a reader asks.</summary>
    public static IReadOnlyList<TextTable> From(RunReport report)
    {
        return report.IsEmpty
            ? [Documents(report), Settings(report)]
            : [
                Documents(report), Throughput(report), Latency(report), .. ErrorTable.From(report), .. StepTable.From(report),
                WorkerTable.From(report), .. PartitionTable.From(report), .. CostTable.From(report), Settings(report),
            ];
    }

    /// <summary>The counts of documents.</summary>
    public static TextTable Documents(RunReport report)
    {
        var documents = report.Documents;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        var isDelete = report.Spec.Workload.Kind == WorkloadKind.Delete;
        return new("Documents", [Column.From("Documents"), new("Count")],
        [
            ["Asked", Numbers.Count(documents.Asked)],
            [words.Done, Numbers.Count(documents.Inserted)],
            [words.AlreadyDone, Numbers.Count(documents.AlreadyPresent)],
            ["Failed", Numbers.Count(documents.Failed)],
            ["Remaining", Numbers.Count(documents.Remaining)],
            [$"Verified in the {words.Store}", Numbers.Count(documents.Verified)],
        ], $"{words.Done}, {words.AlreadyDone.ToLowerInvariant()} ({(isDelete ? "deleted" : "written")} by lost legs), "
            + "failed and remaining add up to asked. "
            + (report.Spec.Workload.Kind.LeavesCount()
                ? "There is nothing to verify: the container's count stays as it is."
                : $"Verified is by how much the {words.Store}'s own count {(isDelete ? "fell" : "rose")}."));
    }

    /// <summary>Rates, RU and requests.</summary>
    public static TextTable Throughput(RunReport report)
    {
        var (rate, units, requests) = (report.Throughput, report.RequestUnits, report.Requests);
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        var usesTables = report.Spec.Workload.Kind.UsesTables();
        return new("Throughput", [Column.From("Figure"), new("Value")],
        [
            [$"{words.Plural} per second, overlap", Numbers.Brief(rate.OverlapPerSecond)],
            [$"{words.Plural} per second, makespan", Numbers.Brief(rate.MakespanPerSecond)],
            .. rate.AskedPerSecond is { } asked
                ? new IReadOnlyList<string>[]
                {
                    [$"{words.Plural} per second, asked for", $"{Numbers.Brief(asked)} ({Numbers.Percent(rate.Rate / asked)} achieved)"],
                }
                : [],
            ["Overlap window, s", Numbers.Count(rate.OverlapSeconds)],
            ["Makespan, s", Numbers.Brief(rate.MakespanSeconds)],
            .. Interrupted(report),
            .. rate.KilobytesPerSecond is { } kilobytes
                ? new IReadOnlyList<string>[] { ["KB of documents per second", Numbers.Brief(kilobytes)] }
                : [],
            .. usesTables ? [] : RequestUnits(units, words),
            .. report.Spec.Workload.Kind == WorkloadKind.Query
                ? new IReadOnlyList<string>[]
                {
                    ["Requests per query, its plan included", Numbers.Brief(requests.CallsPerOperation)],
                    ["Documents per query", Numbers.Brief(requests.ItemsPerOperation)],
                }
                : [],
            ["Attempts", Numbers.Count(requests.Attempts)],
            [usesTables ? "Throttled (503, 500 timed out, 429)" : "Throttled (429)", requests.Attempts > 0
                ? $"{Numbers.Count(requests.Throttled)} ({Numbers.Percent(requests.Throttled / (double)requests.Attempts)})"
                : Numbers.Count(requests.Throttled)],
            ["Other errors", Numbers.Count(requests.OtherErrors)],
            ["Lost legs", Numbers.Count(report.LostLegs)],
        ], usesTables ? $"{Note} A table is charged by no RU." : Note);
    }

    private static IEnumerable<IReadOnlyList<string>> RequestUnits(RequestUnitReport units, WorkloadWords words) =>
    [
        [$"RU per {words.One}", Numbers.Brief(units.PerInsert)],
        ["RU/s, mean", Numbers.Brief(units.PerSecondMean)],
        ["RU/s, peak second", Numbers.Brief(units.PerSecondPeak)],
        ["RU/s, budget", Numbers.Brief(units.BudgetPerSecond)],
        ["RU in all", Numbers.Brief(units.Total)],
        ["RU of warm-up (not in the above)", Numbers.Brief(units.Warmup)],
        .. units.Preload > 0
            ? new IReadOnlyList<string>[] { ["RU of documents written before the start (not in the above)", Numbers.Brief(units.Preload)] }
            : [],
    ];

    private static readonly string Note =
        "Overlap counts only the whole seconds in which all workers were at work; makespan runs from the first start to the last end, "
        + "without the times in which the run was interrupted. Each worker's process reads the wall clock once and goes by a monotonic "
        + "clock from then on. Its instants are held against the common start, its other legs, the orchestration's own clock and the "
        + $"RU budget; clocks may differ by {Numbers.Brief(ClockLimits.Skew.TotalSeconds)} s. What contradicts itself beyond that is an "
        + "error, and then no rate is claimed.";

    private static IEnumerable<IReadOnlyList<string>> Interrupted(RunReport report)
    {
        if (report.Interruptions.Count > 0)
        {
            var seconds = report.Interruptions.Sum(one => (one.To - one.From).TotalSeconds);
            yield return ["Interrupted, s (not in the above)", Numbers.Brief(seconds)];
        }
    }

    /// <summary>Latency percentiles of operations and attempts.</summary>
    public static TextTable Latency(RunReport report)
    {
        return new("Latency",
            [
                Column.From("Latency, ms"), new("Mean"), new("p50"), new("p90"), new("p95"), new("p96"), new("p99"), new("p99.9"),
                new("Max"),
            ],
            [
                Row("Operation", report.LatencyMs.Operation),
                Row("Attempt", report.LatencyMs.Attempt),
                .. report.Spec.Workload.Kind.WritesBatches()
                    ? new[] { Row("Operation / documents of a batch", PerDocument(report)) }
                    : [],
            ],
            LatencyNote(report));
    }

    private static string LatencyNote(RunReport report) => string.Join(' ', new[]
    {
        "An operation runs from its first attempt to its end with all waits; an attempt from handing it to the SDK to its response.",
        report.LatencyMs.IncludesWarmup ? "The warm-up is in them." : "The warm-up is left out, as it is of the overlap rate.",
        report.LatencyMs.ClosedLoop ? ClosedLoops.Caveat : null,
    }.OfType<string>());

    /// <summary>A batch's latency shared out evenly over the documents of a whole batch.</summary>
    private static LatencySummary PerDocument(RunReport report)
    {
        var batch = report.LatencyMs.Operation;
        var documents = report.Spec.Workload.DocumentsPerOperation;
        return new LatencySummary
        {
            Mean = batch.Mean / documents,
            P50 = batch.P50 / documents,
            P90 = batch.P90 / documents,
            P95 = batch.P95 / documents,
            P96 = batch.P96 / documents,
            P99 = batch.P99 / documents,
            P999 = batch.P999 / documents,
            Max = batch.Max / documents,
        };
    }

    /// <summary>What was run.</summary>
    public static TextTable Settings(RunReport report)
    {
        var spec = report.Spec;
        return new("Settings", [Column.From("Setting"), Column.From("Value")],
        [
            [
                "Workload",
                spec.Workload.DocumentsPerOperation > 1
                    ? $"{spec.Workload.Kind}, {spec.Workload.DocumentsPerOperation} documents each"
                    : spec.Workload.Kind.ToString(),
            ],
            ["Documents", spec.Document.Kind.ToString()],
            .. spec.Workload.Query is { } query
                ? new IReadOnlyList<string>[]
                {
                    ["Query", query.PartitionKey is { } key ? $"{query.Text}, partition key {key}" : query.Text],
                }
                : [],
            .. spec.Workload.Kind.NeedsDocuments()
                ? new IReadOnlyList<string>[]
                {
                    [
                        "Documents to choose from",
                        Numbers.Count(spec.Workload.PreloadOf(spec.Documents))
                            + (spec.Workload.OfRun is { } run ? $", of run {run}" : ", written before the start"),
                    ],
                }
                : [],
            .. spec.Workload.ThinkTime > TimeSpan.Zero
                ? new IReadOnlyList<string>[] { ["Think time", Numbers.Duration(spec.Workload.ThinkTime)] }
                : [],
            ["Client settings", string.Join("; ", report.Workers.GroupBy(worker => worker.Settings)
                .Select(group => $"{WorkerTable.SettingsOf(group.Key, spec.Workload.Kind)} "
                    + $"({Words.Workers([.. group.Select(worker => worker.Index)]).ToLowerInvariant()})"))],
            .. spec.Workload.Kind.UsesTables()
                ? new IReadOnlyList<string>[] { ["Table", spec.StoreNameFor(report.Id)] }
                :
                [
                    ["Container", $"{spec.Container.Database}/{spec.StoreNameFor(report.Id)}"],
                    ["Indexing", spec.Container.Name is null ? spec.Container.Indexing.ToString() : "as the container has it"],
                ],
            ["Warm-up left out of overlap", Numbers.Duration(spec.Warmup)],
            ["Leg duration", Numbers.Duration(spec.LegDuration)],
            ["Seed", Numbers.Count(spec.Seed)],
            .. PhysicsSource.From(report.Simulated ? spec.Simulation : null, report.StartedAt) is { } physics
                ? new IReadOnlyList<string>[] { ["Physics", physics] }
                : [],
            ["Started", Numbers.Instant(report.StartedAt)],
            ["Finished", Numbers.Instant(report.FinishedAt)],
        ]);
    }

    private static IReadOnlyList<string> Row(string name, LatencySummary latency) =>
        [
            name,
            .. new[] { latency.Mean, latency.P50, latency.P90, latency.P95, latency.P96, latency.P99, latency.P999, latency.Max }.Select(
                Numbers.Brief),
        ];
}
