namespace ScaleOut.Analysis.Reports;

/// <summary>What one worker did, over all its legs.</summary>
public sealed record WorkerReport
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>Its effective client settings.</summary>
    public required ClientSettings Settings { get; init; }

    public required ReportedDocuments Documents { get; init; }

    public required ReportedRequests Requests { get; init; }

    public required ThroughputReport Throughput { get; init; }

    public required RequestUnitReport RequestUnits { get; init; }

    public required LatencyReport LatencyMs { get; init; }

    /// <summary>The machine of its last leg. Times, collections and pauses are summed over all legs. Null without results.</summary>
    public MachineReport? Machine { get; init; }

    /// <summary>Median of ten TCP connects to the account, ms; null when it was not measured.</summary>
    public double? RoundTripMs { get; init; }

    /// <summary>When it was first at work; null when it never was.</summary>
    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>When it was last at work; null when it never was.</summary>
    public DateTimeOffset? EndedAt { get; init; }

    /// <summary>How long after the common start instant it started, ms; null when its first leg left no result.</summary>
    public double? StartLatenessMs { get; init; }

    /// <summary>
    /// How far its clock was ahead of the one that set the common start, ms; null when its first leg left no result.
    /// </summary>
    public ClockSkew? ClockSkewMs { get; init; }

    /// <summary>Time between the end of a leg and the start of the next one, summed, without interruptions. Includes lost legs.</summary>
    public required double IdleBetweenLegsSeconds { get; init; }

    /// <summary>CPU time of its process while at work, summed over its legs.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Share of its cores in its busiest second among those that say what bound the run, 0 to 1; null without any.</summary>
    public double? CpuShareMax { get; init; }

    /// <summary>Documents inserted in each second of <see cref="RunReport.Series"/>, entry by entry.</summary>
    public IReadOnlyList<long> PerSecond { get; init; } = [];
}
