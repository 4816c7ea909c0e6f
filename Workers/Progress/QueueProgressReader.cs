using Azure;
using Azure.Storage.Queues;
using Azure.Storage.Queues.Models;
using ScaleOut.Progress;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Workers.Progress;

/// <summary>
/// Reads one run's progress from the queue, where no Functions runtime does. A message that nobody can read goes to
/// <see cref="QueuedProgress.PoisonName"/> with one line to the log. Messages of other runs are left to their readers.
/// </summary>
/// <param name="storage">The storage account.</param>
/// <param name="runId">The run.</param>
/// <param name="workers">Its workers.</param>
/// <param name="onProgress">Receives each message.</param>
/// <param name="onTrouble">Takes lines for a log, without secrets or content.</param>
/// <exception cref="FormatException">The connection string is none; the message does not repeat it.</exception>
public sealed class QueueProgressReader(
    StorageConnection storage, string runId, int workers, Action<WorkerProgress> onProgress, Action<string> onTrouble)
{
    private const int MessagesPerCall = 32;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromSeconds(5);

    /// <summary>A message that was taken and not deleted comes back after this: another run's for its own reader.</summary>
    private static readonly TimeSpan Hidden = TimeSpan.FromSeconds(30);

    private readonly QueueClient _queue = StorageClients.Queue(storage, QueuedProgress.Name);
    private readonly QueueClient _poison = StorageClients.Queue(storage, QueuedProgress.PoisonName);
    private bool _failing;

    /// <summary>Reads until cancelled. What the queue does is no reason to end.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            TimeSpan pause;
            try
            {
                pause = await ReadOnceAsync(cancellationToken) == MessagesPerCall ? TimeSpan.Zero : Pause;
                _failing = false;
            }
            catch (Exception e) when (StorageErrors.IsStorageError(e))
            {
                if (!_failing && !cancellationToken.IsCancellationRequested)
                    onTrouble($"progress cannot be read from the queue {QueuedProgress.Name}: {StorageErrors.Describe(e)}");
                _failing = true;
                pause = PauseAfterFailure;
            }

            await Task.Delay(pause, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Reads what is there now, up to 32 messages.</summary>
    /// <returns>How many messages were taken.</returns>
    public async Task<int> ReadOnceAsync(CancellationToken cancellationToken)
    {
        QueueMessage[] messages = await _queue.ReceiveMessagesAsync(MessagesPerCall, Hidden, cancellationToken);
        foreach (var message in messages)
        {
            var progress = QueuedProgress.Decode(message.Body.ToString());
            if (progress is null || (progress.RunId == runId && progress.Worker >= workers))
                await MoveToPoisonAsync(message, cancellationToken);
            else if (progress.RunId == runId)
                onProgress(progress);
            else
                continue;
            await DeleteAsync(message, cancellationToken);
        }

        return messages.Length;
    }

    private async Task MoveToPoisonAsync(QueueMessage message, CancellationToken cancellationToken)
    {
        var body = message.Body.ToString();
        await _poison.CreateIfNotExistsAsync(cancellationToken: cancellationToken);
        await _poison.SendMessageAsync(body, cancellationToken: cancellationToken);
        onTrouble($"a message of the queue {QueuedProgress.Name} cannot be read and went to {QueuedProgress.PoisonName}: "
            + $"{message.MessageId}, {body.Length} characters");
    }

    private async Task DeleteAsync(QueueMessage message, CancellationToken cancellationToken)
    {
        try
        {
            await _queue.DeleteMessageAsync(message.MessageId, message.PopReceipt, cancellationToken);
        }
        catch (RequestFailedException e) when (e.Status == 404)
        {
            // It took so long that another reader has it; twice the same news does no harm.
        }
    }
}
