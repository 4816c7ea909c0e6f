namespace ScaleOut.Orchestration;

/// <summary>How a worker ended.</summary>
public sealed record WorkerOutcome
{
    public required int Worker { get; init; }

    public required WorkerEnd End { get; init; }

    public required DocumentCounts Documents { get; init; }

    /// <summary>Documents of its slice that it did not finish.</summary>
    public required long Remaining { get; init; }

    /// <summary>Why it failed; null otherwise.</summary>
    public string? Reason { get; init; }
}
