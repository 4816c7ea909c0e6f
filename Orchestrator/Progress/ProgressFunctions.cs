using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Progress;

/// <summary>Reads the workers' progress from the queue.</summary>
public sealed class ProgressFunctions(IRunStore store, ILogger<ProgressFunctions> logger)
{
    /// <summary>Stores a message as the newest progress of its worker.</summary>
    /// <returns>
    /// The message, if it cannot be read; null if it was stored. The output binding sends an unreadable message to the poison queue at
    /// once, without the retries for transient errors.
    /// </returns>
    [Function("KeepProgress")]
    [QueueOutput(QueuedProgress.PoisonName, Connection = HostSettings.RunStoreSetting)]
    public async Task<string?> StoreProgressAsync(
        [QueueTrigger(QueuedProgress.Name, Connection = HostSettings.RunStoreSetting)] string message, CancellationToken cancellationToken)
    {
        if (ProgressMessage.Read(message) is not { } progress)
        {
            logger.MessageUnreadable(QueuedProgress.Name, QueuedProgress.PoisonName, message.Length);
            return message;
        }

        await new ProgressFiles(store, progress.RunId).WriteIfNewerAsync(progress, cancellationToken);
        return null;
    }
}
