namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// Cores that work off jobs in the order in which they come. Jobs are given by ascending time, so that when one is done is known at once.
/// </summary>
internal sealed class CorePool
{
    private readonly long[] _free;
    private readonly double _slowdown;
    private readonly long _measuredFrom;
    private int _last;

    /// <param name="cores">Above 0. A part of a core makes all of them that much slower.</param>
    /// <param name="measuredFrom">From when on <see cref="BusyTicks"/> counts.</param>
    public CorePool(double cores, long measuredFrom)
    {
        _free = new long[(int)Math.Ceiling(cores)];
        _slowdown = _free.Length / cores;
        _measuredFrom = measuredFrom;
    }

    /// <summary>Time that all cores were at work; above what there was while jobs wait at the end.</summary>
    public double BusyTicks { get; private set; }

    /// <summary>When a job that comes now is done.</summary>
    public long Run(long now, double ticks)
    {
        if (ticks <= 0)
            return now;
        int first = 0;
        for (int core = 1; core < _free.Length; core++)
        {
            if (_free[core] < _free[first])
                first = core;
        }

        _last = first;
        _free[first] = Math.Max(now, _free[first]);
        return Continue(ticks);
    }

    /// <summary>When more work of the job that was just run is done: it goes on without being queued again.</summary>
    public long Continue(double ticks)
    {
        long from = _free[_last];
        long done = from + Rounded(ticks * _slowdown);
        if (done > _measuredFrom)
            BusyTicks += done - Math.Max(from, _measuredFrom);
        return _free[_last] = done;
    }

    private static long Rounded(double ticks) => (long)(ticks + 0.5);
}
