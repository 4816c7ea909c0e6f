namespace ScaleOut.Specs;

/// <summary>Physics of the simulated account.</summary>
public record SimulationSpec
{
    /// <summary>
    /// RU/s for each physical partition of a new container with manual throughput (Azure Cosmos DB documentation, "Best practices for
    /// scaling provisioned throughput"). With autoscale, and for throughput that the containers of a database share, it is
    /// <see cref="MaxRequestUnitsPerPartition"/>.
    /// </summary>
    public const int RequestUnitsPerPartition = 6_000;

    /// <summary>
    /// Maximum number of physical partitions of a container if the spec does not set it. The clients of one machine have too few operations
    /// in flight to fill the bulk requests of more partitions. Above 320,000 RU/s, each partition has more RU/s than a real one can have,
    /// and the report says so.
    /// </summary>
    public const int MaxDefaultPartitions = 32;

    /// <summary>Maximum RU/s of a physical partition of a real account.</summary>
    public const int MaxRequestUnitsPerPartition = 10_000;

    /// <summary>Maximum RU/s of a partition that uses burst credit. Only partitions with less than this get burst credit.</summary>
    public const int BurstRequestUnitsPerSecond = 3_000;

    /// <summary>Maximum burst credit of a partition, as the unused RU of this many seconds.</summary>
    public const int BurstBankSeconds = 300;

    /// <summary>Maximum number of physical partitions of a container.</summary>
    public const int MaxPhysicalPartitions = 4_096;

    /// <summary>The account's consistency if the spec does not set it.</summary>
    public const ConsistencyLevel DefaultConsistency = ConsistencyLevel.Session;

    private const int MaxChanges = 100;

    /// <summary>Largest ordinal of a partition. A container begins with at most 4,096; each split adds two and each merge one.</summary>
    internal const int MaxPartition = MaxPhysicalPartitions + (2 * MaxChanges) + MaxChanges - 1;

    /// <summary>
    /// Null means as many as the service creates. Only then do partitions split when the throughput is raised above 10,000 RU/s for each.
    /// </summary>
    [SpecField("Physical partitions of each container; when left out one for every {0} RU/s, with autoscale for every {1}, at most {2}.",
        RequestUnitsPerPartition, MaxRequestUnitsPerPartition, MaxDefaultPartitions, Min = 1, Max = MaxPhysicalPartitions)]
    public int? PhysicalPartitions { get; init; }

    [NamedSpecField<LatencyProfile>("A profile, or its numbers.", Default = LatencyProfile.DefaultName)]
    [JsonConverter(typeof(LatencyProfileConverter))]
    public LatencyProfile? Latency { get; init; }

    [SpecField("What a 429 says.")]
    public ThrottlingSpec? Throttling { get; init; }

    [SpecField("The account's consistency.", Default = DefaultConsistency)]
    public ConsistencyLevel? Consistency { get; init; }

    [SpecField("Whether partitions under {0} RU/s bank up to {1} s of unused RU, and spend them at up to {0} RU/s.",
        BurstRequestUnitsPerSecond, BurstBankSeconds)]
    public bool Burst { get; init; }

    [SpecField("Share of that bank which is full at the start: 1 is a container that was idle for {0} s.", BurstBankSeconds,
        Min = 0, Max = 1)]
    public double BurstBank { get; init; }

    [SpecField("What operations cost, as measured elsewhere; as documented when left out.")]
    public ChargeSpec? Charges { get; init; }

    [SpecField("The measured profile that these physics were taken from; it only describes them.")]
    public ProfileReference? Profile { get; init; }

    [SpecField("Faults that the account shows.", MaxItems = 1_000)]
    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>
    /// During this time each partition has at most 10,000 RU/s. Afterwards partitions split at the next operation. The service needs hours,
    /// typically 4 to 6.
    /// </summary>
    [SpecField("How long a raise of the throughput takes that needs more partitions.", Min = 0, Max = 24 * 60 * 60)]
    public TimeSpan SplitDelay { get; init; }

    [SpecField("Splits of physical partitions while the run goes on.", MaxItems = MaxChanges)]
    public IReadOnlyList<PartitionSplit> Splits { get; init; } = [];

    [SpecField("Merges of physical partitions while the run goes on.", MaxItems = MaxChanges)]
    public IReadOnlyList<PlannedMerge> Merges { get; init; } = [];

    /// <summary>
    /// With 1,000, a partition key is full at 20 MB, a physical partition splits at 50 MB, and every MB needs 1 RU/s. Without it, the
    /// memory of one machine hardly reaches the documented limits.
    /// </summary>
    [SpecField("Bytes that each byte counts as for 20 GB a partition key and 50 GB a physical partition.", Min = 1, Max = 1_000_000_000)]
    public int StorageFactor { get; init; } = 1;

    /// <summary>
    /// Number of partitions whose documents are in memory twice while they move: 2 for a merge, 1 for a split, 0 without either.
    /// </summary>
    public int MovingPartitions() => Merges.Count > 0 ? 2 : Splits.Count > 0 || StorageFactor > 1 ? 1 : 0;

    /// <summary>Physical partitions of a new container.</summary>
    public int PartitionsFor(ContainerSpec container) =>
        PhysicalPartitions ?? DefaultPartitionsFor(container.Throughput, container.IsDense);

    /// <summary>Physical partitions of a new container if their number is not set.</summary>
    /// <param name="throughput">RU/s; with autoscale the maximum.</param>
    /// <param name="dense">True with autoscale, and for throughput that the containers of a database share.</param>
    public static int DefaultPartitionsFor(int throughput, bool dense = false) =>
        Math.Clamp(ServicePartitionsFor(throughput, dense), 1, MaxDefaultPartitions);

    /// <summary>Physical partitions that the service creates for a new container, without the simulated account's maximum.</summary>
    /// <inheritdoc cref="DefaultPartitionsFor"/>
    public static int ServicePartitionsFor(int throughput, bool dense) =>
        (int)Math.Ceiling(throughput / (double)(dense ? MaxRequestUnitsPerPartition : RequestUnitsPerPartition));
}

/// <summary>
/// One fault of the simulated account. A request that matches every given condition is hit with the given probability, until
/// <see cref="MaxHits"/>. At least one of <see cref="Status"/>, <see cref="DelayMs"/> and <see cref="CloseConnection"/> is given.
/// </summary>
public sealed record FaultRule
{
    internal const double MaxSeconds = 1_000_000;

    [SpecField("Operations that it hits; all document operations when left out.")]
    public FaultOperation? Operation { get; init; }

    [SpecField("Clients that it hits; both when left out.")]
    public ConnectionMode? ConnectionMode { get; init; }

    [SpecField("Ordinal of the physical partition; all when left out.", Min = 0, Max = SimulationSpec.MaxPartition)]
    public int? Partition { get; init; }

    [SpecField("Start, since the account's first document operation.", Min = 0, Max = MaxSeconds)]
    public double FromSeconds { get; init; }

    [SpecField("End, since the account's first document operation; never when left out.", Min = 0, Max = MaxSeconds)]
    public double? UntilSeconds { get; init; }

    [SpecField("Chance of a hit.", Min = 1e-6, Max = 1)]
    public double Probability { get; init; } = 1;

    [SpecField("Hits after which the rule is spent; no limit when left out.", Min = 1, Max = 1e12)]
    public long? MaxHits { get; init; }

    [SpecField("HTTP status to respond with instead of doing the operation.", Min = 400, Max = 599)]
    public int? Status { get; init; }

    [SpecField("Sub-status beside the status.", Min = 0)]
    public int? SubStatus { get; init; }

    [SpecField("Time to wait before anything else is done.", Min = 0.001, Max = 600_000)]
    public double? DelayMs { get; init; }

    [SpecField("Whether the connection is closed instead of responding.")]
    public bool CloseConnection { get; init; }

    /// <summary>If true, the client cannot know whether the operation was done.</summary>
    [SpecField("Whether the operation is done before the fault shows.")]
    public bool AfterOperation { get; init; }
}

/// <summary>Document operations as callers of the SDK count them, of which a <see cref="FaultRule"/> can pick one.</summary>
public enum FaultOperation
{
    Create,
    Upsert,
    Replace,
    Read,
    Delete,

    /// <summary>A TransactionalBatch, or a bulk request, whose operations count in the ledger as their own kinds.</summary>
    Batch,

    /// <summary>One page of a query or feed from one physical partition.</summary>
    Query,
    Patch,
}

/// <summary>
/// A split of a physical partition of the simulated account during a run. Two partitions with new ordinals replace it, and the throughput
/// is divided over all partitions again. The first split of a container with n partitions adds n and n + 1, the next one n + 2 and n + 3.
/// </summary>
public sealed record PartitionSplit
{
    /// <summary>The change happens at the next operation after this time.</summary>
    [SpecField("When, since the account's first document operation.", Required = true, Min = 0, Max = FaultRule.MaxSeconds)]
    public double AfterSeconds { get; init; }

    /// <summary>Applies to every container that has the partition at that time.</summary>
    [SpecField("Ordinal of the physical partition; those that splits and merges bring are counted on.",
        Required = true, Min = 0, Max = SimulationSpec.MaxPartition)]
    public int Partition { get; init; }
}

/// <summary>
/// A merge of two physical partitions of the simulated account during a run. A partition with a new ordinal replaces the given one and the
/// one whose range follows, and the throughput is divided over all partitions again.
/// </summary>
public sealed record PlannedMerge
{
    /// <inheritdoc cref="PartitionSplit.AfterSeconds"/>
    [SpecField("When, since the account's first document operation.", Required = true, Min = 0, Max = FaultRule.MaxSeconds)]
    public double AfterSeconds { get; init; }

    /// <summary>Applies to every container that has the partition at that time.</summary>
    [SpecField("Ordinal of the physical partition that is merged with the one whose range follows.",
        Required = true, Min = 0, Max = SimulationSpec.MaxPartition)]
    public int Partition { get; init; }
}

/// <summary>
/// The <c>retry-after</c> of the simulated account's 429s. It is the time until the partition's balance is positive again, times a random
/// factor from 1 - <see cref="RetryAfterSpread"/> to 1 + <see cref="RetryAfterSpread"/> (evenly distributed), kept within the two bounds.
/// </summary>
/// <remarks>
/// The service documents no formula; its documentation shows <c>x-ms-retry-after-ms: 100</c>. Without the random factor, all operation
/// loops would retry in the same millisecond, which does not happen with a real account. The budget itself is renewed each second, because
/// the service documents that it evaluates the rate for each second ("Request Units in Azure Cosmos DB").
/// </remarks>
public sealed record ThrottlingSpec
{
    /// <summary>Maximum of the two bounds, in ms.</summary>
    public const int MaxRetryAfterMs = 60_000;

    /// <summary>Whether throttling is off, for tests of other programs. A spec cannot set it.</summary>
    [JsonIgnore]
    public bool IsOff { get; init; }

    /// <summary>The default is an assumption.</summary>
    [SpecField("Shortest retry-after.", Min = 1, Max = MaxRetryAfterMs)]
    public int RetryAfterMinMs { get; init; } = 10;

    /// <summary>The default is an assumption: after a second there is a new budget, so a longer wait is not needed.</summary>
    [SpecField("Longest retry-after.", Min = 1, Max = MaxRetryAfterMs)]
    public int RetryAfterMaxMs { get; init; } = 1_000;

    /// <summary>The default is an assumption. With 0, <c>retry-after</c> is always the exact time.</summary>
    [SpecField("How far a random factor goes from the time until there are RU again.", Min = 0, Max = 1)]
    public double RetryAfterSpread { get; init; } = 0.5;
}

/// <summary>
/// The measured profile that the settings of a simulated account come from. It only describes them in reports.
/// </summary>
public sealed record ProfileReference
{
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    private const int MaxTextLength = 200;

    [SpecField("The profile's name.", MaxLength = MaxTextLength, Filled = true)]
    public required string Name { get; init; }

    [SpecField("When it was measured.", Form = FormName.Instant)]
    public required string MeasuredAt { get; init; }

    [SpecField("Host of the account that was measured.", MaxLength = MaxTextLength, Filled = true)]
    public required string Account { get; init; }

    [SpecField("The account's region.", MaxLength = MaxTextLength)]
    public string? Region { get; init; }

    /// <summary>Formats an instant for <see cref="MeasuredAt"/>.</summary>
    public static string TextOf(DateTimeOffset instant) => instant.UtcDateTime.ToString(Format, CultureInfo.InvariantCulture);

    /// <summary>Parses <see cref="MeasuredAt"/>; null if its digits are not a valid date and time.</summary>
    public DateTimeOffset? Instant() =>
        DateTimeOffset.TryParseExact(MeasuredAt, Format, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var instant)
            ? instant
            : null;
}
