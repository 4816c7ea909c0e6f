namespace ScaleOut.Reports;

/// <summary>Documents inserted per second, counted in two ways. Documents that were already present count in neither.</summary>
public sealed record ThroughputReport
{
    /// <summary>Inserted / (last end - first start), as published tables count; for a worker between its own start and end. Null when nothing ran.</summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>
    /// Inserted per second over the whole UTC seconds in which all workers were at work: past warm-up, none finished, none between two legs.
    /// For a worker its own share of it. Null when there are fewer than 5 such seconds.
    /// </summary>
    public double? OverlapPerSecond { get; init; }

    /// <summary>Seconds that <see cref="OverlapPerSecond"/> rests on.</summary>
    public required int OverlapSeconds { get; init; }
}
