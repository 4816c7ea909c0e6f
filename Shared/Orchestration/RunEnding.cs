namespace ScaleOut.Orchestration;

/// <summary>What the orchestration knows when all workers have ended. The report is made from this and the run store.</summary>
public sealed record RunEnding
{
    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Null if the run could not start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether the account is the simulated one. If the run could not start, only its spec says so.</summary>
    public bool Simulated => Container?.Simulated ?? Spec.Simulation is not null;

    /// <summary>Whether the run was stopped before its container was ready.</summary>
    public bool StoppedInPreparation { get; init; }

    /// <summary>Why the run could not start; empty otherwise.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];

    /// <summary>Outcomes by worker index; empty if the run could not start.</summary>
    public IReadOnlyList<WorkerOutcome> Workers { get; init; } = [];

    /// <summary>Changes of the container's RU/s while the workers were at work, in their order; null if there were none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<AppliedThroughput>? ThroughputChanges { get; init; }

    /// <summary>Why changes that the spec asks for were not made, as sentences; null if all were.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? ThroughputFailures { get; init; }

    /// <summary>Null if the run could not start.</summary>
    public Verification? Verification { get; init; }

    /// <summary>The delays that the simulated account measured; null for other accounts, and if they could not be read.</summary>
    public DeliveredDelays? Delays { get; init; }
}

/// <summary>Identifies the stored ending that a report is to be made from.</summary>
/// <param name="FinishedAt">Time of the ending. It differs from that of an earlier start of the run.</param>
public sealed record KeptEnding(string RunId, DateTimeOffset FinishedAt)
{
    public bool Is(RunEnding? ending) => ending is not null && ending.FinishedAt == FinishedAt;
}
