namespace ScaleOut.Progress;

/// <summary>
/// What a worker reports about itself while a leg runs. Counts are of the leg so far; <see cref="Before"/> has those of its earlier legs.
/// The newest report, by <see cref="Order"/>, replaces the others.
/// </summary>
public sealed record WorkerProgress
{
    /// <summary>Maximum number of physical partitions that are reported one by one.</summary>
    public const int MaxPartitions = 128;

    public required string RunId { get; init; }

    /// <summary>
    /// Instance id of the run's orchestration, which distinguishes the run's second measurement from its first; null stands for the run's
    /// id.
    /// </summary>
    public string? RunInstanceId { get; init; }

    /// <summary>Index of the worker, from 0.</summary>
    public required int Worker { get; init; }

    /// <summary>Number of workers of the run.</summary>
    public required int Workers { get; init; }

    public required int Leg { get; init; }

    public required int Attempt { get; init; }

    public required long Sequence { get; init; }

    /// <summary>From <see cref="WorkerState.Warming"/> to <see cref="WorkerState.Ended"/>.</summary>
    public required WorkerState Activity { get; init; }

    /// <summary>Time of the report, UTC by the worker's clock.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>The totals of the worker's earlier legs.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>How the leg ended; null while it goes on.</summary>
    public LegEnd? End { get; init; }

    /// <summary>Working time in this leg.</summary>
    public double Seconds { get; init; }

    public Counts Counts { get; init; }

    public int InFlight { get; init; }

    /// <summary>
    /// Latencies, waits included, of the operations that ended since the previous report, in a coarse histogram. Null without any, and in
    /// queue messages.
    /// </summary>
    public PackedHistogram? Latency { get; init; }

    /// <summary>The last error, as status and reason; null while there was none.</summary>
    public string? LastError { get; init; }

    /// <summary>
    /// What the worker retries, other than its operations, and why, or what it does for a missing worker. An example is an account that it
    /// cannot reach. Null without any.
    /// </summary>
    public string? Warning { get; init; }

    /// <summary>
    /// Partitions in order of their ranges. Empty if there are more than <see cref="MaxPartitions"/>, so that a message stays a few KB.
    /// </summary>
    public IReadOnlyList<PartitionProgress> Partitions { get; init; } = [];

    /// <summary>Sort key of a worker's messages, from the oldest to the newest.</summary>
    [JsonIgnore]
    public (int Leg, int Attempt, long Sequence) Order => (Leg, Attempt, Sequence);

    /// <summary>Creates a message for a leg, without counts.</summary>
    public static WorkerProgress From(LegInput leg, int attempt, long sequence, WorkerState activity, DateTimeOffset at) => new()
    {
        RunId = leg.Assignment.RunId,
        RunInstanceId = leg.Assignment.RunInstanceId,
        Worker = leg.Assignment.Worker,
        Workers = leg.Assignment.Workers,
        Leg = leg.Leg,
        Attempt = attempt,
        Sequence = sequence,
        Activity = activity,
        At = at,
        Before = leg.Before,
        Warning = LossesOf(leg),
    };

    private static string? LossesOf(LegInput leg) => leg.LastLost is { } reason
        ? $"leg {leg.Leg} was lost {leg.LostInARow} times in a row, the last time: {reason}"
        : null;
}

/// <summary>Counts of a leg so far for one physical partition.</summary>
/// <param name="Min">First effective partition key of the range, hexadecimal; empty for the lowest.</param>
/// <param name="Max">Effective partition key after the range; <c>FF</c> for the highest.</param>
public sealed record PartitionProgress(string Min, string Max, Counts Counts);
