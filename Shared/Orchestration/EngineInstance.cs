namespace ScaleOut.Orchestration;

/// <summary>What a durable engine says of a run's orchestration.</summary>
public sealed record EngineInstance
{
    /// <summary>Instance id of the orchestration.</summary>
    public required string Id { get; init; }

    public required EngineState State { get; init; }

    /// <summary>When it was asked for, UTC.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>When it last went a step, UTC; of an ended one its end.</summary>
    public required DateTimeOffset UpdatedAt { get; init; }

    /// <summary>What the orchestration published last; null before the first time.</summary>
    public OrchestrationStatus? Status { get; init; }

    /// <summary>Why it failed; null otherwise.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether it may still do something.</summary>
    public bool IsAlive => State is EngineState.Pending or EngineState.Running;
}

/// <summary>Where a durable engine has an orchestration.</summary>
public enum EngineState
{
    /// <summary>Scheduled; nothing of it has run.</summary>
    Pending,

    /// <summary>It goes on, or is suspended.</summary>
    Running,

    /// <summary>It came to its end.</summary>
    Completed,

    /// <summary>It ended with an exception.</summary>
    Failed,

    /// <summary>Somebody ended it by hand.</summary>
    Terminated,
}
