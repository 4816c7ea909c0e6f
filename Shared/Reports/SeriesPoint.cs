namespace ScaleOut.Reports;

/// <summary>What all workers did in one whole UTC second; operations count in the second in which they ended.</summary>
public sealed record SeriesPoint
{
    /// <summary>Start of the second, UTC.</summary>
    public required DateTimeOffset Second { get; init; }

    /// <summary>Documents inserted.</summary>
    public required long Inserted { get; init; }

    /// <summary>Attempts answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>Documents that no retry can help.</summary>
    public required long Failed { get; init; }

    /// <summary>RU charged to the workload.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Whether all workers were at work in it, so that it counts for <see cref="ThroughputReport.OverlapPerSecond"/>.</summary>
    public required bool Overlap { get; init; }
}
