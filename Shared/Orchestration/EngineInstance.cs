namespace ScaleOut.Orchestration;

/// <summary>A run's orchestration as a durable engine reports it.</summary>
public sealed record EngineInstance
{
    public required string Id { get; init; }

    public required EngineState State { get; init; }

    /// <summary>When the orchestration was scheduled, UTC.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>When the orchestration last made a step or ended, UTC.</summary>
    public required DateTimeOffset UpdatedAt { get; init; }

    /// <summary>
    /// The last status that the orchestration published; null before the first, and if an earlier version of the app published it.
    /// </summary>
    public RunStatus? Status { get; init; }

    /// <summary>What the orchestration returned; null until it has completed.</summary>
    public RunOutcome? Outcome { get; init; }

    /// <summary>Why the orchestration failed; null otherwise.</summary>
    public string? Failure { get; init; }

    public bool IsAlive => State is EngineState.Pending or EngineState.Running;
}

/// <summary>The state of an orchestration in a durable engine.</summary>
public enum EngineState
{
    /// <summary>Scheduled; no part of it has run.</summary>
    Pending,

    /// <summary>Running or suspended.</summary>
    Running,
    Completed,
    Failed,

    /// <summary>Somebody ended it by hand.</summary>
    Terminated,
}
