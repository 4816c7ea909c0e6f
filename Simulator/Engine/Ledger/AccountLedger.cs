namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>The operations of the account since its start, to compare with a run's report. Totals include deleted containers.</summary>
internal sealed record AccountLedger
{
    /// <summary>Number of deleted containers that the ledger lists; the counts of earlier ones are only in its totals.</summary>
    public const int MaxDeletedContainers = 16;

    /// <summary>Largest difference of a client's RU from the ledger's, as a share. Rounding makes the two sums differ a little.</summary>
    public const double RequestUnitTolerance = 0.001;

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset AsOf { get; init; }

    /// <summary>Requests of the wire protocol, rejected ones included.</summary>
    public required long WireRequests { get; init; }

    /// <summary>Wire requests that were rejected before any operation: not authenticated, or not understood.</summary>
    public required long RejectedRequests { get; init; }

    public required DocumentLedger Documents { get; init; }

    public required OperationLedger Operations { get; init; }

    /// <summary>Largest number of seconds in <see cref="PartitionLedger.Seconds"/>. The more partitions, the lower it is.</summary>
    public required int SecondsKept { get; init; }

    /// <summary>Containers that exist, and the last <see cref="MaxDeletedContainers"/> that were deleted.</summary>
    public required IReadOnlyList<ContainerLedger> Containers { get; init; }

    /// <summary>Null in a ledger of an older version that did not measure delays.</summary>
    public DeliveredDelays? Delays { get; init; }
}

internal sealed record ContainerLedger
{
    public required string Database { get; init; }

    public required string Name { get; init; }

    /// <summary>Distinguishes containers of the same name.</summary>
    public required string ResourceId { get; init; }

    public required bool Deleted { get; init; }

    /// <summary>Provisioned RU/s; with autoscale the maximum.</summary>
    public required int Throughput { get; init; }

    /// <summary>Documents that it holds now, or held when it was deleted.</summary>
    public required long DocumentCount { get; init; }

    public required DocumentLedger Documents { get; init; }

    public required OperationLedger Operations { get; init; }

    public required IReadOnlyList<PartitionLedger> Partitions { get; init; }
}

/// <summary>What one physical partition did since its container was created.</summary>
internal sealed record PartitionLedger
{
    /// <summary>Id of the partition key range, such as <c>0</c>.</summary>
    public required string Id { get; init; }

    /// <summary>First effective partition key of the range; empty for the first range.</summary>
    public required string MinInclusive { get; init; }

    /// <summary>First effective partition key after the range; <c>FF</c> for the last range.</summary>
    public required string MaxExclusive { get; init; }

    /// <summary>Ids of the partitions that held its documents before splits and merges, the first one first.</summary>
    public IReadOnlyList<string> Parents { get; init; } = [];

    /// <summary>
    /// Whether the partition was split or merged, so that other partitions have its documents and budget. All other figures are from before
    /// the split or merge.
    /// </summary>
    public bool WasSplit { get; init; }

    /// <summary>The partition's share of the throughput, in RU/s.</summary>
    public required double BudgetPerSecond { get; init; }

    public required long Documents { get; init; }

    public required Counts Counts { get; init; }

    /// <summary>Seconds with a charge or a 429, oldest first; at most <see cref="AccountLedger.SecondsKept"/>.</summary>
    public required IReadOnlyList<SecondLedger> Seconds { get; init; }
}

/// <param name="Second">Whole seconds since 1970-01-01 UTC.</param>
internal sealed record SecondLedger(long Second, double RequestUnits, long Throttled);

/// <summary>Documents by what happened to them, through any operation.</summary>
internal record struct DocumentLedger
{
    public required long Created { get; set; }

    /// <summary>Upserts of new documents.</summary>
    public required long UpsertedNew { get; set; }

    /// <summary>Documents that got a new body by a replace, an upsert or a patch.</summary>
    public required long Replaced { get; set; }

    public required long Deleted { get; set; }

    /// <summary>Removed because their time to live was over.</summary>
    public long Expired { get; set; }

    public static DocumentLedger operator +(DocumentLedger one, DocumentLedger other) => new()
    {
        Created = one.Created + other.Created, UpsertedNew = one.UpsertedNew + other.UpsertedNew,
        Replaced = one.Replaced + other.Replaced, Deleted = one.Deleted + other.Deleted, Expired = one.Expired + other.Expired,
    };
}

/// <summary>
/// Attempts, 429s and RU per kind of operation, as the SDK's caller counts: a bulk document is one operation of its own kind, a
/// TransactionalBatch is one.
/// </summary>
internal sealed record OperationLedger
{
    public required Counts Create { get; init; }

    public required Counts Upsert { get; init; }

    public required Counts Replace { get; init; }

    public required Counts Read { get; init; }

    public required Counts Delete { get; init; }

    /// <summary>TransactionalBatches; what they do to documents is in <see cref="DocumentLedger"/>.</summary>
    public required Counts Batch { get; init; }

    /// <summary>Pages of queries and read feeds, each from one physical partition.</summary>
    public required Counts Query { get; init; }

    public Counts Patch { get; init; }
}
