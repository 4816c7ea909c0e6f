namespace ScaleOut.Sizing.Prediction;

/// <summary>Cores that do jobs in their order. Jobs must be added by ascending time, so that their ends are known at once.</summary>
internal sealed class CorePool
{
    private readonly long[] _free;
    private readonly long _measuredFrom;
    private int _last;

    /// <param name="measuredFrom">When <see cref="BusyTicks"/> begins to count.</param>
    public CorePool(int cores, long measuredFrom)
    {
        _free = new long[cores];
        _measuredFrom = measuredFrom;
    }

    /// <summary>Time that cores need for their jobs. Can exceed the simulated time if jobs wait at the end.</summary>
    public double BusyTicks { get; private set; }

    /// <summary>Adds a job now. Returns when it is done.</summary>
    public long Run(long now, double ticks)
    {
        if (ticks <= 0)
            return now;
        var first = 0;
        for (var core = 1; core < _free.Length; core++)
        {
            if (_free[core] < _free[first])
                first = core;
        }

        _last = first;
        _free[first] = Math.Max(now, _free[first]);
        return Continue(ticks);
    }

    /// <summary>Adds work to the last job, which continues without being queued again. Returns when that work is done.</summary>
    public long Continue(double ticks)
    {
        var from = _free[_last];
        var done = from + (long)(ticks + 0.5);
        if (done > _measuredFrom)
            BusyTicks += done - Math.Max(from, _measuredFrom);
        return _free[_last] = done;
    }
}

/// <summary>The connections of each client. A connection takes one request at a time, and further requests wait in order.</summary>
internal sealed class Connections
{
    private readonly int _most;
    private readonly int[] _used;
    private readonly Queue<int>[] _waiting;

    /// <param name="most">Per client; null for no limit.</param>
    public Connections(int clients, int? most)
    {
        _most = most ?? int.MaxValue;
        _used = new int[clients];
        _waiting = most is null ? [] : [.. Enumerable.Range(0, clients).Select(_ => new Queue<int>())];
    }

    /// <summary>Takes a connection for a request. False if the request must wait.</summary>
    public bool TryTake(int client, int request)
    {
        if (_used[client] < _most)
        {
            _used[client]++;
            return true;
        }

        _waiting[client].Enqueue(request);
        return false;
    }

    /// <summary>Ends a request. True, with the waiting request, if one gets its connection.</summary>
    public bool TryPassOn(int client, out int request)
    {
        request = 0;
        if (_waiting.Length > 0 && _waiting[client].TryDequeue(out request))
            return true;
        _used[client]--;
        return false;
    }
}
