using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>The hashed keys of one physical partition.</summary>
/// <param name="Start">First position.</param>
/// <param name="End">First position behind.</param>
/// <param name="MinInclusive">The start as the service writes it.</param>
/// <param name="MaxExclusive">The end as the service writes it.</param>
internal sealed record PartitionRange(EffectivePartitionKey Start, EffectivePartitionKey End, string MinInclusive, string MaxExclusive)
{
    /// <summary>Two halves with as many hashes each; null when there is but one hash.</summary>
    public (PartitionRange Low, PartitionRange High)? Halve(PartitionKeyVersion version)
    {
        EffectivePartitionKey middle = version == PartitionKeyVersion.V1 ? MiddleOfHash32() : MiddleOfHash128();
        if (middle.Position <= Start.Position || middle.Position >= End.Position)
            return null;
        string edge = middle.ToEdge(version);
        return (this with { End = middle, MaxExclusive = edge }, this with { Start = middle, MinInclusive = edge });
    }

    private EffectivePartitionKey MiddleOfHash128()
    {
        UInt128 end = UInt128.Min(End.Position, UInt128.One << 126);
        return new(Start.Position + ((end - Start.Position) / 2));
    }

    /// <summary>Version 1 positions are not spread evenly, so the middle is looked for among the hashes.</summary>
    private EffectivePartitionKey MiddleOfHash32()
    {
        ulong first = FirstHashFrom(Start);
        return EffectivePartitionKey.OfHash32((uint)(first + ((FirstHashFrom(End) - first) / 2)));
    }

    private static ulong FirstHashFrom(EffectivePartitionKey edge)
    {
        ulong low = 0;
        ulong high = 1UL << 32;
        while (low < high)
        {
            ulong middle = low + ((high - low) / 2);
            if (EffectivePartitionKey.OfHash32((uint)middle).Position < edge.Position)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }
}
