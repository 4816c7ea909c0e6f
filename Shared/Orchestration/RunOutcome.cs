namespace ScaleOut.Orchestration;

/// <summary>How a run ended, in a few numbers. The report has the rest.</summary>
public sealed record RunOutcome
{
    public required string RunId { get; init; }

    public required RunState State { get; init; }

    public Counts Counts { get; init; }

    public required long Remaining { get; init; }

    /// <summary>By how many documents the container's own count rose; null when it could not be counted.</summary>
    public long? Verified { get; init; }

    /// <summary>Its figures; null when it has no report.</summary>
    public RunTotals? Totals { get; init; }

    /// <summary>Whether its report meets the condition under which it fails; null without one, and where it is not complete.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? FailIfHolds { get; init; }

    /// <summary>Why it could not start or go on, at most ten; empty otherwise.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>
    /// Whether this start of the run failed before its first document and changed nothing that an earlier start had kept. Then the run has
    /// not ended and can be resumed.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool LeftAsItWas { get; init; }

    /// <summary>
    /// Whether results of legs are damaged or missing although all workers are done. Then the run has a report but has not ended: its
    /// container is kept, and whoever resumes the run runs those legs again.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool MissesLegs { get; init; }
}

/// <summary>
/// Says that a run has ended, and how: its report is written in every form, and its own container is deleted, or left to the timer that
/// deletes such containers.
/// </summary>
/// <param name="At">When its last worker ended, UTC.</param>
public sealed record RunEnded(RunOutcome Outcome, DateTimeOffset At);

public sealed record WorkerOutcome
{
    public required int Worker { get; init; }

    public required WorkerEnd End { get; init; }

    public Counts Counts { get; init; }

    /// <summary>How many of its documents were done since the run was last resumed.</summary>
    public long DoneNow { get; init; }

    /// <summary>Documents of its slice that it did not finish.</summary>
    public required long Remaining { get; init; }

    /// <summary>Why it failed; null otherwise.</summary>
    public string? Reason { get; init; }
}

/// <summary>Why a worker ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<WorkerEnd>))]
public enum WorkerEnd
{
    /// <summary>Its slice is done, or the last step of its load is over.</summary>
    Done,

    /// <summary>The run was stopped.</summary>
    Stopped,

    /// <summary>It could not go on.</summary>
    Failed,
}
