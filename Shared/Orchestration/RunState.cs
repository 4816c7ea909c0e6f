namespace ScaleOut.Orchestration;

/// <summary>How a run ended.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunState>))]
public enum RunState
{
    /// <summary>Every document is done, and the container's own count rose by exactly what was asked.</summary>
    Complete,

    /// <summary>It came to its end, but documents failed or the count differs.</summary>
    Incomplete,

    /// <summary>It was stopped before its end.</summary>
    Stopped,

    /// <summary>It could not start, or workers could not go on.</summary>
    Failed,
}

/// <summary>Where a run is on its way.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<RunPhase>))]
public enum RunPhase
{
    /// <summary>It waits for other runs, because there are not instances for all of them.</summary>
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

/// <summary>How far a run's orchestration is, as it publishes it; the workers' progress reports what happens within a leg.</summary>
/// <param name="Outcome">Set when it has ended.</param>
/// <param name="RunsAhead">Runs that are to end before it begins, as far as it is known; set while it is queued.</param>
public sealed record OrchestrationStatus(RunPhase Phase, RunOutcome? Outcome = null, int? RunsAhead = null);

/// <summary>
/// How far a worker's orchestration is; it continues as new with this every <see cref="WorkerOrchestrator.LegsPerTurn"/> legs.
/// </summary>
public sealed record WorkerState
{
    public required WorkerAssignment Assignment { get; init; }

    /// <summary>The leg to run next, from 1.</summary>
    public int Leg { get; init; } = 1;

    /// <summary>Lowest document number that is not done.</summary>
    public required long Next { get; init; }

    /// <summary>What the ended legs came to.</summary>
    public WorkerTotals Before { get; init; } = WorkerTotals.None;

    /// <summary>Documents that the legs of this start did.</summary>
    public long DoneNow { get; init; }

    /// <summary>Attempts at the current leg that were lost.</summary>
    public int LostInARow { get; init; }

    /// <summary>Why the last of them was lost; null when there is none.</summary>
    public string? LastLost { get; init; }

    /// <summary>Legs that ended one after the other without finishing a document.</summary>
    public int IdleInARow { get; init; }
}
