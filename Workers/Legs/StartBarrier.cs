using ScaleOut.Orchestration;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// Makes all workers of a run start together: each puts its ready mark into the run store and polls for the start instant, which worker 0 sets when all are ready.
/// Once the time to wait has passed, any worker sets it. One that comes later starts at once.
/// </summary>
public sealed class StartBarrier(RunFiles files, TimeProvider time)
{
    /// <summary>From the last ready mark to the start, so that every worker has seen the instant before it comes.</summary>
    public static readonly TimeSpan Lead = TimeSpan.FromSeconds(3);

    private const int ManyWorkers = 50;

    /// <summary>Waits for the start.</summary>
    /// <returns>The start instant; null when the run was stopped before it.</returns>
    public async Task<StartInstant?> WaitAsync(int worker, int workers, TimeSpan startTimeout, CancellationToken cancellationToken)
    {
        await files.MarkReadyAsync(worker, cancellationToken);
        var poll = TimeSpan.FromMilliseconds(workers > ManyWorkers ? 1000 : 200);
        var deadline = time.GetUtcNow() + startTimeout;
        while (!await files.IsStopRequestedAsync(cancellationToken))
        {
            var start = await files.ReadStartAsync(cancellationToken) ?? await TrySetAsync(worker, workers, deadline, cancellationToken);
            if (start is not null)
                return await WaitForAsync(start, cancellationToken) ? start : null;
            await Task.Delay(poll, time, cancellationToken);
        }

        return null;
    }

    private async Task<StartInstant?> TrySetAsync(int worker, int workers, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var late = time.GetUtcNow() >= deadline;
        if (worker != 0 && !late)
            return null;

        var ready = await files.CountReadyAsync(cancellationToken);
        return ready >= workers || late
            ? await files.SetStartAsync(new StartInstant(time.GetUtcNow() + Lead, ready), cancellationToken)
            : null;
    }

    private async Task<bool> WaitForAsync(StartInstant start, CancellationToken cancellationToken)
    {
        while (start.At - time.GetUtcNow() is var left && left > TimeSpan.Zero)
        {
            if (await files.IsStopRequestedAsync(cancellationToken))
                return false;
            await Task.Delay(left < TimeSpan.FromSeconds(0.5) ? left : TimeSpan.FromSeconds(0.5), time, cancellationToken);
        }

        return true;
    }
}
