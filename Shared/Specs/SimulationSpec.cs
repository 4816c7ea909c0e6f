using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>Physics of the simulated account.</summary>
public sealed record SimulationSpec
{
    /// <summary>RU/s that one physical partition is given when their number is not set.</summary>
    public const int RequestUnitsPerPartition = 6_000;

    /// <summary>
    /// Most physical partitions that a container is given when their number is not set. The clients of one machine have too few operations
    /// in flight to fill the bulk requests of more; above 320,000 RU/s each partition then has a larger budget than a real one can have,
    /// which the report says.
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

    /// <summary>
    /// Whether partitions under 3,000 RU/s bank up to 300 s of unused RU and spend them at up to 3,000 RU/s. Default false.
    /// </summary>
    public bool Burst { get; init; }

    /// <summary>What operations cost. Null means as documented.</summary>
    public ChargeSpec? Charges { get; init; }

    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>Splits that happen while the run goes on, up to 100.</summary>
    public IReadOnlyList<PartitionSplit> Splits { get; init; } = [];

    /// <summary>Physical partitions of a container with so many RU/s.</summary>
    public int PartitionsFor(int throughput) => PhysicalPartitions ?? DefaultPartitionsFor(throughput);

    /// <summary>Physical partitions of a container with so many RU/s where their number is not set.</summary>
    public static int DefaultPartitionsFor(int throughput) =>
        Math.Clamp((throughput + RequestUnitsPerPartition - 1) / RequestUnitsPerPartition, 1, MostPartitionsUnasked);
}

/// <summary>
/// One fault of the simulated account. A request that matches every given condition is hit with the given probability, until
/// <see cref="MaxHits"/>. At least one of <see cref="Status"/>, <see cref="DelayMs"/> and <see cref="CloseConnection"/> is given.
/// </summary>
public sealed record FaultRule
{
    /// <summary>Largest <see cref="FromSeconds"/> and <see cref="UntilSeconds"/>.</summary>
    public const double MostSeconds = 1_000_000;

    /// <summary>Which operations; null means every document operation.</summary>
    public FaultOperation? Operation { get; init; }

    /// <summary>Null means both.</summary>
    public ConnectionMode? ConnectionMode { get; init; }

    /// <summary>Ordinal of the physical partition; null means all.</summary>
    public int? Partition { get; init; }

    /// <summary>Seconds since the account's first document operation from which the rule holds, 0 to 1,000,000. Default 0.</summary>
    public double FromSeconds { get; init; }

    /// <summary>
    /// Seconds since the account's first document operation until which the rule holds, after <see cref="FromSeconds"/>; null means for
    /// ever.
    /// </summary>
    public double? UntilSeconds { get; init; }

    /// <summary>Chance of a hit, above 0 to 1. Default 1.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>Hits after which the rule is spent, 1 to 1,000,000,000,000; null means no limit.</summary>
    public long? MaxHits { get; init; }

    /// <summary>HTTP status to respond with, 400 to 599, instead of doing the operation.</summary>
    public int? Status { get; init; }

    /// <summary>Sub-status beside <see cref="Status"/>, 0 and more. Null means 0.</summary>
    public int? SubStatus { get; init; }

    /// <summary>Time to wait before anything else is done, above 0 to 600,000 ms.</summary>
    public double? DelayMs { get; init; }

    /// <summary>Whether the connection is closed instead of responding.</summary>
    public bool CloseConnection { get; init; }

    /// <summary>Whether the operation is done before the fault shows: the client cannot know the outcome. Default false.</summary>
    public bool AfterOperation { get; init; }
}

/// <summary>Document operations that a <see cref="FaultRule"/> can pick.</summary>
public enum FaultOperation
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>A TransactionalBatch or a bulk request as a whole.</summary>
    Batch,

    Query,

    Patch,
}

/// <summary>
/// Latency that the simulated account adds. In JSON a profile's name, or an object with these four numbers (each 0 to 10,000 ms).
/// </summary>
[JsonConverter(typeof(LatencyProfileConverter))]
public sealed record LatencyProfile
{
    /// <summary>No added latency: everything is bound by CPU.</summary>
    public static readonly LatencyProfile None = new() { Name = "none" };

    /// <summary>Client and account in one region: 1.3 ms round trip, 2 ms gateway hop, writes around 4 ms, reads 1.5 ms.</summary>
    public static readonly LatencyProfile SameRegion = new()
    {
        Name = "same-region", RoundTripMs = 1.3, GatewayHopMs = 2, WriteMedianMs = 4, ReadMedianMs = 1.5,
    };

    /// <summary>Client on another continent: 80 ms round trip, the rest as <see cref="SameRegion"/>.</summary>
    public static readonly LatencyProfile CrossRegion = SameRegion with { Name = "cross-region", RoundTripMs = 80 };

    /// <summary>All profiles that have a name.</summary>
    public static readonly IReadOnlyList<LatencyProfile> Named = [None, SameRegion, CrossRegion];

    /// <summary>Null for one that was given by its numbers.</summary>
    public string? Name { get; init; }

    /// <summary>Network round trip between client and account, in both modes.</summary>
    public double RoundTripMs { get; init; }

    /// <summary>The gateway's extra hop, in Gateway mode only.</summary>
    public double GatewayHopMs { get; init; }

    /// <summary>Median service time of a write; log-normal.</summary>
    public double WriteMedianMs { get; init; }

    /// <summary>Median service time of a read or a query page; log-normal.</summary>
    public double ReadMedianMs { get; init; }
}

/// <summary>
/// A split of a physical partition of the simulated account while a run goes on: two partitions with new ordinals stand for it, and all
/// share the throughput again. The first split of a container with n partitions brings n and n + 1, the next one n + 2 and n + 3.
/// </summary>
public sealed record PartitionSplit
{
    /// <summary>
    /// Seconds since the account's first document operation, 0 to 1,000,000. It happens at the next operation after that.
    /// </summary>
    public double AfterSeconds { get; init; }

    /// <summary>Ordinal of the physical partition, in every container that has it then.</summary>
    public int Partition { get; init; }
}
