namespace ScaleOut.Specs;

/// <summary>Physics of the simulated account.</summary>
public sealed record SimulationSpec
{
    /// <summary>RU/s that one physical partition is given when their number is not set.</summary>
    public const int RequestUnitsPerPartition = 6_000;

    /// <summary>
    /// Most physical partitions that a container is given when their number is not set. The clients of one machine have too few operations in flight to fill
    /// the bulk requests of more; above 320,000 RU/s each partition then has a larger budget than a real one can have, which the report says.
    /// </summary>
    public const int MostPartitionsUnasked = 32;

    /// <summary>Most RU/s that a physical partition of a real account can serve.</summary>
    public const int MostRequestUnitsPerPartition = 10_000;

    /// <summary>RU/s up to which a partition with burst credit can go, and below which it must be to have any.</summary>
    public const int BurstRequestUnitsPerSecond = 3_000;

    /// <summary>Seconds whose unused RU a partition banks as burst credit at most.</summary>
    public const int BurstBankSeconds = 300;

    /// <summary>Most physical partitions that a container can have.</summary>
    public const int MostPhysicalPartitions = 4_096;

    /// <summary>Most splits of one account.</summary>
    public const int MostSplits = 100;

    /// <summary>The account's consistency when it is not set.</summary>
    public const ConsistencyLevel DefaultConsistency = ConsistencyLevel.Session;

    /// <summary>Physical partitions of each container, 1 to 4,096. Null means ceil(throughput / 6,000), at most 32.</summary>
    public int? PhysicalPartitions { get; init; }

    /// <summary>Default <see cref="LatencyProfile.SameRegion"/>.</summary>
    public LatencyProfile? Latency { get; init; }

    /// <summary>The account's consistency. Null means <see cref="ConsistencyLevel.Session"/>.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>Whether partitions under 3,000 RU/s bank up to 300 s of unused RU and spend them at up to 3,000 RU/s. Default false.</summary>
    public bool Burst { get; init; }

    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>Splits that happen while the run goes on, up to 100.</summary>
    public IReadOnlyList<PartitionSplit> Splits { get; init; } = [];

    /// <summary>Physical partitions of a container with so many RU/s.</summary>
    public int PartitionsFor(int throughput) => PhysicalPartitions ?? DefaultPartitionsFor(throughput);

    /// <summary>Physical partitions of a container with so many RU/s where their number is not set.</summary>
    public static int DefaultPartitionsFor(int throughput) =>
        Math.Clamp((throughput + RequestUnitsPerPartition - 1) / RequestUnitsPerPartition, 1, MostPartitionsUnasked);
}
