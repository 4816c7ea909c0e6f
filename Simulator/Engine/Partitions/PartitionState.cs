namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>What of a physical partition outlives its process, but for its documents. What it counted goes with the process.</summary>
internal sealed record PartitionState
{
    public required int Ordinal { get; init; }

    public required string MinInclusive { get; init; }

    public required string MaxExclusive { get; init; }

    public required long Lsn { get; init; }

    /// <summary>The last number that it gave a document.</summary>
    public required long LastNumber { get; init; }

    public required IReadOnlyList<string> Parents { get; init; }

    /// <summary>See <see cref="PhysicalPartition.Shifts"/>; null for none.</summary>
    public IReadOnlyDictionary<string, long>? Shifts { get; init; }

    public required int Revision { get; init; }

    /// <summary>Whether its documents are in other partitions now.</summary>
    public required bool WasSplit { get; init; }
}
