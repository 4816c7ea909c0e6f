namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// UTC that never steps back: the wall clock at the start plus the monotonic time since. Budgets and the ledger are cut at its whole
/// seconds.
/// </summary>
internal sealed class AccountClock
{
    private readonly TimeProvider _time;
    private readonly long _startTimestamp;
    private readonly long _startUtcTicks;
    private long _firstOperationTicks;

    public AccountClock(TimeProvider time)
    {
        _time = time;
        _startTimestamp = time.GetTimestamp();
        _startUtcTicks = time.GetUtcNow().UtcTicks;
    }

    /// <summary>Ticks of 100 ns, as <see cref="DateTimeOffset.UtcTicks"/>.</summary>
    public long NowTicks => _startUtcTicks + _time.GetElapsedTime(_startTimestamp).Ticks;

    /// <summary>Whole seconds since 1970.</summary>
    public static long UnixSecond(long ticks) => (ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;

    /// <summary>
    /// Seconds since the first call, which is that of the first document operation: the times of faults and splits count from it.
    /// </summary>
    public double SecondsSinceFirstOperation()
    {
        long now = NowTicks;
        if (Volatile.Read(ref _firstOperationTicks) == 0)
            Interlocked.CompareExchange(ref _firstOperationTicks, now, 0);
        return (now - Volatile.Read(ref _firstOperationTicks)) / (double)TimeSpan.TicksPerSecond;
    }
}
