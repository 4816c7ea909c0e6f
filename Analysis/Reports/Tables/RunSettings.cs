namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>What was run.</summary>
internal static class RunSettings
{
    public static TextTable Table(RunReport report)
    {
        var (spec, workload) = (report.Spec, report.Spec.Workload);
        var usesTables = workload.Kind.UsesTables();
        return TextTable.OfValues("Settings", "Setting", "Value",
        [
            ("Workload", workload.DocumentsPerOperation > 1
                ? $"{workload.Kind}, {workload.DocumentsPerOperation} documents each"
                : workload.Mix is { } mix ? $"{workload.Kind}: {mix}" : workload.Kind.ToString()),
            ("Documents", spec.Document.Kind.ToString()),
            ("Query", workload.Query is { PartitionKey: { } key } one ? $"{one.Text}, partition key {key}" : workload.Query?.Text),
            (workload.Mix is null ? "Documents to choose from" : "Documents to work on", workload.NeedsDocuments
                ? Numbers.Count(workload.PreloadOf(spec.Documents))
                    + (workload.OfRun is { } run ? $", of run {run}" : ", written before the start")
                : null),
            ("Think time", workload.ThinkTime > TimeSpan.Zero ? Numbers.Duration(workload.ThinkTime) : null),
            ("Client settings", string.Join("; ", report.Workers.GroupBy(worker => worker.Settings).Select(group =>
                $"{SettingsOf(group.Key, usesTables)} ({Words.Workers([.. group.Select(worker => worker.Index)]).ToLowerInvariant()})"))),
            ("Table", usesTables ? spec.StoreNameFor(report.Id) : null),
            ("Container", usesTables ? null : $"{spec.Container.Database}/{spec.StoreNameFor(report.Id)}"),
            ("Indexing", usesTables ? null
                : spec.Container.Name is null ? spec.Container.Indexing.ToString() : "as the container has it"),
            ("Warm-up left out of overlap", Numbers.Duration(spec.Warmup)),
            ("Leg duration", Numbers.Duration(spec.LegDuration)),
            ("Seed", Numbers.Count(spec.Seed)),
            ("Physics", PhysicsSource.From(report.Simulated ? spec.Simulation : null, report.StartedAt)),
            ("Started", Numbers.Instant(report.StartedAt)),
            ("Finished", Numbers.Instant(report.FinishedAt)),
        ], console: false);
    }

    /// <summary>Client settings in a few words. Tables are reached over HTTPS alone.</summary>
    private static string SettingsOf(ClientSettings settings, bool usesTables) => string.Join(", ", new[]
    {
        usesTables ? "HTTPS" : settings.ConnectionMode.ToString(),
        $"{Numbers.Count(settings.Concurrency)} in flight",
        settings.Rate is { } rate ? $"open loop at {Numbers.Brief(rate)}/s" : null,
        settings.Cores is { } cores ? Words.Amount(cores, "core") : null,
        settings.MaxConnections is { } connections ? Words.Amount(connections, "connection") : null,
        settings.Consistency?.ToString(),
        settings.ContentResponseOnWrite ? "content in write responses" : null,
    }.OfType<string>());
}
