namespace ScaleOut.Workers.Legs;

/// <summary>
/// Keeps one worker within its part of the RU/s that a run may use. Each attempt waits its turn and takes what attempts were charged on
/// average; its own charge is settled when the response is there, so that the rate holds whatever operations cost. What is not used is kept
/// for a fraction of a second only.
/// </summary>
internal sealed class RequestUnitPace
{
    /// <summary>Time whose unused units may still be used, so that timers that come late do not lower the rate.</summary>
    private const double KeptSeconds = 0.05;

    /// <summary>Until a charge is known, an attempt takes the units of so much time.</summary>
    private const double FirstSeconds = 0.05;

    /// <summary>Weight of a new charge in the mean.</summary>
    private const double Weight = 0.05;

    private static readonly TimeSpan MinWait = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(100);

    private readonly double _unitsPerSecond;
    private readonly Lock _gate = new();
    private Task _before = Task.CompletedTask;
    private double _free;
    private double? _mean;

    /// <param name="unitsPerSecond">RU/s of the worker; infinity for no pace.</param>
    public RequestUnitPace(double unitsPerSecond)
    {
        _unitsPerSecond = unitsPerSecond;
        _free = Now;
    }

    /// <summary>No pace.</summary>
    public static RequestUnitPace None { get; } = new(double.PositiveInfinity);

    private bool IsNone => double.IsPositiveInfinity(_unitsPerSecond);

    private static double Now => LegClock.Now / (double)Stopwatch.Frequency;

    /// <summary>The pace of one worker of a run.</summary>
    /// <param name="assignment">Has the workload, and how many workers share its RU/s.</param>
    /// <param name="files">The run's, which say the RU/s of the container where a share of them is to be kept to.</param>
    /// <exception cref="InvalidOperationException">The workload asks for a share of RU/s that are not known.</exception>
    public static async Task<RequestUnitPace> FromAsync(WorkerAssignment assignment, RunFiles files, CancellationToken cancellationToken) =>
        From(assignment, assignment.Workload.MaxRequestUnitShare is null
            ? null
            : (await files.ReadPreparedAsync(cancellationToken))?.BudgetPerSecond);

    /// <summary>The pace of one worker of a run.</summary>
    /// <param name="assignment">Has the workload, and how many workers share its RU/s.</param>
    /// <param name="budgetPerSecond">RU/s of the container; null if they are not known.</param>
    /// <exception cref="InvalidOperationException">The workload asks for a share of RU/s that are not known.</exception>
    public static RequestUnitPace From(WorkerAssignment assignment, double? budgetPerSecond) =>
        !assignment.Workload.IsPaced ? None : new(
            (assignment.Workload.PaceOf(budgetPerSecond) ?? throw new InvalidOperationException(WorkloadSpec.UnknownShare))
            / assignment.Workers);

    /// <summary>Waits until an attempt may be made.</summary>
    /// <returns>The units that it takes, to be given to <see cref="Settle"/>; null when the leg closes first.</returns>
    public async ValueTask<double?> TakeAsync(CancellationToken closing)
    {
        if (IsNone)
            return 0;
        // One waits at a time, in the order in which they came.
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
                await Task.Delay(wait < MinWait ? MinWait : wait < MaxWait ? wait : MaxWait, closing)
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

    /// <summary>Corrects what an attempt has taken by what it was charged.</summary>
    public void Settle(double taken, double charged)
    {
        if (IsNone)
            return;
        lock (_gate)
        {
            _free += (charged - taken) / _unitsPerSecond;
            // A throttled attempt is charged nothing, and says nothing of what others will be.
            if (charged > 0)
                _mean = _mean is { } mean ? mean + (Weight * (charged - mean)) : charged;
        }
    }

    private bool TryTake(out double taken, out double left)
    {
        lock (_gate)
        {
            var now = Now;
            taken = _mean ?? (FirstSeconds * _unitsPerSecond);
            left = _free - now;
            if (left > 0)
                return false;
            _free = Math.Max(_free, now - KeptSeconds) + (taken / _unitsPerSecond);
            return true;
        }
    }
}
