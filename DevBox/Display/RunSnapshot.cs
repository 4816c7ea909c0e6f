using ScaleOut.Orchestration;

namespace ScaleOut.DevBox.Display;

/// <summary>A run at one instant, as it is shown.</summary>
internal sealed record RunSnapshot
{
    public required RunPhase Phase { get; init; }

    public required bool Stopping { get; init; }

    public required TimeSpan Elapsed { get; init; }

    public required long Asked { get; init; }

    public required Totals Totals { get; init; }

    public required LiveRates Rates { get; init; }

    public required int LostLegs { get; init; }

    public required IReadOnlyList<WorkerRow> Workers { get; init; }

    public IReadOnlyList<PartitionRow> Partitions { get; init; } = [];

    /// <summary>What went wrong and is tried again, the newest first.</summary>
    public IReadOnlyList<RunWarning> Warnings { get; init; } = [];

    /// <summary>Null while nothing can be said.</summary>
    public TimeSpan? Remaining { get; init; }

    public double DoneShare => Asked == 0 ? 0 : Math.Clamp((double)Totals.Documents / Asked, 0, 1);
}
