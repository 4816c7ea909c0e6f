namespace ScaleOut.DevBox.Orchestration;

/// <summary>The stop of a run in its own process. It takes effect once, and has deadlines so that the report comes in time.</summary>
internal sealed class RunStop(RunFiles files)
{
    /// <summary>Legs see the flag within a second and end within two. Workers that take longer are ended by force.</summary>
    private static readonly TimeSpan LegTimeout = TimeSpan.FromSeconds(3);

    /// <summary>Time after which a stopped run's report no longer waits for the count of the container.</summary>
    private static readonly TimeSpan CountTimeout = TimeSpan.FromSeconds(4.2);

    private readonly TaskCompletionSource _requested = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _legsOverdue = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _countOverdue = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsRequested => _requested.Task.IsCompleted;

    /// <summary>Completes when the stop is asked for.</summary>
    public Task Requested => _requested.Task;

    /// <summary>Completes when legs should have ended.</summary>
    public Task LegsOverdue => _legsOverdue.Task;

    /// <summary>Completes when the count of the container should have ended.</summary>
    public Task CountOverdue => _countOverdue.Task;

    /// <summary>Sets the run's stop flag. The deadlines also hold if the flag cannot be set.</summary>
    public async Task RequestAsync()
    {
        if (!_requested.TrySetResult())
            return;
        _ = CompleteAfterAsync(_legsOverdue, LegTimeout);
        _ = CompleteAfterAsync(_countOverdue, CountTimeout);
        await files.RequestStopAsync(CancellationToken.None);
    }

    private static async Task CompleteAfterAsync(TaskCompletionSource overdue, TimeSpan delay)
    {
        await Task.Delay(delay);
        overdue.TrySetResult();
    }
}

/// <summary>Stops an experiment: its current run, and those that would follow.</summary>
internal sealed class ExperimentStop : IDisposable
{
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _giveUp = new();
    private RunSession? _session;
    private bool _disposed;

    public bool IsRequested { get; private set; }

    /// <summary>Cancelled when the program is to end at once.</summary>
    public CancellationToken GiveUp => _giveUp.Token;

    /// <summary>Asks the current run to stop. Its report follows within five seconds, then the experiment's.</summary>
    public void Request()
    {
        lock (_lock)
        {
            IsRequested = true;
            _session?.Stop();
        }
    }

    /// <summary>Ends all processes of the current run. Does nothing once the experiment is over.</summary>
    public void Kill()
    {
        lock (_lock)
        {
            if (_disposed)
                return;
            // An account that is just being started does not belong to the session yet.
            _giveUp.Cancel();
            _session?.Kill();
        }
    }

    /// <summary>Sets the current run; null between runs.</summary>
    public void Watch(RunSession? session)
    {
        lock (_lock)
        {
            _session = session;
            if (IsRequested)
                session?.Stop();
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _disposed = true;
            _giveUp.Dispose();
        }
    }
}
