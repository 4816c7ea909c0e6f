namespace ScaleOut.Specs;

/// <summary>
/// A split of a physical partition of the simulated account while a run goes on: two partitions with new ordinals stand for it, and all share the throughput
/// anew. The first split of a container with n partitions brings n and n + 1, the next one n + 2 and n + 3.
/// </summary>
public sealed record PartitionSplit
{
    /// <summary>Seconds since the account's first document operation, 0 to 1,000,000. It happens at the next operation after that.</summary>
    public double AfterSeconds { get; init; }

    /// <summary>Ordinal of the physical partition, in every container that has it then.</summary>
    public int Partition { get; init; }
}
