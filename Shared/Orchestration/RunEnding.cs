namespace ScaleOut.Orchestration;

/// <summary>What the orchestration knows when all workers have ended. The report is made from this and the run store.</summary>
public sealed record RunEnding
{
    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Null when the run could not start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether the account is the simulated one. If the run could not start, only its spec says so.</summary>
    public bool Simulated => Container?.Simulated ?? Spec.Simulation is not null;

    /// <summary>Whether the run was stopped before its container was ready.</summary>
    public bool StoppedInPreparation { get; init; }

    /// <summary>Why the run could not start; empty otherwise.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];

    /// <summary>By index; empty when the run could not start.</summary>
    public IReadOnlyList<WorkerOutcome> Workers { get; init; } = [];

    /// <summary>Null when the run could not start.</summary>
    public Verification? Verification { get; init; }

    /// <summary>What the simulated account measured of its own delays; null for other accounts, and if it could not be read.</summary>
    public DeliveredDelays? Delays { get; init; }
}

/// <summary>Which ending a report is to be made from.</summary>
/// <param name="FinishedAt">The ending's own: the ending of an earlier start has another.</param>
public sealed record KeptEnding(string RunId, DateTimeOffset FinishedAt)
{
    public bool Is(RunEnding? ending) => ending is not null && ending.FinishedAt == FinishedAt;
}
