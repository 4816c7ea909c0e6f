using Azure.Storage.Queues;
using Azure.Storage.Queues.Models;

namespace ScaleOut.Workers.Progress;

/// <summary>
/// Sends workers' progress to the Storage queue <see cref="QueuedProgress.Name"/>: one message of each worker every
/// <see cref="ProgressInterval"/>, and one more at the end of a leg. The queue is created if it is missing. A queue that fails neither
/// delays nor fails a leg: a message that cannot be sent is dropped, and the next one contains its counts.
/// </summary>
public sealed class QueueProgressSink : IProgressSink, IAsyncDisposable
{
    private static readonly TimeSpan SendTimeout = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a leg's end may take to be sent. An instance may be scaled in after a leg, but must not wait for an unreachable queue.
    /// </summary>
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(3);

    private readonly Func<string, CancellationToken, Task> _sendAsync;
    private readonly Action<string>? _onFailure;
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<(string Run, int Worker), ProgressOutbox> _outboxes = new();
    private int _failing;

    /// <param name="onFailure">Receives one line, once and without secrets, when messages begin to fail.</param>
    /// <exception cref="FormatException">The connection string is invalid; the message does not repeat it.</exception>
    public QueueProgressSink(StorageConnection storage, Action<string>? onFailure = null)
        : this(SenderTo(StorageClients.Queue(storage, QueuedProgress.Name)), onFailure, TimeProvider.System)
    {
    }

    internal QueueProgressSink(Func<string, CancellationToken, Task> sendAsync, Action<string>? onFailure, TimeProvider time)
    {
        _sendAsync = sendAsync;
        _onFailure = onFailure;
        _time = time;
    }

    public async ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken)
    {
        var key = (progress.RunId, progress.Worker);
        var sending = _outboxes.GetOrAdd(key, _ => new ProgressOutbox(ProgressInterval.For(progress.Workers), SendAsync, _time))
            .Enqueue(progress);
        if (progress.Activity != WorkerState.Ended)
            return;

        var removal = RemoveAfterAsync(sending, key);
        if (Volatile.Read(ref _failing) == 0)
            await WaitForAsync(removal);
    }

    internal int OutboxCount => _outboxes.Count;

    /// <summary>
    /// Removes the outbox of an ended leg once its message is sent or given up, because an instance that lives long runs the workers of
    /// many runs.
    /// </summary>
    private async Task RemoveAfterAsync(Task sending, (string Run, int Worker) key)
    {
        await sending;
        if (_outboxes.TryGetValue(key, out var outbox) && outbox.Idle)
            _outboxes.TryRemove(key, out _);
    }

    /// <summary>Sends the waiting messages; gives up after 3 s.</summary>
    public async ValueTask DisposeAsync() => await WaitForAsync(Task.WhenAll(_outboxes.Values.Select(outbox => outbox.FlushAsync())));

    private static Func<string, CancellationToken, Task> SenderTo(QueueClient queue) => async (body, cancellationToken) =>
    {
        try
        {
            await queue.SendMessageAsync(body, timeToLive: QueuedProgress.TimeToLive, cancellationToken: cancellationToken);
        }
        catch (RequestFailedException e) when (e.ErrorCode == QueueErrorCode.QueueNotFound)
        {
            // The first message to an account makes the queue.
            await queue.CreateIfNotExistsAsync(cancellationToken: cancellationToken);
            await queue.SendMessageAsync(body, timeToLive: QueuedProgress.TimeToLive, cancellationToken: cancellationToken);
        }
    };

    private async Task WaitForAsync(Task sending) => await Task.WhenAny(sending, Task.Delay(EndTimeout, _time));

    private async Task SendAsync(WorkerProgress message)
    {
        using var timeout = new CancellationTokenSource(SendTimeout, _time);
        try
        {
            await _sendAsync(QueuedProgress.Encode(message), timeout.Token);
            Volatile.Write(ref _failing, 0);
        }
        catch (Exception e)
        {
            // No error of the queue may end a leg.
            if (Interlocked.Exchange(ref _failing, 1) == 0)
                _onFailure?.Invoke($"progress cannot be sent to the queue {QueuedProgress.Name}: {StorageErrors.Describe(e)}");
        }
    }
}

/// <summary>The progress queue: its names, and the form of its messages.</summary>
public static class QueuedProgress
{
    public const string Name = "run-progress";

    /// <summary>The queue to which the Functions runtime moves messages that cannot be read.</summary>
    public const string PoisonName = "run-progress-poison";

    /// <summary>A message that nobody reads in this time is dropped.</summary>
    public static readonly TimeSpan TimeToLive = TimeSpan.FromHours(1);

    /// <summary>
    /// A message's body: UTF-8 JSON in Base64, as a Functions queue trigger expects by default (<c>extensions.queues.messageEncoding</c>).
    /// </summary>
    public static string Encode(WorkerProgress progress) => Convert.ToBase64String(Encoding.UTF8.GetBytes(ProgressMessage.Write(progress)));
}
