namespace ScaleOut.Orchestration;

/// <summary>
/// The figures of a run that has ended, for those who do not read its whole report. Rates and RU are rounded to 0.01, latencies to 0.001
/// ms.
/// </summary>
public sealed record RunTotals
{
    /// <summary>When the orchestration began, UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>When the last worker had ended, UTC.</summary>
    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>Operations that got a 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged to the workload.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Legs that were begun and left no result; null in what earlier versions kept.</summary>
    public int? LostLegs { get; init; }

    /// <summary>
    /// Documents inserted / <see cref="MakespanSeconds"/>; null when nothing ran, and when the run's times cannot be right.
    /// </summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>
    /// From the first worker's start to the last worker's end without interruptions; null as the rate is, and in what earlier versions
    /// kept.
    /// </summary>
    public double? MakespanSeconds { get; init; }

    /// <summary>Median of the latency of an operation with its waits, ms; null when nothing was measured, and in what earlier versions
    /// kept.</summary>
    public double? P50Ms { get; init; }

    /// <summary>99th percentile of the latency of an operation with its waits, ms; null when nothing was measured.</summary>
    public double? P99Ms { get; init; }

    /// <summary>What bound the run in a few words, such as <c>request units</c>; null when nothing ran, and in what earlier versions
    /// kept.</summary>
    public string? BoundBy { get; init; }

    /// <summary>The same in a sentence, with the change that would help.</summary>
    public string? Verdict { get; init; }
}

/// <summary>Documents by what became of them.</summary>
public sealed record DocumentCounts
{
    public long Inserted { get; init; }

    /// <summary>Found there already, from a lost leg.</summary>
    public long AlreadyPresent { get; init; }

    /// <summary>Got a status that no retry can help.</summary>
    public long Failed { get; init; }

    /// <summary>Documents that are finished, in whichever way.</summary>
    public long Done => Inserted + AlreadyPresent + Failed;

    /// <summary>The counts with those of a leg added.</summary>
    public DocumentCounts Plus(LegOutput leg)
    {
        return new()
        {
            Inserted = Inserted + leg.Inserted,
            AlreadyPresent = AlreadyPresent + leg.AlreadyPresent,
            Failed = Failed + leg.Failed,
        };
    }
}

/// <summary>What a worker's ended legs came to, as far as they left results.</summary>
public sealed record WorkerTotals
{
    public long Inserted { get; init; }

    /// <summary>Found there already, from a lost leg.</summary>
    public long AlreadyPresent { get; init; }

    /// <summary>Documents that no retry can help.</summary>
    public long Failed { get; init; }

    /// <summary>Operations that got a 429.</summary>
    public long Throttled { get; init; }

    public double RequestUnits { get; init; }

    /// <summary>Time at work, without what lies between legs.</summary>
    public double Seconds { get; init; }

    /// <summary>The totals with those of a leg added.</summary>
    public WorkerTotals Plus(LegOutput leg)
    {
        return new()
        {
            Inserted = Inserted + leg.Inserted,
            AlreadyPresent = AlreadyPresent + leg.AlreadyPresent,
            Failed = Failed + leg.Failed,
            Throttled = Throttled + leg.Throttled,
            RequestUnits = RequestUnits + leg.RequestUnits,
            Seconds = Seconds + leg.Seconds,
        };
    }
}
