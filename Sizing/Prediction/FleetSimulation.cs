namespace ScaleOut.Sizing.Prediction;

/// <summary>
/// A fleet in virtual time, event by event. Without bulk, an attempt takes half of its CPU before it is sent and half after its response. A
/// loop that continues at once does the second half and the next first half without queueing, like a continuation.
/// </summary>
internal sealed class FleetSimulation
{
    /// <summary>Seconds after warm-up before a fleet can be steady.</summary>
    private const int MinSteadySeconds = 10;

    /// <summary>Largest difference between the rates of both halves of the time in a steady fleet.</summary>
    private const double MaxSteadyShare = 0.01;

    /// <summary>Number of events between two checks for cancellation.</summary>
    private const int EventsPerCheck = 16_384;

    private readonly FleetSpec _spec;
    private readonly FleetEvents _events;
    private readonly OperationLoops _loops;
    private readonly FleetAccount _account;
    private readonly CorePool[] _pools;
    private readonly Connections _connections;
    private readonly BulkStreams? _bulk;
    private readonly bool _isOpen;
    private readonly double _halfTicks;

    /// <summary>Requests of each loop's attempt.</summary>
    private readonly int[] _requests;

    public FleetSimulation(FleetSpec spec)
    {
        _spec = spec;
        var plans = OperationLoops.PlansOf(spec);
        _isOpen = plans[0].IsOpen;
        Tally = new FleetTally(spec);
        // Each random variable has its own stream of random numbers, so that a change of one does not affect the others.
        var seed = (ulong)(uint)spec.Seed * 3;
        _account = new FleetAccount(spec, new SeededNoise(seed), Tally);
        _loops = new OperationLoops(spec, plans, new SeededNoise(seed + 1), Tally);
        _pools = [.. Enumerable.Range(0, spec.Workers).Select(_ => new CorePool(spec.Cores, spec.Warmup.Ticks))];
        _connections = new Connections(spec.Workers, spec.Connections);
        _events = new FleetEvents(_loops.Count + spec.Workers);
        _requests = new int[_loops.Count];
        Array.Fill(_requests, 1);
        _halfTicks = spec.CpuMsPerAttempt * TimeSpan.TicksPerMillisecond / 2;
        if (spec.Bulk)
        {
            _bulk = new BulkStreams(spec, _events, _loops, _account, _connections, _pools);
            _bulk.Start(new SeededNoise(seed + 2));
        }
    }

    public FleetTally Tally { get; }

    public IReadOnlyList<CorePool> Pools => _pools;

    /// <summary>Whether an open loop kept its schedule; null in a closed loop.</summary>
    public bool? KeptSchedule => _isOpen ? !_loops.IsBehind : null;

    /// <summary>Warm-up in whole seconds, which figures leave out.</summary>
    public int WarmupSeconds => (int)Math.Ceiling(_spec.Warmup.TotalSeconds);

    public int SecondsDone { get; private set; }

    /// <summary>Whether the rates of both halves of the time since the warm-up hardly differ.</summary>
    public bool IsSteady
    {
        get
        {
            var measured = SecondsDone - WarmupSeconds;
            if (measured < MinSteadySeconds)
                return false;
            var half = measured / 2;
            double first = Tally.Documents.Skip(WarmupSeconds).Take(half).Sum();
            double second = Tally.Documents.Skip(WarmupSeconds + measured - half).Take(half).Sum();
            return Math.Abs(first - second) <= MaxSteadyShare * (first + second) / 2;
        }
    }

    /// <summary>Runs until the end, or until <paramref name="enough"/>, which it calls after each second.</summary>
    /// <exception cref="OperationCanceledException">The token is checked within milliseconds of real time.</exception>
    public void Run(Func<FleetSimulation, bool> enough, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (var loop = 0; loop < _loops.Count; loop++)
            _events.Add(FleetEvent.Turn, loop, _loops.BeginFirst(loop));
        var end = _spec.Duration.Ticks;
        var second = TimeSpan.TicksPerSecond;
        var events = 0L;
        while (_events.TryTake(out var kind, out var index, out var now) && now < end)
        {
            for (; now >= second; second += TimeSpan.TicksPerSecond)
            {
                SecondsDone++;
                if (!enough(this))
                    continue;
                _loops.SkipTo(second);
                return;
            }

            if (++events % EventsPerCheck == 0)
                cancellationToken.ThrowIfCancellationRequested();
            Handle(kind, index, now);
        }

        SecondsDone = Tally.Seconds;
        _loops.SkipTo(end);
    }

    private void Handle(FleetEvent kind, int index, long now)
    {
        switch (kind)
        {
            case var _ when _bulk is not null:
                _bulk.Handle(kind, index, now);
                break;
            case FleetEvent.Turn:
                _loops.BeginAttempt(index, now);
                Ready(index, now, PoolOf(index).Run(now, HalfTicksOf(index)));
                break;
            case FleetEvent.Ready:
                Ready(index, now, now);
                break;
            default:
                Receive(index, now);
                break;
        }
    }

    private void Ready(int loop, long now, long ready)
    {
        if (ready > now)
            _events.Add(FleetEvent.Ready, loop, ready);
        else if (_connections.TryTake(_loops.WorkerOf(loop), loop))
            Send(loop, now);
    }

    /// <summary>Half of the CPU of a loop's next attempt, by its requests.</summary>
    private double HalfTicksOf(int loop) => _loops.QueryOf(loop) is { AtOnce: > 1 } query
        ? _halfTicks * _loops.CountNextPages(loop, query)
        : _halfTicks;

    private void Send(int loop, long now)
    {
        _requests[loop] = 1;
        if (_loops.QueryOf(loop) is { } query)
        {
            SendPages(loop, query, now);
            return;
        }

        var partition = _loops.Partition[loop];
        var admitted = _account.TryExecute(partition, _loops.Kind[loop], now, out var retryAfterMs);
        _loops.Respond(loop, retryAfterMs);
        _events.Add(FleetEvent.Response, loop, _account.RespondAt(partition, _loops.Kind[loop], now, admitted ? 1 : 0));
    }

    /// <summary>Asks partitions for a page each. The attempt ends with the last response.</summary>
    private void SendPages(int loop, QueryPages query, long now)
    {
        var asked = _loops.NextPages(loop, query);
        var (refused, longest, end) = (new List<int>(), 0, now);
        foreach (var partition in asked)
        {
            var admitted = _account.TryExecute(partition, _loops.Kind[loop], now, out var retryAfterMs);
            if (!admitted)
                refused.Add(partition);
            longest = Math.Max(longest, retryAfterMs);
            end = Math.Max(end, _account.RespondAt(partition, _loops.Kind[loop], now, admitted ? 1 : 0));
        }

        _requests[loop] = asked.Count;
        _loops.RespondPages(loop, asked.Count, refused, longest);
        _events.Add(FleetEvent.Response, loop, end);
    }

    private void Receive(int loop, long now)
    {
        if (_connections.TryPassOn(_loops.WorkerOf(loop), out var waiting))
            Send(waiting, now);
        var pool = PoolOf(loop);
        var done = pool.Run(now, _halfTicks * _requests[loop]);
        var next = _loops.End(loop, done);
        if (next > done)
        {
            _events.Add(FleetEvent.Turn, loop, next);
            return;
        }

        _loops.BeginAttempt(loop, done);
        Ready(loop, now, _halfTicks > 0 ? pool.Continue(HalfTicksOf(loop)) : done);
    }

    private CorePool PoolOf(int loop) => _pools[_loops.WorkerOf(loop)];
}

/// <summary>The simulated account's physics in virtual time: budgets, 429s and latencies.</summary>
internal sealed class FleetAccount
{
    private static readonly long Epoch = DateTime.UnixEpoch.Ticks;

    private readonly RequestUnitBudget[] _budgets;
    private readonly LatencyModel _latency;
    private readonly FleetTally _tally;
    private readonly FleetSpec _spec;
    private readonly RequestUnits[] _charges;
    private bool _isWrite;

    public FleetAccount(FleetSpec spec, SeededNoise noise, FleetTally tally)
    {
        (_spec, _tally, _isWrite) = (spec, tally, spec.IsWrite);
        _latency = new LatencyModel(spec.Latency, noise);
        _charges = spec.Mix.Count > 0
            ? [.. spec.Mix.Select(one => RequestUnits.From(one.Charge / (one.Query?.Pages ?? 1)))]
            : [RequestUnits.From(spec.ChargePerDocument * spec.DocumentsPerOperation)];
        var retryAfter = new RetryAfter(spec.Throttling, noise);
        _budgets = new RequestUnitBudget[spec.Partitions];
        for (var i = 0; i < _budgets.Length; i++)
        {
            _budgets[i] = new RequestUnitBudget(
                spec.Throughput / spec.Partitions, spec.Burst, Epoch, retryAfter, bankShare: spec.BurstBank);
        }
    }

    /// <summary>Executes one operation; false if it is throttled.</summary>
    /// <param name="kind">Index of its kind in the mix; 0 without one.</param>
    public bool TryExecute(int partition, int kind, long now, out int retryAfterMs)
    {
        // A bulk request is timed as a whole.
        if (_spec.Mix.Count > 0 && !_spec.Bulk)
            _isWrite = _spec.Mix[kind].IsWrite;
        var budget = _budgets[partition];
        if (!budget.TryAdmit(Epoch + now, out retryAfterMs))
        {
            _tally.Throttle(now);
            return false;
        }

        budget.Charge(_charges[kind]);
        _tally.Admit(partition, _charges[kind], now);
        return true;
    }

    /// <summary>When the client has the response to the request that was executed last.</summary>
    /// <param name="kind">Index of its kind in the mix; 0 without one, and for a bulk request.</param>
    /// <param name="operations">Operations in it that were not throttled.</param>
    public long RespondAt(int partition, int kind, long now, int operations)
    {
        _tally.Requests++;
        var documents = operations * _spec.DocumentsPerOperation;
        var bytes = _spec.Mix.Count > 0 && _spec.Mix[kind].Query is { } query ? (long)query.BytesOfPage : _spec.BytesPerDocument;
        var demand = new ServiceDemand(_isWrite, documents, documents * bytes, _budgets[partition].Utilization);
        var latencyMs = _latency.NextMs(demand, _spec.ConnectionMode) + _spec.OverheadMs;
        return now + (long)(latencyMs * TimeSpan.TicksPerMillisecond);
    }
}
