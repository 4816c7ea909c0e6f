namespace ScaleOut.Orchestration;

/// <summary>How a run ended, in a few numbers. The report has the rest.</summary>
public sealed record RunOutcome
{
    public required string RunId { get; init; }

    public required RunState State { get; init; }

    public Counts Counts { get; init; }

    public required long Remaining { get; init; }

    /// <summary>By how many documents the container's own count rose; null if it could not be counted.</summary>
    public long? Verified { get; init; }

    /// <summary>Null if the run has no report.</summary>
    public RunTotals? Totals { get; init; }

    /// <summary>
    /// Whether the report meets the fail-if condition, so that the run fails although it is complete. Null without a condition, if the
    /// run is not complete, and if the condition rests on figures that are not valid.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? FailIfHolds { get; init; }

    /// <summary>At most ten reasons why the run could not start or go on; empty otherwise.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>
    /// Whether this start of the run failed before its first document and changed nothing that an earlier start had stored. Then the run
    /// has not ended and can be resumed.
    /// </summary>
    [JsonPropertyName("leftAsItWas"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool NothingChanged { get; init; }

    /// <summary>
    /// Whether results of legs are damaged or missing although all workers are done. Then the run has a report but has not ended. Its
    /// container is kept, and a resumed run runs those legs again.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool MissesLegs { get; init; }
}

/// <summary>
/// Records that a run has ended, and how. All forms of its report are written. Its own container is deleted, or left to the timer that
/// deletes such containers.
/// </summary>
/// <param name="At">When its last worker ended, UTC.</param>
public sealed record RunEnded(RunOutcome Outcome, DateTimeOffset At);

public sealed record WorkerOutcome
{
    public required int Worker { get; init; }

    /// <summary>Done, stopped or failed.</summary>
    public required WorkerState End { get; init; }

    public Counts Counts { get; init; }

    /// <summary>Number of documents that the worker finished since the run was last resumed.</summary>
    public long DoneNow { get; init; }

    /// <summary>Number of documents of its slice that the worker did not finish.</summary>
    public required long Remaining { get; init; }

    /// <summary>Why the worker failed; null otherwise.</summary>
    public string? Reason { get; init; }
}

/// <summary>
/// The main figures of a run that has ended, without its whole report. Rates are rounded to 0.01, latencies to 0.001 ms.
/// </summary>
public sealed record RunTotals
{
    /// <summary>When the orchestration began, UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the last worker had ended, UTC.</summary>
    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Number of attempts at legs that left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>Number of machines or function instances that workers ran on.</summary>
    public int DistinctInstances { get; init; }

    /// <summary>
    /// Inserted / the time from the first worker's start to the last worker's end, without interruptions. Null if nothing ran, and if the
    /// run's times contradict each other.
    /// </summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>
    /// The rates that the report gives: documents over the time in which all workers were at work, if that is known. Null whenever
    /// <see cref="MakespanPerSecond"/> is.
    /// </summary>
    public Rates? PerSecond { get; init; }

    /// <summary>Latency of an operation, waits included. All figures are null if nothing was measured.</summary>
    public LatencySummary LatencyMs { get; init; } = new();

    /// <summary>What limited the run, such as <c>request units</c>; null if nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <summary>What limited the run, as a sentence with the change that would help.</summary>
    public string? Verdict { get; init; }

    /// <summary>Which figures are not valid, such as <c>latencies</c>; empty if all are.</summary>
    public IReadOnlyList<string> Invalid { get; init; } = [];
}

/// <summary>Totals of a worker's legs that left results.</summary>
/// <param name="Seconds">Working time, without the time between legs.</param>
public sealed record WorkerTotals(Counts Counts, double Seconds)
{
    public static readonly WorkerTotals None = new(default, 0);

    public WorkerTotals Plus(LegOutput leg) => new(Counts + leg.Counts, Seconds + leg.Seconds);
}
