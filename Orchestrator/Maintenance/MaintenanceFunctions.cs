using Microsoft.Azure.Functions.Worker;
using ScaleOut.Workers.Maintenance;

namespace ScaleOut.Orchestrator.Maintenance;

/// <summary>Maintenance on a timer.</summary>
public sealed class MaintenanceFunctions(
    LeftContainerSweep sweep, LostRuns lostRuns, IRunStore store, ILogger<MaintenanceFunctions> logger)
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
}
