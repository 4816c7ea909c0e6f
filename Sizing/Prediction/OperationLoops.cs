namespace ScaleOut.Sizing.Prediction;

/// <summary>
/// The operation loops of all workers, with the rules of the real workers' <c>OperationLoop</c>, <c>Schedule</c> and <c>RetryDelay</c>.
/// </summary>
internal sealed class OperationLoops
{
    /// <summary>A worker's wait in addition to <c>retry-after</c>.</summary>
    public const int RetryGrainMs = 1;

    /// <summary>Delay of an open loop's start up to which an operation is measured from its real start.</summary>
    private const long LateTicks = 2 * TimeSpan.TicksPerMillisecond;

    /// <summary>Delay of a start beyond which the schedule is not kept.</summary>
    private const long BehindTicks = TimeSpan.TicksPerSecond;

    private readonly FleetSpec _spec;
    private readonly FleetTally _tally;
    private readonly WeightedDraw _partitions;
    private readonly WeightedDraw _readPartitions;
    private readonly WeightedDraw? _kinds;
    private readonly SeededNoise _noise;
    private readonly SeededNoise _kindNoise;
    private readonly SeededNoise _arrivalNoise;
    private readonly long[] _operationBegan;
    private readonly long[] _stepBegan;
    private readonly int[] _step;
    private readonly long[] _attemptBegan;
    private readonly int[] _retryAfterMs;
    private readonly int[] _pagesDone;
    private readonly List<int>?[] _refused;
    private readonly long[] _taken;
    private readonly double[] _due;
    private readonly LoadPlan[] _plans;

    public OperationLoops(FleetSpec spec, LoadPlan[] plans, SeededNoise noise, FleetTally tally)
    {
        (_spec, _plans, _noise, _tally) = (spec, plans, noise, tally);
        _partitions = new WeightedDraw(spec.Partitions, spec.PartitionWeights);
        _readPartitions = spec.ReadWeights is { } weights ? new WeightedDraw(spec.Partitions, weights) : _partitions;
        _kinds = spec.Mix.Count > 0 && spec.Steps.Count == 0
            ? new WeightedDraw(spec.Mix.Count, [.. spec.Mix.Select(one => one.Share)])
            : null;
        _kindNoise = new SeededNoise(~(ulong)(uint)spec.Seed);
        _arrivalNoise = new SeededNoise(~(((ulong)(uint)spec.Seed << 1) + 1));
        Count = checked(spec.Workers * spec.Concurrency);
        _operationBegan = new long[Count];
        _stepBegan = new long[Count];
        _step = new int[Count];
        _attemptBegan = new long[Count];
        _retryAfterMs = new int[Count];
        _pagesDone = new int[Count];
        _refused = new List<int>?[Count];
        Partition = new int[Count];
        Kind = new byte[Count];
        _taken = new long[spec.Workers];
        _due = new double[spec.Workers];
    }

    public int Count { get; }

    /// <summary>The partition of each loop's operation.</summary>
    public int[] Partition { get; }

    /// <summary>The kind of each loop's operation, as an index of the mix; 0 without one. Retries keep it.</summary>
    public byte[] Kind { get; }

    /// <summary>Whether an open loop began an operation more than a second late.</summary>
    public bool IsBehind { get; private set; }

    public int WorkerOf(int loop) => loop / _spec.Concurrency;

    /// <summary>The pages of a loop's query; null for an operation of one request.</summary>
    public QueryPages? QueryOf(int loop) => _spec.Mix.Count == 0 ? null : _spec.Mix[Kind[loop]].Query;

    /// <summary>Number of pages that a query's next attempt asks for.</summary>
    public int CountNextPages(int loop, QueryPages query) => _refused[loop] is { Count: > 0 } refused
        ? refused.Count
        // All partitions are asked for their first page before one is asked for its second.
        : Math.Min(query.AtOnce, query.Partitions - (_pagesDone[loop] % query.Partitions));

    /// <summary>The partitions that it asks: those that refused a page of the last attempt, or else the next ones.</summary>
    public IReadOnlyList<int> NextPages(int loop, QueryPages query) => _refused[loop] is { Count: > 0 } refused
        ? [.. refused]
        :
        [
            .. Enumerable.Range(_pagesDone[loop], CountNextPages(loop, query))
                .Select(page => (Partition[loop] + (page % query.Partitions)) % _spec.Partitions),
        ];

    /// <param name="asked">Pages of the attempt.</param>
    /// <param name="refused">Partitions that refused one of them.</param>
    public void RespondPages(int loop, int asked, IReadOnlyList<int> refused, int retryAfterMs)
    {
        _pagesDone[loop] += asked - refused.Count;
        if (refused.Count > 0 || _refused[loop] is not null)
            (_refused[loop] ??= []).Clear();
        _refused[loop]?.AddRange(refused);
        _retryAfterMs[loop] = retryAfterMs;
    }

    /// <summary>Begins a loop's first operation. With think time, the operation begins after a part of that time.</summary>
    public long BeginFirst(int loop) => Begin(
        loop, (long)(_spec.ThinkTime.Ticks * _plans[WorkerOf(loop)].FirstThinkShare(loop % _spec.Concurrency)));

    public static LoadPlan[] PlansOf(FleetSpec spec)
    {
        var workload = new WorkloadSpec
        {
            ThinkTime = spec.ThinkTime,
            Kind = spec.DocumentsPerOperation > 1 ? WorkloadKind.Batch : WorkloadKind.Insert, BatchSize = spec.DocumentsPerOperation,
        };
        var client = new ClientSettings
        {
            ConnectionMode = spec.ConnectionMode, Concurrency = spec.Concurrency, Rate = spec.Rate,
        };
        return [.. Enumerable.Range(0, spec.Workers).Select(worker => new LoadPlan(workload, client, worker, spec.Workers))];
    }

    /// <summary>Takes the next operation; returns when it is due.</summary>
    /// <param name="free">When the loop has finished the previous operation and its think time.</param>
    public long Begin(int loop, long free)
    {
        _step[loop] = 0;
        Address(loop, _kinds?.Next(_kindNoise) ?? (_spec.Steps.Count > 0 ? _spec.Steps[0] : 0));
        var worker = WorkerOf(loop);
        if (!_plans[worker].IsOpen)
            return _operationBegan[loop] = _stepBegan[loop] = free;

        var began = NextDue(worker);
        var due = Math.Max(free, began);
        IsBehind |= due - began > BehindTicks;
        _operationBegan[loop] = _stepBegan[loop] = due - began <= LateTicks ? due : began;
        return due;
    }

    /// <summary>Chooses the partition of a loop's operation, or of its step.</summary>
    private void Address(int loop, int kind)
    {
        (_pagesDone[loop], Kind[loop]) = (0, (byte)kind);
        var reads = _spec.Mix.Count > 0 ? !_spec.Mix[kind].IsWrite : !_spec.IsWrite;
        Partition[loop] = (reads ? _readPartitions : _partitions).Next(_noise);
    }

    /// <summary>Takes the operations of an open loop that are due before a time, but that no loop was free for.</summary>
    public void SkipTo(long end)
    {
        for (var worker = 0; worker < _plans.Length; worker++)
        {
            while (_plans[worker].IsOpen && (long)(_due[worker] * TimeSpan.TicksPerSecond) < end)
                NextDue(worker);
        }
    }

    /// <summary>When a worker's next operation of an open loop is due.</summary>
    private long NextDue(int worker)
    {
        var taken = _taken[worker]++ * _spec.DocumentsPerOperation;
        _due[worker] = _spec.Poisson
            ? _due[worker] - (Math.Log(1 - _arrivalNoise.NextUniform()) * _spec.DocumentsPerOperation / _spec.Rate!.Value)
            : _plans[worker].DueAt(taken);
        var due = (long)(_due[worker] * TimeSpan.TicksPerSecond);
        _tally.Plan(due, _spec.DocumentsPerOperation);
        return due;
    }

    public void BeginAttempt(int loop, long now) => _attemptBegan[loop] = now;

    /// <param name="retryAfterMs">0 if the operation is done.</param>
    public void Respond(int loop, int retryAfterMs) => _retryAfterMs[loop] = retryAfterMs;

    /// <summary>Ends an attempt, and perhaps its operation. Returns when the loop begins its next attempt.</summary>
    public long End(int loop, long now)
    {
        _tally.EndAttempt(_attemptBegan[loop], now);
        // A throttled worker tries again a little after the time in the response.
        if (_retryAfterMs[loop] > 0)
            return now + ((_retryAfterMs[loop] + RetryGrainMs) * TimeSpan.TicksPerMillisecond);
        if (QueryOf(loop) is { } query && _pagesDone[loop] < query.Pages)
            return now;
        _tally.EndStep(_stepBegan[loop], now, Kind[loop]);
        if (++_step[loop] < _spec.Steps.Count)
        {
            _stepBegan[loop] = now;
            Address(loop, _spec.Steps[_step[loop]]);
            return now;
        }

        _tally.EndOperation(_operationBegan[loop], now, _spec.DocumentsPerOperation);
        return Begin(loop, now + _spec.ThinkTime.Ticks);
    }
}

/// <summary>Draws indices by weight, with one number each (Walker's alias method).</summary>
internal sealed class WeightedDraw
{
    private readonly double[] _own;
    private readonly int[] _alias;

    /// <param name="weights">A weight for each index, none below 0 and at least one above. Null for equal weights.</param>
    public WeightedDraw(int count, IReadOnlyList<double>? weights)
    {
        _own = new double[count];
        _alias = new int[count];
        Array.Fill(_own, 1);
        if (weights is null)
            return;

        var mean = weights.Sum() / count;
        var small = new Stack<int>();
        var large = new Stack<int>();
        for (var i = 0; i < count; i++)
        {
            _own[i] = weights[i] / mean;
            (_own[i] < 1 ? small : large).Push(i);
        }

        while (small.Count > 0 && large.Count > 0)
        {
            var low = small.Pop();
            var high = large.Peek();
            _alias[low] = high;
            _own[high] -= 1 - _own[low];
            if (_own[high] < 1)
                small.Push(large.Pop());
        }

        // The remaining values are 1, apart from rounding errors.
        foreach (var i in small.Concat(large))
            _own[i] = 1;
    }

    public int Next(SeededNoise noise)
    {
        var at = noise.NextUniform() * _own.Length;
        var index = (int)at;
        return at - index < _own[index] ? index : _alias[index];
    }
}
