namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>How many physical partitions a new container gets, and whether they burst.</summary>
/// <param name="PhysicalPartitions">For every container; null means <see cref="SimulationSpec.DefaultPartitionsFor"/>.</param>
/// <param name="Burst">See <see cref="RequestUnitBudget"/>.</param>
/// <param name="RetryAfter">What a 429 says.</param>
internal sealed record PartitionLayout(int? PhysicalPartitions, bool Burst, RetryAfter RetryAfter)
{
    /// <summary>How long a raise of the throughput takes that needs more partitions.</summary>
    public TimeSpan SplitDelay { get; init; }

    /// <summary>What a partition and a partition key can hold.</summary>
    public StorageLimits Storage { get; init; } = new(Factor: 1);

    /// <summary>Partitions of a new container.</summary>
    /// <param name="throughput">RU/s; with autoscale the maximum.</param>
    /// <param name="dense">With autoscale, and of a database whose containers share it.</param>
    public int CountFor(int throughput, bool dense) => PhysicalPartitions ?? SimulationSpec.DefaultPartitionsFor(throughput, dense);

    /// <summary>Partitions that a container has at least once its throughput is raised; 1 where their number is set.</summary>
    public int FewestFor(int throughput) =>
        PhysicalPartitions is null ? SimulationSpec.DefaultPartitionsFor(throughput, dense: true) : 1;

    /// <summary>RU/s of each partition: while there are too few, what one can serve.</summary>
    public double ShareOf(int throughput, int partitions)
    {
        double share = (double)throughput / partitions;
        return partitions < FewestFor(throughput) ? Math.Min(share, SimulationSpec.MaxRequestUnitsPerPartition) : share;
    }
}

/// <summary>
/// The physical partitions of a container at one time, never changed: a split or a merge makes another map. Ordinals are range
/// ids; they are not used again, so that partitions whose documents have moved keep their places and what was prepared for
/// one of them finds it, and is rejected.
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

    /// <summary>Every partition there ever was, by ordinal.</summary>
    public PhysicalPartition[] All { get; }

    /// <summary>Those that hold the documents, in the order of their ranges.</summary>
    public IReadOnlyList<PhysicalPartition> Live => _live;

    /// <summary>0 for the partitions that the container was created with; one more with every split and merge.</summary>
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

    /// <summary>The map of partitions that an earlier process left, by ordinal.</summary>
    public static PartitionMap Restore(PartitionKeyVersion version, PhysicalPartition[] all, int revision) =>
        new(version, all, all.Where(partition => partition.Status != PartitionStatus.Split), revision);

    /// <summary>The partition that holds a position.</summary>
    public PhysicalPartition Find(EffectivePartitionKey position) => _live[_ranges.IndexOf(position)];

    /// <summary>The partition whose range follows; null behind the last.</summary>
    public PhysicalPartition? Following(PhysicalPartition partition)
    {
        int index = Array.IndexOf(_live, partition);
        return index >= 0 && index + 1 < _live.Length ? _live[index + 1] : null;
    }

    /// <summary>The map in which other partitions stand for some: two for one that is split, one for two that are merged.</summary>
    public PartitionMap Replace(IReadOnlyList<PhysicalPartition> parents, IReadOnlyList<PhysicalPartition> children) =>
        new(_ranges.Version, [.. All, .. children], _live.Except(parents).Concat(children), Revision + 1);
}

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
