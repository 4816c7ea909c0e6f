using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;

namespace ScaleOut.Simulator.Direct;

/// <summary>What one answer says.</summary>
internal struct DirectAnswer
{
    public OperationResult Result;

    /// <summary>The partition that answers; null when none was found.</summary>
    public PhysicalPartition? Partition;

    public ReadOnlyMemory<byte> Body;

    /// <summary>Documents on the page of a query; null for anything else.</summary>
    public int? ItemCount;

    public string? Continuation;
}
