using Microsoft.Azure.Functions.Worker;
using ScaleOut.Workers.Maintenance;

namespace ScaleOut.Orchestrator.Maintenance;

/// <summary>Maintenance on a timer.</summary>
public sealed partial class MaintenanceFunctions(LeftContainerSweep sweep, IRunStore store, ILogger<MaintenanceFunctions> logger)
{
    /// <summary>Deletes containers that runs have left, every quarter of an hour.</summary>
    [Function("DeleteLeftContainers")]
    public async Task DeleteLeftContainersAsync(
        [TimerTrigger("0 */15 * * * *")] TimerInfo timer, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        foreach (var line in await sweep.RunAsync((id, token) => client.FindInstanceAsync(store, id, token), cancellationToken))
            LogSwept(line);
    }

    [LoggerMessage(Level = LogLevel.Information, Message = "{Line}")]
    private partial void LogSwept(string line);
}
