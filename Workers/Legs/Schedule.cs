namespace ScaleOut.Workers.Legs;

/// <summary>
/// Determines when operations start. In a closed loop they start at once, within the concurrency of the step. In an open loop each unit has
/// an intended start, from which it is measured, so that a stall of the account shows in all operations that it delayed. The schedule goes
/// on from leg to leg.
/// </summary>
/// <param name="firstNumber">The document number that is due as the worker starts.</param>
/// <param name="elapsedSeconds">How long the schedule has run in earlier legs.</param>
internal sealed class Schedule(LoadPlan plan, long firstNumber, LegClock clock, double elapsedSeconds = 0)
{
    /// <summary>Resolution of timers. A start that is late by at most this is measured from its actual time.</summary>
    private static readonly TimeSpan TimerGrain = TimeSpan.FromMilliseconds(1);

    /// <summary>Longest wait of one timer. Longer waits take several.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromDays(1);

    /// <summary>
    /// Length of the last part of a wait, for which <see cref="ExactTimer"/> is used. It is several times the lateness of the runtime's
    /// timers.
    /// </summary>
    private const double ExactSeconds = 0.02;

    private static readonly DelayTimer ExactTimer = new(TimeProvider.System);

    /// <summary>A schedule is kept if no start was later than this.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(1);

    private readonly long _origin = clock.Now - clock.TicksOf(elapsedSeconds);
    private readonly double _frequency = clock.Time.TimestampFrequency;
    private int _behind;
    private int _started;

    /// <summary>A load without steps.</summary>
    /// <param name="documentsPerSecond">Null for a closed loop.</param>
    public Schedule(double? documentsPerSecond, long firstNumber, LegClock clock)
        : this(LoadPlan.Steady(documentsPerSecond, int.MaxValue), firstNumber, clock)
    {
    }

    public LoadPlan Plan => plan;

    /// <summary>Open loop: whether no operation started more than a second late; null in a closed loop.</summary>
    public bool? Kept => plan.IsOpen ? Volatile.Read(ref _behind) == 0 : null;

    /// <summary>Whether an operation was due since the schedule was made.</summary>
    public bool AnyStarted => Volatile.Read(ref _started) != 0;

    /// <summary>Seconds since the worker's start.</summary>
    public double SecondsAt(long timestamp) => (timestamp - _origin) / _frequency;

    /// <summary>Waits until an operation loop may take a unit of a load with steps of concurrency; false if the leg closes first.</summary>
    /// <param name="loop">Index of the operation loop: the first ones work in every step.</param>
    public ValueTask<bool> WaitForLoopAsync(int loop, CancellationToken closing) =>
        WaitUntilAsync(plan.TurnOf(loop, SecondsAt(clock.Now)), closing);

    /// <summary>
    /// Waits for a share of the think time: all of it after an operation, a part before the first, so that the loops spread out. False if
    /// the leg closes first.
    /// </summary>
    public ValueTask<bool> ThinkAsync(double share, CancellationToken closing) =>
        WaitUntilAsync(SecondsAt(clock.Now) + (plan.ThinkTime.TotalSeconds * share), closing);

    /// <summary>Waits until a unit is due. Returns the instant to measure it from; null if the leg closes first.</summary>
    public ValueTask<long?> WaitForTurnAsync(NumberRange unit, CancellationToken closing) =>
        plan.IsOpen ? WaitUntilDueAsync(unit, closing) : ValueTask.FromResult<long?>(StartNow());

    /// <summary>The start of an operation of a closed loop, which waits for nothing: the instant to measure it from.</summary>
    public long StartNow()
    {
        if (_started == 0)
            Volatile.Write(ref _started, 1);
        return clock.Now;
    }

    private async ValueTask<long?> WaitUntilDueAsync(NumberRange unit, CancellationToken closing)
    {
        var seconds = plan.DueAt(unit.First - firstNumber);
        if (!await WaitUntilAsync(seconds, closing))
            return null;

        var now = clock.Now;
        var due = _origin + clock.TicksOf(seconds);
        var late = clock.Elapsed(due, now);
        Volatile.Write(ref _started, 1);
        if (late > Tolerance)
            Volatile.Write(ref _behind, 1);
        return late > TimerGrain ? due : now;
    }

    /// <summary>
    /// Waits until a time; false if the leg closes first. A long wait ends early. No operation may start before its time, so the remaining
    /// time is waited for in a loop.
    /// </summary>
    private async ValueTask<bool> WaitUntilAsync(double seconds, CancellationToken closing)
    {
        for (var left = seconds - SecondsAt(clock.Now); left > 0; left = seconds - SecondsAt(clock.Now))
        {
            await DelayAsync(left, closing);
            if (closing.IsCancellationRequested)
                return false;
        }

        return true;
    }

    private async ValueTask DelayAsync(double seconds, CancellationToken closing)
    {
        if (seconds <= ExactSeconds)
        {
            await ExactTimer.DelayAsync((seconds * 1000) + DelayTimer.ToleranceMs);
            return;
        }

        var wait = seconds < MaxWait.TotalSeconds ? TimeSpan.FromSeconds(seconds - (ExactSeconds / 2)) : MaxWait;
        await Task.Delay(wait, clock.Time, closing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
