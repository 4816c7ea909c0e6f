namespace ScaleOut.Orchestration;

/// <summary>What the orchestration knows when all workers have ended; with the run store it makes the report.</summary>
public sealed record RunEnding
{
    /// <summary>The run's spec, with its id.</summary>
    public required RunSpec Spec { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Null when the run could not start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether the account is the simulated one; of a run that could not start only its spec says so.</summary>
    public bool Simulated => Container?.Simulated ?? Spec.Simulation is not null;

    /// <summary>Whether the run was stopped before its container was ready.</summary>
    public bool StoppedInPreparation { get; init; }

    /// <summary>Why the run could not start; empty otherwise.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];

    /// <summary>By index; empty when the run could not start.</summary>
    public IReadOnlyList<WorkerOutcome> Workers { get; init; } = [];

    /// <summary>Null when the run could not start.</summary>
    public Verification? Verification { get; init; }

    /// <summary>What the simulated account measured of its own delays; null for other accounts, and where it could not be read.</summary>
    public DeliveredDelays? Delays { get; init; }

    /// <summary>Whether legs whose results turn out to be damaged can still be run again before the report is made.</summary>
    public bool MayRepeat { get; init; }
}

/// <summary>Which ending a report is to be made from.</summary>
/// <param name="FinishedAt">The ending's own, as <paramref name="MayRepeat"/>: the ending of an earlier report has others.</param>
public sealed record KeptEnding(string RunId, DateTimeOffset FinishedAt, bool MayRepeat)
{
    public bool Is(RunEnding? ending) => ending is not null && (ending.FinishedAt, ending.MayRepeat) == (FinishedAt, MayRepeat);
}
