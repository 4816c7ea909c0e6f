namespace ScaleOut.DevBox.Progress;

/// <summary>A run at one instant, as it is shown.</summary>
internal sealed record RunSnapshot
{
    public required RunPhase Phase { get; init; }

    public required bool Stopping { get; init; }

    public required TimeSpan Elapsed { get; init; }

    public required long Asked { get; init; }

    /// <summary>Whether the run writes to a table, which has no RU.</summary>
    public bool UsesTables { get; init; }

    public required Totals Totals { get; init; }

    public required LiveRates Rates { get; init; }

    /// <summary>Of the last seconds, all workers together; null where no operation ended in them.</summary>
    public LiveLatency? Latency { get; init; }

    public required int LostLegs { get; init; }

    public required IReadOnlyList<WorkerRow> Workers { get; init; }

    public IReadOnlyList<PartitionRow> Partitions { get; init; } = [];

    /// <summary>What went wrong and is tried again, the newest first.</summary>
    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>Null while nothing can be said.</summary>
    public TimeSpan? Remaining { get; init; }

    public double DoneShare => Asked == 0 ? 0 : Math.Clamp((double)Totals.Documents / Asked, 0, 1);
}

/// <summary>What was counted up to some instant.</summary>
internal readonly record struct Totals(long Documents, long Throttled, double RequestUnits)
{
    public static Totals operator +(Totals left, Totals right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);
}

/// <summary>What is counted per second.</summary>
internal readonly record struct LiveRates(double Documents, double Throttled, double RequestUnits)
{
    public static LiveRates operator +(LiveRates left, LiveRates right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);
}
