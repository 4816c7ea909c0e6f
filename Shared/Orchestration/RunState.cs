namespace ScaleOut.Orchestration;

/// <summary>How a run ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunState>))]
public enum RunState
{
    /// <summary>Every document is done, and the container's own count rose by exactly that number.</summary>
    Complete,

    /// <summary>It came to its end, but documents failed or are missing, or the count differs.</summary>
    Incomplete,

    Stopped,

    /// <summary>It could not start, or workers could not go on.</summary>
    Failed,
}

/// <summary>Where a run is on its way.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunPhase>))]
public enum RunPhase
{
    /// <summary>It waits for other runs, because there are not enough instances.</summary>
    Queued,

    Preparing,

    /// <summary>
    /// It waits until the identity may do what it is to do: a role does not hold everywhere at once, but within ten minutes.
    /// </summary>
    WaitingForRoles,

    Running,
    Verifying,
    Reporting,
    CleaningUp,
    Ended,
}

/// <summary>How far a run is, as its orchestration publishes it. The workers' progress says what happens within a leg.</summary>
/// <param name="Outcome">Set when it has ended.</param>
/// <param name="RunsAhead">Runs that have to end before it begins; set while it is queued.</param>
public sealed record OrchestrationStatus(RunPhase Phase, RunOutcome? Outcome = null, int? RunsAhead = null);

/// <summary>How far a worker's orchestration is. It continues as new with this.</summary>
public sealed record WorkerState
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>The leg to run next, from 1.</summary>
    public int Leg { get; init; } = 1;

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>The totals of the ended legs.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>Documents that the legs of this start did.</summary>
    public long DoneNow { get; init; }

    /// <summary>Attempts at the current leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost.</summary>
    public string? LastLost { get; init; }

    /// <summary>Legs that ended one after the other without finishing a document.</summary>
    public int IdleInARow { get; init; }
}
