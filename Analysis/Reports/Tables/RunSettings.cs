namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>What was run, by whom and where.</summary>
public static class RunSettings
{
    /// <summary>Title of this table. The reports of runs, experiments and searches share it.</summary>
    public const string Title = "How it was measured";

    /// <summary>Largest number of characters of a template that is shown.</summary>
    private const int MaxTemplate = 1_000;
    private const int MaxNamedPaths = 6;

    internal static TextTable Table(RunReport report)
    {
        var spec = report.Spec;
        var usesTables = spec.Workload.Kind.UsesTables();
        return TextTable.OfValues(Title, "Setting", "Value",
        [
            .. MachineKind.RowsOf(report.StartedBy, MachineKind.From(report)),
            .. AccountOf(report),
            .. RowsOf(spec, report.Simulated),
            ("Client settings", string.Join("; ", report.Workers.GroupBy(worker => worker.Settings).Select(group =>
                $"{SettingsOf(group.Key, usesTables)} ({Words.Workers([.. group.Select(worker => worker.Index)]).ToLowerInvariant()})"))),
            (usesTables ? "Table" : "Container", (usesTables ? "" : $"{spec.Container.Database}/") + spec.StoreNameFor(report.Id)),
            ("Physics", PhysicsSource.From(report.Simulated ? spec.Simulation : null, report.StartedAt)),
            ("Started", Numbers.Instant(report.StartedAt)),
            ("Finished", Numbers.Instant(report.FinishedAt)),
        ]) with
        {
            OnConsole = false,
        };
    }

    /// <summary>The settings of a spec without those of its workers, as rows of a table.</summary>
    /// <param name="simulated">Whether the account was simulated, even if the spec does not say so.</param>
    public static IEnumerable<(string Name, string? Value)> RowsOf(RunSpec spec, bool simulated)
    {
        var (workload, container) = (spec.Workload, spec.Container);
        var usesTables = workload.Kind.UsesTables();
        return
        [
            ("Workload", workload.DocumentsPerOperation > 1
                ? $"{workload.Kind}, {workload.DocumentsPerOperation} documents each"
                : workload.Mix is { } mix ? $"{workload.Kind}: {mix}"
                : workload.Action is { } steps ? $"{workload.Kind}: {string.Join(", ", steps.Select(step =>
                    JsonNamingPolicy.CamelCase.ConvertName($"{step}")))}"
                : workload.Kind.ToString()),
            ("Documents", spec.Document.Kinds is { } kinds
                ? string.Join(", ", kinds.Select(one => $"{one.Weight} {ShortText.From(one.Template ?? one.Kind.ToString(), MaxTemplate)}"))
                : spec.Document.Kind.ToString()),
            ("Template", spec.Document.Template is { } text ? ShortText.From(text, MaxTemplate) : null),
            ("Rows of", spec.Document.Csv),
            ("Query", workload.Query is { PartitionKey: { } key } one ? $"{one.Text}, partition key {key}" : workload.Query?.Text),
            (workload.Mix is null ? "Documents to choose from" : "Documents to work on", workload.NeedsDocuments
                ? Numbers.Count(spec.PreloadOf())
                    + (workload.OfRun is { } run ? $", of run {run}" : ", written before the start")
                : null),
            ("Chosen documents", workload.Choose == DocumentOrder.Even
                ? null
                : JsonNamingPolicy.CamelCase.ConvertName($"{workload.Choose}")),
            ("Replaces", !workload.HasReplaces ? null : workload.MatchEtag ? "if the ETag matches" : "whatever the ETag"),
            ("Single workers", OfSingleWorkers(spec)),
            ("Think time", workload.ThinkTime > TimeSpan.Zero ? Numbers.Duration(workload.ThinkTime) : null),
            ("Partition key", usesTables ? null : container.KeyTextFor(spec.Document)),
            ("Throughput", usesTables || container.Name is not null
                ? null
                : !spec.SaysThroughput(simulated) ? "that of the database"
                : $"{Numbers.Count(container.Throughput)} RU/s{(container.Autoscale ? ", autoscale" : "")}"
                    + (container.SharedThroughput ? ", shared by the database" : "")
                    + string.Concat(container.ThroughputSteps.Select(
                        step => $", {Numbers.Count(step.Throughput)} after {Numbers.Brief(step.AfterSeconds)} s"))),
            ("Indexing", usesTables ? null : container.Name is null ? IndexingOf(container) : "as the container has it"),
            ("Composite indexes", container.CompositeIndexes.Count > 0 ? string.Join("; ", container.CompositeIndexes) : null),
            ("Time to live", container.TimeToLive switch
            {
                null => null,
                ContainerSpec.ExpiresByOwnTime => "as documents say",
                var seconds => Words.Amount(seconds.Value, "second"),
            }),
            ("Latency of the simulated account", simulated && !usesTables ? LatencyOf(spec.Simulation?.Latency) : null),
            ("Warm-up left out of overlap", Numbers.Duration(spec.Warmup)),
            ("Leg duration", Numbers.Duration(spec.LegDuration)),
            ("Seed", Numbers.Count(spec.Seed)),
        ];
    }

    private static IEnumerable<(string Name, string? Value)> AccountOf(RunReport report)
    {
        if (report is { Simulated: false, Account: { } account })
            yield return (
                "Account",
                $"{account.Host}{(account.Region is { Length: > 0 } region ? $", {region}" : "")}, consistency {account.Consistency}");
    }

    /// <summary>What single workers do and may use, such as <c>0, 1: 1 insert, at most 2,000 RU/s; 2, 3: 1 read</c>.</summary>
    private static string? OfSingleWorkers(RunSpec spec)
    {
        var entries = from entry in spec.WorkerOverrides
                      let parts = new[]
                      {
                          entry.Mix?.ToString(),
                          entry.RequestUnitRate is { } rate ? $"at most {Numbers.Brief(rate)} RU/s" : null,
                      }.OfType<string>()
                      where parts.Any()
                      select $"{string.Join(", ", entry.Workers)}: {string.Join(", ", parts)}";
        return string.Join("; ", entries) is { Length: > 0 } text ? ShortText.From(text, MaxTemplate) : null;
    }

    private static string IndexingOf(ContainerSpec container) => string.Join(", ", new[]
    {
        container.Indexing.ToString(),
        PathsOf("without", container.ExcludedPaths),
        PathsOf("but with", container.IncludedPaths),
    }.OfType<string>());

    private static string? PathsOf(string word, IReadOnlyList<string> paths) => paths.Count switch
    {
        0 => null,
        <= MaxNamedPaths => $"{word} {string.Join(" ", paths)}",
        _ => $"{word} {string.Join(" ", paths.Take(MaxNamedPaths))} and {Words.Amount(paths.Count - MaxNamedPaths, "more path")}",
    };

    private static string LatencyOf(LatencyProfile? latency) => (latency ?? LatencyProfile.SameRegion) is var known
        && known.Name is { } name
        ? name
        : $"{Numbers.Brief(known.RoundTripMs)} ms round trip, {Numbers.Brief(known.WriteMedianMs)} ms for a write, "
            + $"{Numbers.Brief(known.ReadMedianMs)} ms for a read";

    /// <summary>Client settings in a few words. Tables are reached over HTTPS alone.</summary>
    internal static string SettingsOf(ClientSettings settings, bool usesTables) => string.Join(", ", new[]
    {
        usesTables ? "HTTPS" : settings.ConnectionMode.ToString(),
        $"{Numbers.Count(settings.Concurrency)} in flight",
        settings.Rate is { } rate ? $"open loop at {Numbers.Brief(rate)}/s" : null,
        settings.Cores is { } cores ? Words.Amount(cores, "core") : null,
        settings.MaxConnections is { } connections ? Words.Amount(connections, "connection") : null,
        settings.MaxRequestsPerConnection is { } requests ? $"at most {Words.Amount(requests, "request")} in flight on each" : null,
        settings.IdleConnectionTimeout is { } idle ? $"idle connections closed after {Numbers.Duration(idle)}" : null,
        settings.RequestTimeout is { } limit ? $"request time-out {Numbers.Duration(limit)}" : null,
        settings.Consistency?.ToString(),
        settings.Priority is { } priority ? $"priority {priority}" : null,
        settings.ThroughputBucket is { } bucket ? $"throughput bucket {bucket}" : null,
        settings.PreferredRegion is { } region ? $"regions from {region}" : null,
        settings.ContentResponseOnWrite ? "content in write responses" : null,
    }.OfType<string>());
}
