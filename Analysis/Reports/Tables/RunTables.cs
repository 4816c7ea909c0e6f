namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>The tables of a run's report, of all workers together.</summary>
internal static class RunTables
{
    /// <summary>Largest number of time spans, and so of columns, in the table of errors.</summary>
    private const int MaxSpans = 6;

    private static readonly string RateNote =
        "Overlap counts only the whole seconds in which all workers were at work; makespan runs from the first start to the last end, "
        + "without the times in which the run was interrupted. Each worker's process reads the wall clock once and uses a monotonic "
        + "clock from then on. Its times are compared with the common start, its other legs, the orchestration's own clock and the RU "
        + $"budget. Clocks may differ by {Numbers.Brief(ClockLimits.Skew.TotalSeconds)} s; a larger contradiction is an error, and then "
        + "the report has no rate.";

    /// <summary>All tables, in the order of the report. The console shows only kinds of operations, errors and steps.</summary>
    public static IEnumerable<TextTable> From(RunReport report) => report.IsEmpty
        ? [Documents(report), RunSettings.Table(report)]
        :
        [
            Documents(report), Throughput(report), Latency(report),
            .. report.Kinds.Count == 0 ? Array.Empty<TextTable>() : [Kinds(report)],
            Errors(report), Steps(report), WorkerTable.From(report), PartitionTable.From(report),
            .. report.Cost is { } cost ? [Cost(cost)] : Array.Empty<TextTable>(),
            RunSettings.Table(report),
        ];

    public static TextTable Documents(RunReport report)
    {
        var (documents, kind) = (report.Documents, report.Spec.Workload.Kind);
        var words = WorkloadWords.From(kind);
        var isDelete = kind == WorkloadKind.Delete;
        return TextTable.OfValues("Documents", "Documents", "Count",
        [
            ("Asked", Numbers.Count(documents.Asked)),
            (words.Done, Numbers.Count(documents.Inserted)),
            (words.AlreadyDone, Numbers.Count(documents.AlreadyPresent)),
            ("Failed", Numbers.Count(documents.Failed)),
            ("Remaining", Numbers.Count(documents.Remaining)),
            ($"Verified in the {words.Store}", Numbers.Count(documents.Verified)),
        ], $"{words.Done}, {words.AlreadyDone.ToLowerInvariant()} ({(isDelete ? "deleted" : "written")} by lost legs), "
            + "failed and remaining add up to asked. "
            + (report.Spec.Workload.LeavesCount
                ? "There is nothing to verify: the container's count stays as it is."
                : report.Spec.Workload.HasSeveralKinds
                    ? $"Verified is by how much the container's own count changed; the workers' writes less deletes are "
                        + $"{Numbers.Count(documents.Rise)}."
                : $"Verified is by how much the {words.Store}'s own count {(isDelete ? "fell" : "rose")}."),
            areNumbers: true) with
        {
            OnConsole = false,
        };
    }

    /// <summary>Rates, RU and requests.</summary>
    public static TextTable Throughput(RunReport report)
    {
        var (rate, units, requests, kind) = (report.Throughput, report.RequestUnits, report.Requests, report.Spec.Workload.Kind);
        var words = WorkloadWords.From(kind);
        var usesTables = kind.UsesTables();
        string? OfUnits(double? value) => usesTables ? null : Numbers.Brief(value);
        string? OfQueries(double? value) => kind == WorkloadKind.Query ? Numbers.Brief(value) : null;
        var throttled = Numbers.Count(requests.Throttled)
            + (requests.Attempts > 0 ? $" ({Numbers.Percent(requests.Throttled / (double)requests.Attempts)})" : "");
        return TextTable.OfValues("Throughput", "Figure", "Value",
        [
            ($"{words.Plural} per second, overlap", Numbers.Brief(rate.OverlapPerSecond)),
            ($"{words.Plural} per second, makespan", Numbers.Brief(rate.MakespanPerSecond)),
            ($"{words.Plural} per second, asked for", rate.AskedPerSecond is { } asked
                ? $"{Numbers.Brief(asked)} ({Numbers.Percent(rate.Rate / asked)} achieved)"
                : null),
            ("Overlap window, s", Numbers.Count(rate.OverlapSeconds)),
            ($"{words.Plural} of the window that were due before it (not in the rate)", rate.CaughtUp > 0
                ? Numbers.Count(rate.CaughtUp)
                : null),
            ("Makespan, s", Numbers.Brief(rate.MakespanSeconds)),
            ("Interrupted, s (not in the above)", report.Interruptions.Count > 0
                ? Numbers.Brief(report.Interruptions.Sum(one => (one.To - one.From).TotalSeconds))
                : null),
            ("KB of documents per second", rate.KilobytesPerSecond is { } kilobytes ? Numbers.Brief(kilobytes) : null),
            ($"RU per {words.One}{(report.RepeatsDocuments ? ", repeated attempts included" : "")}", OfUnits(units.PerInsert)),
            ("RU/s, mean", OfUnits(units.PerSecondMean)),
            ("RU/s, peak second", OfUnits(units.PerSecondPeak)),
            ("RU/s, budget", OfUnits(units.BudgetPerSecond)),
            ("RU in all", OfUnits(units.Total)),
            ("RU of opening connections (not in the above)", OfUnits(units.Opening)),
            ("RU of documents written before the start (not in the above)", units.Preload > 0 ? OfUnits(units.Preload) : null),
            ("RU that 429s were charged by their headers (not in the above)", units.Throttled > 0 ? OfUnits(units.Throttled) : null),
            ("Requests per query, its plan included", OfQueries(requests.CallsPerOperation)),
            ("Documents per query", OfQueries(requests.ItemsPerOperation)),
            ("Attempts", Numbers.Count(requests.Attempts)),
            (usesTables ? "Throttled (503, 500 timed out, 429)" : "Throttled (429)", throttled),
            ("Throttled (429) before the start (not in the above)",
                requests.OpeningThrottled + requests.PreloadThrottled is > 0 and var early ? Numbers.Count(early) : null),
            ("Time of operations that they waited after being throttled",
                requests.ThrottledWaitShare is > 0 and var waited ? Numbers.Percent(waited) : null),
            ("Other errors", Numbers.Count(requests.OtherErrors)),
            ("Lost legs", Numbers.Count(report.LostLegs)),
        ], usesTables ? $"{RateNote} Tables are not charged in RU." : RateNote, areNumbers: true) with
        {
            OnConsole = false,
        };
    }

    /// <summary>Latency percentiles of operations and attempts.</summary>
    public static TextTable Latency(RunReport report)
    {
        var latency = report.LatencyMs;
        // The latency of a batch divided by the documents of a full batch.
        var share = report.Spec.Workload.Kind.WritesBatches() ? report.Spec.Workload.DocumentsPerOperation : (double?)null;
        return new Columns<(string Name, LatencySummary Ms, double Per)>()
            .Text("Latency, ms", row => row.Name)
            .Number("Mean", row => row.Ms.Mean / row.Per)
            .Number("p50", row => row.Ms.P50 / row.Per)
            .Number("p90", row => row.Ms.P90 / row.Per)
            .Number("p95", row => row.Ms.P95 / row.Per)
            .Number("p96", row => row.Ms.P96 / row.Per)
            .Number("p99", row => row.Ms.P99 / row.Per)
            .Number("p99.9", row => row.Ms.P999 / row.Per)
            .Number("Max", row => row.Ms.Max / row.Per)
            .Table(
                "Latency",
                [
                    ("Operation", latency.Operation, 1),
                    ("Attempt", latency.Attempt, 1),
                    .. share is { } documents
                        ? [("Operation / documents of a batch", latency.Operation, documents)]
                        : Array.Empty<(string, LatencySummary, double)>(),
                ],
                "An operation runs from its first attempt to its end with all waits; an attempt from handing it to the SDK to its "
                    + "response. "
                    + (latency.IncludesWarmup ? "The warm-up is in them." : "The warm-up is left out, as it is of the overlap rate.")
                    + (latency.ClosedLoop ? $" {ClosedLoops.Caveat}" : ""),
                console: false);
    }

    /// <summary>One row per status that attempts got besides success and 409, with when they got it.</summary>
    public static TextTable Errors(RunReport report)
    {
        var time = ReportTimeline.From(report, MaxSpans);
        string Elapsed(int second) => Numbers.Elapsed(second, time.Seconds);
        var busy = report.Spec.Workload.Kind.UsesTables() ? "throttled (503, 500 timed out, 429)" : "429";
        var columns = new Columns<ErrorRow>()
            .Text("Status", row => row.Status)
            .Count("Attempts", row => row.Count)
            .Figure("First", row => row.Seen.Count > 0 ? Elapsed(row.Seen[0].Second) : Numbers.Unknown)
            .Figure("Last", row => row.Seen.Count > 0 ? Elapsed(row.Seen[^1].Second) : Numbers.Unknown);
        foreach (var bin in Enumerable.Range(0, time.Bins))
        {
            columns.Count(
                $"{Elapsed(time.BinStart(bin))} to {Elapsed(time.BinStart(bin + 1))}",
                row => row.Seen.Where(seen => seen.Second / time.SecondsPerBin == bin).Sum(seen => seen.Count), console: false);
        }

        ErrorRow Row(string status, long count, Func<SeriesPoint, long> of) => new(
            status, count, [.. time.Positions.Zip(report.Series.Select(of)).Where(entry => entry.Second > 0)]);
        return columns.Table(
            "Errors by status and time",
            [
                .. report.Requests.Throttled > 0
                    ? [Row(busy, report.Requests.Throttled, point => point.Counts.Throttled)]
                    : Array.Empty<ErrorRow>(),
                .. report.Requests.ErrorsByStatus.Select(
                    error => Row(Sentences.StatusText(error.Key), error.Value, point => point.Errors?.GetValueOrDefault(error.Key) ?? 0)),
            ],
            "Status and sub-status. Times are elapsed since the first start, without interruptions, in "
                + $"{(time.Seconds < 3_600 ? "min:s" : "h:min:s")}.");
    }

    /// <summary>One row per step of the load.</summary>
    private static TextTable Steps(RunReport report) => new Columns<StepReport>()
        .Text("Step", step => (step.Index + 1).ToString(CultureInfo.InvariantCulture))
        .Text("Load", step => LoadOf(step, report.Spec.Workers))
        .Number("Time", step => step.Seconds, "s", console: false)
        .Count("Operations", step => step.Operations, console: false)
        .Number("Per second", step => step.PerSecond)
        .Number("Mean", step => step.LatencyMs.Mean, "ms", console: false)
        .Number("p50", step => step.LatencyMs.P50, "ms")
        .Number("p99", step => step.LatencyMs.P99, "ms")
        .Count("Throttled", step => step.Counts.Throttled)
        .Number("RU per operation", step => step.RequestUnitsPerOperation, console: false)
        .Number("RU/s", step => step.RequestUnitsPerSecond)
        .Number("Requests per operation", step => step.CallsPerOperation, console: false)
        .Table("Steps", report.Steps, "Operations count in the step in which they ended.");

    /// <summary>One row per kind of operation, or per step of an action and one for the whole action.</summary>
    private static TextTable Kinds(RunReport report) => new Columns<KindReport>()
        .Text(report.Spec.Workload.Action is null ? "Operation" : "Step", kind => $"{(kind.Step is { } step ? $"{step} " : "")}{kind.Kind}")
        .Count("Count", kind => kind.Operations)
        .Number("Per second", kind => kind.PerSecond)
        .Number("RU each", kind => kind.RequestUnitsPerOperation)
        .Number("p50", kind => kind.LatencyMs.P50, "ms")
        .Number("p99", kind => kind.LatencyMs.P99, "ms")
        .Number("Max", kind => kind.LatencyMs.Max, "ms", console: false)
        .Count("Throttled", kind => kind.Counts.Throttled)
        .Count("Failed", kind => kind.Counts.Failed, console: report.Spec.Workload.Action is not null)
        .Table(
            report.Spec.Workload.Action is null ? "Kinds of operations" : "Steps of the action",
            report.Spec.Workload.Action is null ? report.Kinds : [.. report.Kinds, WholeAction(report)],
            "Rates are over the makespan. Latencies are those of the whole run, with the waits after 429s."
                + (report.Spec.Workload.Action is null ? ""
                    : " A step begins when the one before it ends. A step that fails ends its action, which then counts as failed. The "
                        + "latency of the action is that of the table of latencies."));

    /// <summary>The actions as a row beside their steps.</summary>
    private static KindReport WholeAction(RunReport report) => new()
    {
        Kind = WorkloadKind.Action,
        Operations = report.Requests.Operations,
        PerSecond = report.Throughput.MakespanPerSecond,
        Counts = new() { Throttled = report.Requests.Throttled, Failed = report.Documents.Failed },
        LatencyMs = report.LatencyMs.Operation,
        RequestUnitsPerOperation = report.RequestUnits.PerOperation,
    };

    private static string LoadOf(StepReport step, int workers) => step switch
    {
        { Users: { } users } => Words.Amount(users, "user"),
        { Concurrency: { } concurrency } => $"{Numbers.Count(concurrency)} in flight per worker",
        _ => $"{Numbers.Brief(step.Rate * workers)}/s asked for ({Numbers.Brief(step.Rate)} per worker)",
    };

    /// <summary>One row per part of a cost.</summary>
    private static TextTable Cost(RunCost cost) => new Columns<CostItem>()
        .Text("Billed for", item => item.Name)
        .Figure("Quantity", item => item.Unit.Length == 0 ? "" : Numbers.Brief(item.Quantity))
        .Text("Unit", item => item.Unit)
        .Number("Amount", item => item.Amount, cost.Currency)
        .Table(
            "Cost", [.. cost.Items, new CostItem(Words.Capital(cost.SumText), 0, "", cost.Amount)],
            $"An estimate from the run's spec and time{(cost.Source is null ? "" : $", at these prices: {cost.Source}")}. Free grants are "
                + "not taken off. What has no amount has no price in the price file."
                + (cost.StorePerMillion is { } million
                    ? $" At this rate the store charges {Numbers.Brief(million)} {cost.Currency} for a million documents."
                    : ""),
            console: false);

    /// <param name="Count">Attempts.</param>
    /// <param name="Seen">Seconds of the timeline with such attempts, and their numbers.</param>
    private sealed record ErrorRow(string Status, long Count, IReadOnlyList<(int Second, long Count)> Seen);
}
