namespace ScaleOut.Workers.Progress;

/// <summary>
/// Sends the newest message of one worker, at most one per interval. The end of a leg is sent at once. The worker never waits for sending.
/// </summary>
internal sealed class ProgressOutbox(TimeSpan interval, Func<WorkerProgress, Task> sendAsync, TimeProvider time)
{
    private readonly Lock _gate = new();
    private WorkerProgress? _newest;
    private Task _sending = Task.CompletedTask;
    private TaskCompletionSource _hurry = New();
    private long? _sentAt;
    private bool _running;

    /// <summary>Whether nothing waits and nothing is being sent.</summary>
    public bool Idle
    {
        get
        {
            lock (_gate)
                return !_running;
        }
    }

    /// <summary>
    /// Takes a message, unless a newer one waits already. The task ends when everything that was enqueued is sent or given up.
    /// </summary>
    public Task Enqueue(WorkerProgress message)
    {
        lock (_gate)
        {
            if (_newest is null || message.Order.CompareTo(_newest.Order) > 0)
                _newest = message;
            if (message.Activity == WorkerState.Ended)
                _hurry.TrySetResult();
            if (!_running)
            {
                _running = true;
                _sending = Task.Run(SendAllAsync);
            }

            return _sending;
        }
    }

    /// <summary>Sends the waiting message at once.</summary>
    public Task FlushAsync()
    {
        lock (_gate)
        {
            _hurry.TrySetResult();
            return _sending;
        }
    }

    private async Task SendAllAsync()
    {
        while (true)
        {
            TimeSpan wait;
            Task hurry;
            lock (_gate)
            {
                if (_newest is null)
                {
                    _running = false;
                    return;
                }

                wait = _sentAt is { } sentAt ? interval - time.GetElapsedTime(sentAt) : TimeSpan.Zero;
                hurry = _hurry.Task;
            }

            if (wait > TimeSpan.Zero && !hurry.IsCompleted)
                await WaitAsync(wait, hurry);

            WorkerProgress message;
            lock (_gate)
            {
                message = _newest!;
                _newest = null;
                if (_hurry.Task.IsCompleted)
                    _hurry = New();
                _sentAt = time.GetTimestamp();
            }

            await sendAsync(message);
        }
    }

    private async Task WaitAsync(TimeSpan wait, Task hurry)
    {
        using var over = new CancellationTokenSource();
        await Task.WhenAny(Task.Delay(wait, time, over.Token), hurry);
        await over.CancelAsync();
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
