namespace ScaleOut.Orchestration;

/// <summary>
/// The figures of a run that has ended, for those who do not read its whole report. Rates are rounded to 0.01, latencies to 0.001 ms.
/// </summary>
public sealed record RunTotals
{
    /// <summary>When the orchestration began, UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the last worker had ended, UTC.</summary>
    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Legs that were begun and left no result.</summary>
    public int LostLegs { get; init; }

    /// <summary>Machines or function instances that workers ran on.</summary>
    public int DistinctInstances { get; init; }

    /// <summary>Inserted / <see cref="MakespanSeconds"/>; null when nothing ran, and when the run's times cannot be right.</summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>From the first worker's start to the last worker's end without interruptions; null as the rate is.</summary>
    public double? MakespanSeconds { get; init; }

    /// <summary>Of an operation with its waits; all null when nothing was measured.</summary>
    public LatencySummary LatencyMs { get; init; } = new();

    /// <summary>What bound the run in a few words, such as <c>request units</c>; null when nothing ran.</summary>
    public string? BoundBy { get; init; }

    /// <summary>The same in a sentence, with the change that would help.</summary>
    public string? Verdict { get; init; }
}

/// <summary>What a worker's ended legs came to, as far as they left results.</summary>
/// <param name="Seconds">Time at work, without what lies between legs.</param>
public sealed record WorkerTotals(Counts Counts, double Seconds)
{
    public static readonly WorkerTotals None = new(default, 0);

    /// <summary>The totals with those of a leg added.</summary>
    public WorkerTotals Plus(LegOutput leg) => new(Counts + leg.Counts, Seconds + leg.Seconds);
}
