using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Maintenance;

public sealed class MaintenanceFunctions(
    LeftContainerSweep sweep, LostRuns lostRuns, IRunStore store, IOptions<HostSettings> settings, TimeProvider time,
    ILogger<MaintenanceFunctions> logger)
{
    /// <summary>Deletes containers that ended or lost runs have left, every quarter of an hour.</summary>
    [Function("DeleteLeftContainers")]
    public async Task DeleteLeftContainersAsync(
        [TimerTrigger("0 */15 * * * *")] TimerInfo timer, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        foreach (var line in await sweep.RunAsync((id, token) => client.FindInstanceAsync(store, id, token), cancellationToken))
            logger.ContainersSwept(line);
    }

    /// <summary>Logs runs whose orchestration ended without a report, every five minutes.</summary>
    [Function("ReportLostRuns")]
    public async Task ReportLostRunsAsync(
        [TimerTrigger("30 */5 * * * *")] TimerInfo timer, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        foreach (var id in await lostRuns.ReportAsync((id, token) => client.FindInstanceAsync(store, id, token), cancellationToken))
            logger.RunLost(id);
    }

    /// <summary>
    /// Purges the engine's history of orchestrations that have ended, every night. Azure Storage keeps it for ever otherwise. What is kept
    /// of runs and experiments is in the run store.
    /// </summary>
    [Function("PurgeHistory")]
    public async Task PurgeHistoryAsync(
        [TimerTrigger("0 0 3 * * *")] TimerInfo timer, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        // The host fails without a beginning, and tables have no dates before 1601.
        var filter = new PurgeInstancesFilter(
            DateTimeOffset.UnixEpoch,
            time.GetUtcNow() - settings.Value.HistoryRetention,
            [OrchestrationRuntimeStatus.Completed, OrchestrationRuntimeStatus.Failed, OrchestrationRuntimeStatus.Terminated]);
        var purged = await client.PurgeAllInstancesAsync(filter, cancellationToken);
        logger.HistoryPurged(purged.PurgedInstanceCount, settings.Value.HistoryRetention.Days);
    }
}
