using ScaleOut.Simulator.Engine.Physics;

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
    private readonly double _ticksPerOperation;

    public OperationLoops(FleetSpec spec, SeededNoise noise, FleetTally tally)
    {
        (_spec, _noise, _tally) = (spec, noise, tally);
        _partitions = new WeightedDraw(spec.Partitions, spec.PartitionWeights);
        Count = checked(spec.Workers * spec.Concurrency);
        _operationBegan = new long[Count];
        _attemptBegan = new long[Count];
        _retryAfterMs = new int[Count];
        Partition = new int[Count];
        _taken = new long[spec.Workers];
        _ticksPerOperation = spec.Rate is { } rate ? spec.DocumentsPerOperation * TimeSpan.TicksPerSecond / rate : 0;
    }

    public int Count { get; }

    /// <summary>Where the operation of each loop goes.</summary>
    public int[] Partition { get; }

    /// <summary>Whether an open loop began an operation more than a second late.</summary>
    public bool IsBehind { get; private set; }

    public int WorkerOf(int loop) => loop / _spec.Concurrency;

    /// <summary>When a loop begins its first operation: with a think time each after a part of it.</summary>
    public long BeginFirst(int loop) => Begin(
        loop, (long)(_spec.ThinkTime.Ticks * ((loop % _spec.Concurrency) + PhaseOf(WorkerOf(loop))) / _spec.Concurrency));

    /// <summary>Takes the next operation; when it is due.</summary>
    /// <param name="loop">The loop.</param>
    /// <param name="free">When the loop is done with what it did before, and with thinking.</param>
    public long Begin(int loop, long free)
    {
        Partition[loop] = _partitions.Next(_noise);
        long due = free;
        long began = free;
        if (_spec.Rate is not null)
        {
            began = (long)((_taken[WorkerOf(loop)]++ + PhaseOf(WorkerOf(loop))) * _ticksPerOperation);
            due = Math.Max(free, began);
            IsBehind |= due - began > BehindTicks;
            if (due - began <= LateTicks)
                began = due;
        }

        _operationBegan[loop] = began;
        return due;
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
        if (_retryAfterMs[loop] > 0)
            return now + ((_retryAfterMs[loop] + RetryGrainMs) * TimeSpan.TicksPerMillisecond);
        _tally.EndOperation(_operationBegan[loop], now, _spec.DocumentsPerOperation);
        return Begin(loop, now + _spec.ThinkTime.Ticks);
    }

    /// <summary>The share of the time between two operations by which a worker begins after the first one.</summary>
    private double PhaseOf(int worker) => (double)worker / _spec.Workers;
}
