namespace ScaleOut.DevBox.Engine;

/// <summary>
/// The stop of a run, as far as its own process is concerned: asked for once, with deadlines so that the report comes in time.
/// </summary>
internal sealed class RunStop(RunFiles files)
{
    /// <summary>Legs see the flag within a second and end within two; what takes longer is ended by force.</summary>
    private static readonly TimeSpan LegTimeout = TimeSpan.FromSeconds(3);

    /// <summary>Counting the container takes as long as it takes; a stopped run's report does not wait for it.</summary>
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

    /// <summary>Sets the run's stop flag. The deadlines hold also where it cannot be set.</summary>
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
