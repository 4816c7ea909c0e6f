namespace ScaleOut.Workers.Maintenance;

/// <summary>
/// Finds the runs whose orchestration ended without a report, or never began, so that an alert can fire: nothing else reports them.
/// </summary>
/// <param name="telemetry">Receive each lost run, once for each orchestration of it.</param>
public sealed class LostRuns(IRunCatalog catalog, IRunStore store, IEnumerable<IRunTelemetry> telemetry, TimeProvider time)
{
    /// <summary>Runs that are older are not looked at any more.</summary>
    public static readonly TimeSpan Horizon = TimeSpan.FromDays(2);

    /// <summary>Time in which a run's orchestration is scheduled, and in which one that has ended may still be resumed.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromMinutes(5);

    private const string Prefix = "lost/";
    private const string UnknownInstance = "unknown";

    /// <summary>Looks through the list once.</summary>
    /// <param name="findInstanceAsync">Asks the engine for a run's orchestration; null when it knows none.</param>
    /// <returns>The ids of the runs that were not known to be lost.</returns>
    public async Task<IReadOnlyList<string>> ReportAsync(
        Func<string, CancellationToken, Task<EngineInstance?>> findInstanceAsync, CancellationToken cancellationToken)
    {
        var lost = new List<string>();
        var now = time.GetUtcNow();
        await foreach (var run in LeftContainers.RunsSinceAsync(catalog, now - Horizon, cancellationToken))
        {
            if (run.IsExperiment || await HasEndedAsync(run.Id, cancellationToken))
                continue;
            var instance = await findInstanceAsync(run.Id, cancellationToken);
            if (instance is { IsAlive: true } || now - (instance?.UpdatedAt ?? run.StartedAt) < Grace)
                continue;
            // It may have ended while the engine was asked.
            if (await HasEndedAsync(run.Id, cancellationToken)
                || !await store.TryCreateAsync(run.Id, NameOf(instance), ReadOnlyMemory<byte>.Empty, cancellationToken))
                continue;
            lost.Add(run.Id);
            foreach (var one in telemetry)
                one.Lost(run.Id);
        }

        return lost;
    }

    /// <summary>The item that keeps an orchestration from being reported twice.</summary>
    private static string NameOf(EngineInstance? instance) => Prefix + (instance?.Id.Replace(':', '-') ?? UnknownInstance);

    /// <summary>Whether the run has its end or a report. A run that misses legs has a report, and ends when it is resumed.</summary>
    private async Task<bool> HasEndedAsync(string runId, CancellationToken cancellationToken)
    {
        try
        {
            var files = new RunFiles(store, runId);
            return await files.FindEndedAsync(cancellationToken) is not null
                || await files.HasAsync(JobFiles.ReportName, cancellationToken);
        }
        catch (EvidenceException)
        {
            // A request that reads the run reports the damage. A damaged record does not count as an end.
            return false;
        }
    }
}
