namespace ScaleOut.Specs;

/// <summary>Physics of the simulated account.</summary>
public sealed record SimulationSpec
{
    /// <summary>RU/s that one physical partition is given when their number is not set.</summary>
    public const int RequestUnitsPerPartition = 6_000;

    /// <summary>Most physical partitions that a container can have.</summary>
    public const int MostPhysicalPartitions = 4_096;

    /// <summary>The account's consistency when it is not set.</summary>
    public const ConsistencyLevel DefaultConsistency = ConsistencyLevel.Session;

    /// <summary>Physical partitions of each container, 1 to 4,096. Null means ceil(throughput / 6,000).</summary>
    public int? PhysicalPartitions { get; init; }

    /// <summary>Default <see cref="LatencyProfile.SameRegion"/>.</summary>
    public LatencyProfile? Latency { get; init; }

    /// <summary>The account's consistency. Null means <see cref="ConsistencyLevel.Session"/>.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>Whether partitions under 3,000 RU/s bank up to 300 s of unused RU and spend them at up to 3,000 RU/s. Default false.</summary>
    public bool Burst { get; init; }

    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>Physical partitions of a container with so many RU/s.</summary>
    public int PartitionsFor(int throughput) => PhysicalPartitions ?? Math.Max(1, (throughput + RequestUnitsPerPartition - 1) / RequestUnitsPerPartition);
}
