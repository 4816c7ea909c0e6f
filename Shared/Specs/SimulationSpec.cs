namespace ScaleOut.Specs;

/// <summary>Physics of the simulated account.</summary>
public record SimulationSpec
{
    /// <summary>
    /// RU/s for each physical partition of a new container with manual throughput (Azure Cosmos DB documentation, "Best practices for
    /// scaling provisioned throughput"); with autoscale, and where a database's containers share it, it is
    /// <see cref="MostRequestUnitsPerPartition"/>.
    /// </summary>
    public const int RequestUnitsPerPartition = 6_000;

    /// <summary>
    /// Most physical partitions that a container is given when their number is not set. The clients of one machine have too few operations
    /// in flight to fill the bulk requests of more; above 320,000 RU/s each partition then has a larger budget than a real one can have,
    /// which the report says.
    /// </summary>
    public const int MostPartitionsUnasked = 32;

    /// <summary>Most RU/s that a physical partition of a real account can serve.</summary>
    public const int MostRequestUnitsPerPartition = 10_000;

    /// <summary>GB that a physical partition holds at most: then it splits.</summary>
    public const int MostGigabytesPerPartition = 50;

    /// <summary>Largest <see cref="StorageFactor"/>.</summary>
    public const int MostStorageFactor = 1_000_000_000;

    /// <summary>RU/s up to which a partition with burst credit can go, and below which it must be to have any.</summary>
    public const int BurstRequestUnitsPerSecond = 3_000;

    /// <summary>Seconds whose unused RU a partition banks as burst credit at most.</summary>
    public const int BurstBankSeconds = 300;

    /// <summary>Most physical partitions that a container can have.</summary>
    public const int MostPhysicalPartitions = 4_096;

    /// <summary>Longest <see cref="SplitDelay"/>.</summary>
    public static readonly TimeSpan LongestSplitDelay = TimeSpan.FromHours(24);

    /// <summary>Most splits of one account.</summary>
    public const int MostSplits = 100;

    /// <summary>Most <see cref="Faults"/>.</summary>
    public const int MostFaultRules = 1_000;

    /// <summary>Most merges of one account.</summary>
    public const int MostMerges = 100;

    /// <summary>The account's consistency when it is not set.</summary>
    public const ConsistencyLevel DefaultConsistency = ConsistencyLevel.Session;

    /// <summary>
    /// Physical partitions of each container, 1 to 4,096. Null means as many as the service gives: ceil(throughput / 6,000), with autoscale
    /// ceil(maximum / 10,000), but at most 32; and partitions split when the throughput is raised above 10,000 RU/s for each of them.
    /// </summary>
    public int? PhysicalPartitions { get; init; }

    /// <summary>Default <see cref="LatencyProfile.Default"/>.</summary>
    public LatencyProfile? Latency { get; init; }

    /// <summary>What a 429 says. Null means the defaults of <see cref="ThrottlingSpec"/>.</summary>
    public ThrottlingSpec? Throttling { get; init; }

    /// <summary>The account's consistency. Null means <see cref="ConsistencyLevel.Session"/>.</summary>
    public ConsistencyLevel? Consistency { get; init; }

    /// <summary>
    /// Whether partitions under <see cref="BurstRequestUnitsPerSecond"/> bank the unused RU of up to <see cref="BurstBankSeconds"/> and
    /// spend them at up to <see cref="BurstRequestUnitsPerSecond"/>. Default false.
    /// </summary>
    public bool Burst { get; init; }

    /// <summary>What operations cost. Null means as documented.</summary>
    public ChargeSpec? Charges { get; init; }

    /// <summary>The profile that these physics were taken from; null where they are assumed. It only describes.</summary>
    public ProfileReference? Profile { get; init; }

    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>
    /// How long a raise of the throughput above what the partitions can serve takes: until then each has 10,000 RU/s at most, then
    /// partitions split, at the next operation. Default 0: at once. The service takes hours, typically 4 to 6.
    /// </summary>
    public TimeSpan SplitDelay { get; init; }

    /// <summary>Splits that happen while the run goes on, up to 100.</summary>
    public IReadOnlyList<PartitionSplit> Splits { get; init; } = [];

    /// <summary>Merges that happen while the run goes on, up to 100.</summary>
    public IReadOnlyList<PlannedMerge> Merges { get; init; } = [];

    /// <summary>
    /// Bytes that each byte of a document counts as for the documented limits of storage, 1 to 1,000,000,000: with 1,000 a partition key is
    /// full at 20 MB, a physical partition splits at 50 MB, and every MB asks for 1 RU/s. Default 1: the limits as documented, which the
    /// memory of one machine hardly reaches.
    /// </summary>
    public int StorageFactor { get; init; } = 1;

    /// <summary>Partitions whose documents are there twice at once while they move: of a merge 2, of a split 1, else 0.</summary>
    public int MovingPartitions() => Merges.Count > 0 ? 2 : Splits.Count > 0 || StorageFactor > 1 ? 1 : 0;

    /// <summary>Physical partitions of a new container.</summary>
    public int PartitionsFor(ContainerSpec container)
    {
        return PhysicalPartitions ?? DefaultPartitionsFor(container.Throughput, container.Autoscale);
    }

    /// <summary>Physical partitions of a new container where their number is not set.</summary>
    /// <param name="throughput">RU/s; with autoscale the maximum.</param>
    /// <param name="dense">With autoscale, and of a database whose containers share it.</param>
    public static int DefaultPartitionsFor(int throughput, bool dense = false) =>
        Math.Clamp(ServicePartitionsFor(throughput, dense), 1, MostPartitionsUnasked);

    /// <summary>Physical partitions that the service gives a new container, without the bound of the simulated account.</summary>
    /// <inheritdoc cref="DefaultPartitionsFor"/>
    public static int ServicePartitionsFor(int throughput, bool dense) =>
        (int)Math.Ceiling(throughput / (double)(dense ? MostRequestUnitsPerPartition : RequestUnitsPerPartition));
}

/// <summary>
/// One fault of the simulated account. A request that matches every given condition is hit with the given probability, until
/// <see cref="MaxHits"/>. At least one of <see cref="Status"/>, <see cref="DelayMs"/> and <see cref="CloseConnection"/> is given.
/// </summary>
public sealed record FaultRule
{
    /// <summary>Largest <see cref="FromSeconds"/> and <see cref="UntilSeconds"/>.</summary>
    public const double MostSeconds = 1_000_000;

    /// <summary>Largest <see cref="DelayMs"/>.</summary>
    public const double MostDelayMs = 600_000;

    /// <summary>Largest <see cref="MaxHits"/>.</summary>
    public const long MostHits = 1_000_000_000_000;

    /// <summary>Which operations; null means every document operation.</summary>
    public FaultOperation? Operation { get; init; }

    /// <summary>Null means both.</summary>
    public ConnectionMode? ConnectionMode { get; init; }

    /// <summary>Ordinal of the physical partition; null means all.</summary>
    public int? Partition { get; init; }

    /// <summary>Seconds since the account's first document operation from which the rule holds. Default 0.</summary>
    public double FromSeconds { get; init; }

    /// <summary>
    /// Seconds since the account's first document operation until which the rule holds, after <see cref="FromSeconds"/>; null means for
    /// ever.
    /// </summary>
    public double? UntilSeconds { get; init; }

    /// <summary>Chance of a hit, above 0 to 1. Default 1.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>Hits after which the rule is spent, 1 to <see cref="MostHits"/>; null means no limit.</summary>
    public long? MaxHits { get; init; }

    /// <summary>HTTP status to respond with, 400 to 599, instead of doing the operation.</summary>
    public int? Status { get; init; }

    /// <summary>Sub-status beside <see cref="Status"/>, 0 and more. Null means 0.</summary>
    public int? SubStatus { get; init; }

    /// <summary>Time to wait before anything else is done, above 0 to <see cref="MostDelayMs"/>.</summary>
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

/// <summary>
/// A merge of two physical partitions of the simulated account while a run goes on: one with a new ordinal stands for a partition and the
/// one whose range follows, and all share the throughput again.
/// </summary>
public sealed record PlannedMerge
{
    /// <inheritdoc cref="PartitionSplit.AfterSeconds"/>
    public double AfterSeconds { get; init; }

    /// <summary>Ordinal of the lower of the two, in every container that has it then.</summary>
    public int Partition { get; init; }
}

/// <summary>
/// What a 429 of the simulated account says in <c>retry-after</c>: the time until the partition's balance is positive again, times a factor
/// drawn evenly from 1 - <see cref="RetryAfterSpread"/> to 1 + <see cref="RetryAfterSpread"/>, kept within the two bounds.
/// </summary>
/// <remarks>
/// The service documents no formula; its documentation shows <c>x-ms-retry-after-ms: 100</c>. If every 429 named the same instant, all
/// operation loops would come back in the same millisecond, which no real account makes them do. The budget itself stays second by second:
/// the service documents that it evaluates the rate for each second ("Request Units in Azure Cosmos DB").
/// </remarks>
public sealed record ThrottlingSpec
{
    /// <summary>Largest of the two bounds, ms.</summary>
    public const int MostRetryAfterMs = 60_000;

    /// <summary>Whether nothing is throttled, for tests of other programs. No spec sets it.</summary>
    [JsonIgnore]
    public bool IsOff { get; init; }

    /// <summary>Shortest <c>retry-after</c>, 1 to 60,000 ms. Default 10, assumed.</summary>
    public int RetryAfterMinMs { get; init; } = 10;

    /// <summary>
    /// Longest <c>retry-after</c>, from <see cref="RetryAfterMinMs"/> to 60,000 ms. Default 1,000, assumed: after a second there is a new
    /// budget, and who is throttled again asks again.
    /// </summary>
    public int RetryAfterMaxMs { get; init; } = 1_000;

    /// <summary>How far the factor goes to either side, 0 to 1. Default 0.5, assumed; 0 always names the true time.</summary>
    public double RetryAfterSpread { get; init; } = 0.5;
}

/// <summary>
/// Which measured profile the physics of a simulated account were taken from. It describes them for reports and changes nothing.
/// </summary>
public sealed record ProfileReference
{
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <summary>How <see cref="MeasuredAt"/> is written.</summary>
    internal static readonly TextForm InstantForm = new(
        "an instant in UTC such as \"2026-11-22T17:00:00Z\"",
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", 20);

    /// <summary>The profile's name, 1 to 200 characters.</summary>
    public required string Name { get; init; }

    /// <summary>When it was measured, such as <c>2026-11-22T17:00:00Z</c>.</summary>
    public required string MeasuredAt { get; init; }

    /// <summary>Host of the account that was measured, 1 to 200 characters.</summary>
    public required string Account { get; init; }

    /// <summary>The account's region, up to 200 characters; null where it is not known.</summary>
    public string? Region { get; init; }

    /// <summary>An instant as <see cref="MeasuredAt"/> has it.</summary>
    public static string TextOf(DateTimeOffset instant) => instant.UtcDateTime.ToString(Format, CultureInfo.InvariantCulture);

    /// <summary><see cref="MeasuredAt"/>; null where its digits are no instant.</summary>
    public DateTimeOffset? Instant() =>
        DateTimeOffset.TryParseExact(MeasuredAt, Format, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var instant)
            ? instant
            : null;
}
