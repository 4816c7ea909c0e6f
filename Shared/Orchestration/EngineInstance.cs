namespace ScaleOut.Orchestration;

/// <summary>What a durable engine says of a run's orchestration.</summary>
public sealed record EngineInstance
{
    /// <summary>Instance id of the orchestration.</summary>
    public required string Id { get; init; }

    public required EngineState State { get; init; }

    /// <summary>When it was asked for, UTC.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>When it last made a step, or ended, UTC.</summary>
    public required DateTimeOffset UpdatedAt { get; init; }

    /// <summary>The last status that the orchestration published; null before the first.</summary>
    public OrchestrationStatus? Status { get; init; }

    /// <summary>Why it failed.</summary>
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
