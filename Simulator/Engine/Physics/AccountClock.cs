namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>A UTC clock that never steps back. Budgets and the ledger count by its whole seconds.</summary>
internal sealed class AccountClock
{
    private readonly TimeProvider _time;
    private readonly long _startTimestamp;
    private readonly long _startUtcTicks;
    private long _firstOperationTicks;

    /// <summary>Offset of the machine's clock from this one, after and before the last adjustment of the machine's clock.</summary>
    private long _aheadTicks;
    private long _aheadBeforeTicks;

    public AccountClock(TimeProvider time)
    {
        _time = time;
        _startTimestamp = time.GetTimestamp();
        _startUtcTicks = time.GetUtcNow().UtcTicks;
    }

    /// <summary>Ticks of 100 ns, as <see cref="DateTimeOffset.UtcTicks"/>.</summary>
    public long NowTicks => _startUtcTicks + _time.GetElapsedTime(_startTimestamp).Ticks;

    /// <summary>
    /// Whether a client that signs by the machine's clock can have signed at this time. If that clock was just set, or the machine
    /// suspended, the time before the change counts too.
    /// </summary>
    public bool MayHaveSignedAt(DateTime utc, TimeSpan tolerance)
    {
        var now = NowTicks;
        var ahead = _time.GetUtcNow().UtcTicks - now;
        var last = Volatile.Read(ref _aheadTicks);
        if (Math.Abs(ahead - last) > TimeSpan.TicksPerSecond && Interlocked.CompareExchange(ref _aheadTicks, ahead, last) == last)
            Volatile.Write(ref _aheadBeforeTicks, last);
        return IsNear(ahead) || IsNear(Volatile.Read(ref _aheadBeforeTicks));

        bool IsNear(long aheadTicks) => Math.Abs(now + aheadTicks - utc.Ticks) <= tolerance.Ticks;
    }

    /// <summary>Whole seconds since 1970.</summary>
    public static long UnixSecond(long ticks) => (ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;

    /// <summary>Seconds since the first call, which is the first document operation's. Faults and splits count from it.</summary>
    public double SecondsSinceFirstOperation()
    {
        var now = NowTicks;
        if (Volatile.Read(ref _firstOperationTicks) == 0)
            Interlocked.CompareExchange(ref _firstOperationTicks, now, 0);
        return (now - Volatile.Read(ref _firstOperationTicks)) / (double)TimeSpan.TicksPerSecond;
    }
}
