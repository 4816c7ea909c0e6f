namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// A fleet in virtual time, event by event. Without bulk an attempt takes half of its CPU before it is sent and half when the response is
/// there; a loop that goes on at once does the second half of one operation and the first of the next without being queued in between, as
/// a continuation does.
/// </summary>
internal sealed class FleetSimulation
{
    private readonly FleetSpec _spec;
    private readonly FleetEvents _events;
    private readonly OperationLoops _loops;
    private readonly FleetAccount _account;
    private readonly CorePool[] _pools;
    private readonly Connections _connections;
    private readonly BulkStreams? _bulk;
    private readonly bool _isOpen;
    private readonly double _halfTicks;

    public FleetSimulation(FleetSpec spec)
    {
        _spec = spec;
        LoadPlan[] plans = OperationLoops.PlansOf(spec);
        _isOpen = plans[0].IsOpen;
        Tally = new FleetTally(spec);
        // Each kind of chance has a stream of its own, so that a change of one leaves the others as they are.
        ulong seed = (ulong)(uint)spec.Seed * 3;
        _account = new FleetAccount(spec, new SeededNoise(seed), Tally);
        _loops = new OperationLoops(spec, plans, new SeededNoise(seed + 1), Tally);
        _pools = [.. Enumerable.Range(0, spec.Workers).Select(_ => new CorePool(spec.Cores, spec.Warmup.Ticks))];
        _connections = new Connections(spec.Workers, spec.Connections);
        _events = new FleetEvents(_loops.Count + spec.Workers);
        _halfTicks = spec.CpuMsPerAttempt * TimeSpan.TicksPerMillisecond / 2;
        if (spec.Bulk)
        {
            _bulk = new BulkStreams(spec, _events, _loops, _account, _connections, _pools);
            _bulk.Start(new SeededNoise(seed + 2));
        }
    }

    public FleetTally Tally { get; }

    public IReadOnlyList<CorePool> Pools => _pools;

    /// <summary>Whether an open loop fell behind; null in a closed loop.</summary>
    public bool? KeptSchedule => _isOpen ? !_loops.IsBehind : null;

    /// <summary>Whole seconds that are left out of every figure.</summary>
    public int WarmupSeconds => (int)Math.Ceiling(_spec.Warmup.TotalSeconds);

    /// <summary>Whole seconds that were simulated.</summary>
    public int SecondsDone { get; private set; }

    /// <summary>Runs until the end, or until <paramref name="enough"/>, which is asked after each second.</summary>
    public void Run(Func<FleetSimulation, bool> enough)
    {
        for (int loop = 0; loop < _loops.Count; loop++)
            _events.Add(FleetEvent.Turn, loop, _loops.BeginFirst(loop));
        long end = _spec.Duration.Ticks;
        long second = TimeSpan.TicksPerSecond;
        while (_events.TryTake(out FleetEvent kind, out int index, out long now) && now < end)
        {
            for (; now >= second; second += TimeSpan.TicksPerSecond)
            {
                SecondsDone++;
                if (enough(this))
                    return;
            }

            Handle(kind, index, now);
        }

        SecondsDone = Tally.Seconds;
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
                Ready(index, now, PoolOf(index).Run(now, _halfTicks));
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

    private void Send(int loop, long now)
    {
        int partition = _loops.Partition[loop];
        bool admitted = _account.TryExecute(partition, now, out int retryAfterMs);
        _loops.Respond(loop, retryAfterMs);
        _events.Add(FleetEvent.Response, loop, _account.RespondAt(partition, now, admitted ? 1 : 0));
    }

    private void Receive(int loop, long now)
    {
        if (_connections.TryPassOn(_loops.WorkerOf(loop), out int waiting))
            Send(waiting, now);
        CorePool pool = PoolOf(loop);
        long done = pool.Run(now, _halfTicks);
        long next = _loops.End(loop, done);
        if (next > done)
        {
            _events.Add(FleetEvent.Turn, loop, next);
            return;
        }

        _loops.BeginAttempt(loop, done);
        Ready(loop, now, _halfTicks > 0 ? pool.Continue(_halfTicks) : done);
    }

    private CorePool PoolOf(int loop) => _pools[_loops.WorkerOf(loop)];
}
