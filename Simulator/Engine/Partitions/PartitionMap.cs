namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>
/// The physical partitions of a container at one time. It is immutable: a split or merge creates a new map. Ordinals are range ids and are
/// never reused, so that a request that was prepared for a former partition finds that partition and is rejected.
/// </summary>
internal sealed class PartitionMap
{
    private readonly PartitionKeyRangeMap _ranges;
    private readonly PhysicalPartition[] _live;

    private PartitionMap(PartitionKeyVersion version, PhysicalPartition[] all, IEnumerable<PhysicalPartition> live, int revision)
    {
        All = all;
        _live = [.. live.OrderBy(partition => partition.Range.Start.Position)];
        _ranges = PartitionKeyRangeMap.FromEdges(version, _live.Select(partition => partition.Range.MinInclusive));
        Revision = revision;
    }

    /// <summary>Current and former partitions, by ordinal.</summary>
    public PhysicalPartition[] All { get; }

    /// <summary>The partitions that hold the documents, in the order of their ranges.</summary>
    public IReadOnlyList<PhysicalPartition> Live => _live;

    /// <summary>0 at creation; each split and merge adds one.</summary>
    public int Revision { get; }

    public static PartitionMap Create(PartitionKeyVersion version, int count, Func<int, PartitionRange, PhysicalPartition> create)
    {
        var even = PartitionKeyRangeMap.Even(version, count);
        PhysicalPartition[] all =
        [
            .. Enumerable.Range(0, count).Select(
                i => create(i, new PartitionRange(even.Start(i), even.End(i), even.MinInclusive(i), even.MaxExclusive(i)))),
        ];
        return new PartitionMap(version, all, all, revision: 0);
    }

    /// <summary>Restores the map of an earlier process.</summary>
    public static PartitionMap Restore(PartitionKeyVersion version, PhysicalPartition[] all, int revision) =>
        new(version, all, all.Where(partition => partition.Status != PartitionStatus.Split), revision);

    /// <summary>The partition with a range id; null if there is none or it was split.</summary>
    public PhysicalPartition? FindRange(ReadOnlySpan<char> id) =>
        int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var ordinal) ? FindRange(ordinal) : null;

    public PhysicalPartition? FindRange(int ordinal) =>
        ordinal >= 0 && ordinal < All.Length && All[ordinal].Status != PartitionStatus.Split ? All[ordinal] : null;

    public PhysicalPartition Find(EffectivePartitionKey position) => _live[_ranges.IndexOf(position)];

    /// <summary>The partition of the following range; null for the last one.</summary>
    public PhysicalPartition? Following(PhysicalPartition partition)
    {
        var index = Array.IndexOf(_live, partition);
        return index >= 0 && index + 1 < _live.Length ? _live[index + 1] : null;
    }

    /// <summary>The map after a split into two partitions, or a merge of two.</summary>
    public PartitionMap Replace(IReadOnlyList<PhysicalPartition> parents, IReadOnlyList<PhysicalPartition> children) =>
        new(_ranges.Version, [.. All, .. children], _live.Except(parents).Concat(children), Revision + 1);
}

/// <summary>The hashed keys of one physical partition, as positions and as the service writes them.</summary>
internal sealed record PartitionRange(EffectivePartitionKey Start, EffectivePartitionKey End, string MinInclusive, string MaxExclusive)
{
    /// <summary>Two halves with the same number of hashes; null for a single hash.</summary>
    public (PartitionRange Low, PartitionRange High)? Halve(PartitionKeyVersion version)
    {
        var middle = version == PartitionKeyVersion.V1 ? MiddleOfHash32() : MiddleOfHash128();
        if (middle.Position <= Start.Position || middle.Position >= End.Position)
            return null;
        var edge = middle.ToEdge(version);
        return (this with { End = middle, MaxExclusive = edge }, this with { Start = middle, MinInclusive = edge });
    }

    private EffectivePartitionKey MiddleOfHash128()
    {
        var end = UInt128.Min(End.Position, UInt128.One << 126);
        return new(Start.Position + ((end - Start.Position) / 2));
    }

    /// <summary>Finds the middle among the hashes, because version 1 positions are not spread evenly.</summary>
    private EffectivePartitionKey MiddleOfHash32()
    {
        var first = FirstHashFrom(Start);
        return EffectivePartitionKey.OfHash32((uint)(first + ((FirstHashFrom(End) - first) / 2)));
    }

    private static ulong FirstHashFrom(EffectivePartitionKey edge)
    {
        ulong low = 0;
        var high = 1UL << 32;
        while (low < high)
        {
            var middle = low + ((high - low) / 2);
            if (EffectivePartitionKey.OfHash32((uint)middle).Position < edge.Position)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }
}
