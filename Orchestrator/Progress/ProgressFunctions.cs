using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask.Client;
using Microsoft.Extensions.Logging;
using ScaleOut.Progress;
using ScaleOut.Workers.Hosting;
using ScaleOut.Workers.Progress;

namespace ScaleOut.Orchestrator.Progress;

/// <summary>Takes workers' progress from the queue.</summary>
public sealed partial class ProgressFunctions(ILogger<ProgressFunctions> logger)
{
    /// <summary>Folds a message into its run's progress.</summary>
    /// <returns>What nobody can read, for the poison queue: at once and with one line, rather than after as many tries as a passing fault gets.</returns>
    [Function("FoldProgress")]
    [QueueOutput(QueuedProgress.PoisonName, Connection = HostSettings.RunStoreSetting)]
    public async Task<string?> FoldAsync(
        [QueueTrigger(QueuedProgress.Name, Connection = HostSettings.RunStoreSetting)] string message, [DurableClient] DurableTaskClient client, CancellationToken cancellationToken)
    {
        if (ProgressMessage.Read(message) is not { } progress)
        {
            LogPoison(QueuedProgress.Name, QueuedProgress.PoisonName, message.Length);
            return message;
        }

        await client.FoldProgressAsync(progress, cancellationToken);
        return null;
    }

    [LoggerMessage(Level = LogLevel.Warning, Message = "A message of the queue {Queue} cannot be read and went to {PoisonQueue}: {Length} characters")]
    private partial void LogPoison(string queue, string poisonQueue, int length);
}
