namespace ScaleOut.Workers.Legs;

/// <summary>
/// A rate limiter that keeps one worker within its share of the RU/s that a run may use. Each attempt waits its turn and reserves the mean
/// charge of earlier attempts. The response replaces the reservation with the actual charge, so the limit holds whatever operations cost.
/// Of an action only the attempts at its first step wait, and what the others are charged delays the attempts after them. Unused units
/// expire after a fraction of a second.
/// </summary>
/// <param name="unitsPerSecond">RU/s of the worker; infinity for no pace.</param>
/// <param name="time">Null for the system's clock.</param>
internal sealed class RequestUnitPace(double unitsPerSecond, TimeProvider? time = null)
{
    /// <summary>Time for which unused units are kept, so that late timers do not lower the rate.</summary>
    private const double KeptSeconds = 0.05;

    /// <summary>Until a charge is known, an attempt takes the units of this time.</summary>
    private const double FirstSeconds = 0.05;

    /// <summary>Weight of a new charge in the mean.</summary>
    private const double Weight = 0.05;

    private static readonly TimeSpan MinWait = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly Lock _gate = new();
    private Task _before = Task.CompletedTask;
    private double _free = NowOf(time ?? TimeProvider.System);
    private double? _mean;

    public static RequestUnitPace None { get; } = new(double.PositiveInfinity);

    /// <summary>Whether attempts never wait.</summary>
    public bool IsNone { get; } = double.IsPositiveInfinity(unitsPerSecond);

    private static double NowOf(TimeProvider time) => time.GetTimestamp() / (double)time.TimestampFrequency;

    /// <exception cref="InvalidOperationException">The workload asks for a share of unknown RU/s.</exception>
    public static async Task<RequestUnitPace> FromAsync(
        WorkerAssignment assignment, RunFiles files, TimeProvider time, CancellationToken cancellationToken) =>
        From(assignment, assignment.Workload.MaxRequestUnitShare is null
            ? null
            : (await files.ReadPreparedAsync(cancellationToken))?.BudgetPerSecond, time);

    /// <param name="budgetPerSecond">RU/s of the container; null if unknown.</param>
    /// <exception cref="InvalidOperationException">The workload asks for a share of unknown RU/s.</exception>
    public static RequestUnitPace From(WorkerAssignment assignment, double? budgetPerSecond, TimeProvider? time = null) =>
        !assignment.Workload.IsPaced ? None : new(
            (assignment.Workload.PaceOf(budgetPerSecond) ?? throw new InvalidOperationException(WorkloadSpec.UnknownShare))
            / assignment.Workers, time);

    /// <summary>
    /// Waits until an attempt may be made. Returns the units that it takes, for <see cref="Settle"/>; null if the leg closes first.
    /// </summary>
    public ValueTask<double?> TakeAsync(CancellationToken closing) =>
        IsNone ? ValueTask.FromResult<double?>(0) : WaitAndTakeAsync(closing);

    private async ValueTask<double?> WaitAndTakeAsync(CancellationToken closing)
    {
        // Attempts wait one at a time, in the order in which they came.
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task before;
        lock (_gate)
            (before, _before) = (_before, done.Task);
        await before;
        try
        {
            double taken;
            while (!TryTake(out taken, out var left))
            {
                var wait = TimeSpan.FromSeconds(left);
                await Task.Delay(wait < MinWait ? MinWait : wait < MaxWait ? wait : MaxWait, _time, closing)
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (closing.IsCancellationRequested)
                    return null;
            }

            return taken;
        }
        finally
        {
            done.SetResult();
        }
    }

    /// <summary>Replaces what an attempt has taken by what it was charged.</summary>
    public void Settle(double taken, RequestUnits charge)
    {
        if (IsNone)
            return;
        var charged = charge.Value;
        lock (_gate)
        {
            _free += (charged - taken) / unitsPerSecond;
            // An attempt without a charge, such as a throttled one, must not lower the mean.
            if (charged > 0)
                _mean = _mean is { } mean ? mean + (Weight * (charged - mean)) : charged;
        }
    }

    private bool TryTake(out double taken, out double left)
    {
        lock (_gate)
        {
            var now = NowOf(_time);
            taken = _mean ?? (FirstSeconds * unitsPerSecond);
            left = _free - now;
            if (left > 0)
                return false;
            _free = Math.Max(_free, now - KeptSeconds) + (taken / unitsPerSecond);
            return true;
        }
    }
}
