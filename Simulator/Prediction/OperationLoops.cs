using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// The operation loops of all workers: what each is doing, when its next operation is due, and how long it waits after a 429, as
/// <c>OperationLoop</c>, <c>Schedule</c> and <c>RetryDelay</c> of the real workers have it.
/// </summary>
internal sealed class OperationLoops
{
    /// <summary>What a worker waits beside <c>retry-after</c>.</summary>
    public const int RetryGrainMs = 1;

    /// <summary>An open loop's start that is late by no more is measured from when it really was.</summary>
    private const long LateTicks = 2 * TimeSpan.TicksPerMillisecond;

    /// <summary>A schedule is kept when no start was later than this.</summary>
    private const long BehindTicks = TimeSpan.TicksPerSecond;

    private readonly FleetSpec _spec;
    private readonly FleetTally _tally;
    private readonly WeightedDraw _partitions;
    private readonly SeededNoise _noise;
    private readonly long[] _operationBegan;
    private readonly long[] _attemptBegan;
    private readonly int[] _retryAfterMs;
    private readonly long[] _taken;
    private readonly LoadPlan[] _plans;

    /// <param name="spec">The fleet.</param>
    /// <param name="plans">Each worker's load.</param>
    /// <param name="noise">Of where operations go.</param>
    /// <param name="tally">Takes what ends.</param>
    public OperationLoops(FleetSpec spec, LoadPlan[] plans, SeededNoise noise, FleetTally tally)
    {
        (_spec, _plans, _noise, _tally) = (spec, plans, noise, tally);
        _partitions = new WeightedDraw(spec.Partitions, spec.PartitionWeights);
        Count = checked(spec.Workers * spec.Concurrency);
        _operationBegan = new long[Count];
        _attemptBegan = new long[Count];
        _retryAfterMs = new int[Count];
        Partition = new int[Count];
        _taken = new long[spec.Workers];
    }

    public int Count { get; }

    /// <summary>Where the operation of each loop goes.</summary>
    public int[] Partition { get; }

    /// <summary>Whether an open loop began an operation more than a second late.</summary>
    public bool IsBehind { get; private set; }

    public int WorkerOf(int loop) => loop / _spec.Concurrency;

    /// <summary>When a loop begins its first operation: with a think time each after a part of it.</summary>
    public long BeginFirst(int loop) => Begin(
        loop, (long)(_spec.ThinkTime.Ticks * _plans[WorkerOf(loop)].FirstThinkShare(loop % _spec.Concurrency)));

    /// <summary>Each worker's load.</summary>
    public static LoadPlan[] PlansOf(FleetSpec spec)
    {
        var workload = new WorkloadSpec
        {
            Steps = spec.Steps, ThinkTime = spec.ThinkTime,
            Kind = spec.DocumentsPerOperation > 1 ? WorkloadKind.Batch : WorkloadKind.Insert, BatchSize = spec.DocumentsPerOperation,
        };
        var client = new ClientSettings
        {
            ConnectionMode = spec.ConnectionMode, Concurrency = spec.Concurrency, Rate = spec.Rate,
        };
        return [.. Enumerable.Range(0, spec.Workers).Select(worker => new LoadPlan(workload, client, worker, spec.Workers))];
    }

    /// <summary>Takes the next operation; when it is due, which is never where the load is over.</summary>
    /// <param name="loop">The loop.</param>
    /// <param name="free">When the loop is done with what it did before, and with thinking.</param>
    public long Begin(int loop, long free)
    {
        Partition[loop] = _partitions.Next(_noise);
        int worker = WorkerOf(loop);
        LoadPlan plan = _plans[worker];
        if (!plan.IsOpen)
            return _operationBegan[loop] = plan.ChangesConcurrency ? TurnOf(loop % _spec.Concurrency, plan, free) : free;

        double seconds = plan.DueAt(_taken[worker]++ * _spec.DocumentsPerOperation);
        if (double.IsInfinity(seconds))
            return long.MaxValue;
        long began = (long)(seconds * TimeSpan.TicksPerSecond);
        long due = Math.Max(free, began);
        IsBehind |= due - began > BehindTicks;
        _operationBegan[loop] = due - began <= LateTicks ? due : began;
        return due;
    }

    /// <summary>When a step lets a loop work, from some time on.</summary>
    private static long TurnOf(int loop, LoadPlan plan, long from)
    {
        double turn = plan.TurnOf(loop, from / (double)TimeSpan.TicksPerSecond);
        return double.IsInfinity(turn) ? long.MaxValue : Math.Max(from, (long)Math.Ceiling(turn * TimeSpan.TicksPerSecond));
    }

    public void BeginAttempt(int loop, long now) => _attemptBegan[loop] = now;

    /// <summary>Notes what the account says to an attempt.</summary>
    /// <param name="loop">The loop.</param>
    /// <param name="retryAfterMs">0 for an operation that is done.</param>
    public void Respond(int loop, int retryAfterMs) => _retryAfterMs[loop] = retryAfterMs;

    /// <summary>
    /// Ends an attempt, and takes the next operation if it was the last of this one; when the loop begins its next attempt.
    /// </summary>
    public long End(int loop, long now)
    {
        _tally.EndAttempt(_attemptBegan[loop], now);
        return _retryAfterMs[loop] > 0 ? RetryAt(now, _retryAfterMs[loop]) : EndOperation(loop, now);
    }

    /// <summary>Ends an operation and takes the next one; when that is due.</summary>
    public long EndOperation(int loop, long now)
    {
        _tally.EndOperation(_operationBegan[loop], now, _spec.DocumentsPerOperation);
        return Begin(loop, now + _spec.ThinkTime.Ticks);
    }

    /// <summary>When a worker tries again that is throttled.</summary>
    public static long RetryAt(long now, int retryAfterMs) => now + ((retryAfterMs + RetryGrainMs) * TimeSpan.TicksPerMillisecond);
}
