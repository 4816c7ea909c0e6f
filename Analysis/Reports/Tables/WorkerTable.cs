namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per worker.</summary>
internal static class WorkerTable
{
    /// <summary>Rows up to which every worker has its own.</summary>
    public const int MaxRows = 50;

    public static TextTable From(RunReport report)
    {
        var shown = Shown(report.Workers);
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        var asked = report.Workers.Any(worker => worker.Throughput.AskedPerSecond is not null);
        var first = report.Workers.Min(worker => worker.StartedAt);
        return new("Workers",
            [
                Column.From("Worker"), new(words.Done), new($"{words.Plural}/s"),
                .. asked ? [new Column("Asked/s")] : Array.Empty<Column>(),
                new("Start s"), new("End s"), new("Throttled"), new("p50 ms"), new("p99 ms"),
                new("CPU s"), new("CPU share"), new("Max"), new("Round trip ms"), new("Late ms"), new("Idle s"), Column.From("Instance"),
            ],
            [.. shown.Select(worker => Row(worker, first, asked))],
            shown.Count < report.Workers.Count
                ? $"The {shown.Count} slowest of {Numbers.Count(report.Workers.Count)} workers; report.json has all."
                : "Latencies are of operations. CPU share is of the worker's own cores, its mean and that of its busiest second; idle "
                    + "is the time between its legs. Start and end are seconds after the first start of any worker.");
    }

    /// <summary>Client settings in a few words.</summary>
    /// <param name="kind">Of the workload: tables are reached over HTTPS alone.</param>
    public static string SettingsOf(ClientSettings settings, WorkloadKind kind = default)
    {
        var parts = new List<string>
        {
            kind.UsesTables() ? "HTTPS" : settings.ConnectionMode.ToString(),
            string.Create(CultureInfo.InvariantCulture, $"{settings.Concurrency} in flight"),
        };
        if (settings.Rate is { } rate)
            parts.Add($"open loop at {Numbers.Brief(rate)}/s");
        if (settings.Cores is { } cores)
            parts.Add(Words.Amount(cores, "core"));
        if (settings.MaxConnections is { } connections)
            parts.Add(Words.Amount(connections, "connection"));
        if (settings.Consistency is { } consistency)
            parts.Add(consistency.ToString());
        if (settings.ContentResponseOnWrite)
            parts.Add("content in write responses");
        return string.Join(", ", parts);
    }

    private static List<WorkerReport> Shown(IReadOnlyList<WorkerReport> workers) => workers.Count <= MaxRows
        ? [.. workers]
        : [.. workers.OrderBy(RateOf).Take(MaxRows).OrderBy(worker => worker.Index)];

    private static double RateOf(WorkerReport worker) => worker.Throughput.Rate ?? 0;

    private static IReadOnlyList<string> Row(WorkerReport worker, DateTimeOffset? first, bool asked) =>
    [
        worker.Index.ToString(CultureInfo.InvariantCulture),
        Numbers.Count(worker.Documents.Inserted),
        Numbers.Brief(worker.Throughput.Rate),
        .. asked ? [Numbers.Brief(worker.Throughput.AskedPerSecond)] : Array.Empty<string>(),
        Numbers.Brief((worker.StartedAt - first)?.TotalSeconds),
        Numbers.Brief((worker.EndedAt - first)?.TotalSeconds),
        Numbers.Count(worker.Requests.Throttled),
        Numbers.Brief(worker.LatencyMs.Operation.P50),
        Numbers.Brief(worker.LatencyMs.Operation.P99),
        Numbers.Brief(worker.CpuSeconds),
        Numbers.Percent(worker.Machine?.CpuShare),
        Numbers.Percent(worker.CpuShareMax),
        Numbers.Brief(worker.RoundTripMs),
        Numbers.Brief(worker.StartLatenessMs),
        Numbers.Brief(worker.IdleBetweenLegsSeconds),
        worker.Machine?.InstanceId ?? Numbers.Unknown,
    ];
}
