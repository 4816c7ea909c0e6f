namespace ScaleOut.Experiments;

/// <summary>
/// What a finding claims. Each comment gives the claim, then the variants that test it in the order of <see cref="FindingSpec.Variants"/>.
/// </summary>
[JsonConverter(typeof(CamelCaseEnumConverter<FindingKind>))]
public enum FindingKind
{
    /// <summary>Direct inserts more per second than Gateway: Gateway, Direct.</summary>
    DirectBeatsGateway,

    /// <summary>More operations in flight help up to a peak: three and more variants by ascending concurrency.</summary>
    ConcurrencyPeak,

    /// <summary>More workers have the same effect as more cores: more cores, more workers.</summary>
    InstancesLikeCores,

    /// <summary>N workers do N times what one does: one worker, then fleets by ascending number of workers.</summary>
    SingleUnitPredictsFleet,

    /// <summary>More cores help: fewer cores, more cores.</summary>
    MoreCores,

    /// <summary>The indexing mode hardly matters: one mode, another one.</summary>
    IndexingMode,

    /// <summary>The consistency that a client asks for hardly matters: one level, another one.</summary>
    ClientConsistency,

    /// <summary>The client's limit of connections hardly matters: one limit, another one.</summary>
    MaxConnections,

    /// <summary>More RU/s help until the client is the limit: two and more variants by ascending throughput.</summary>
    MoreRequestUnits,

    /// <summary>Batches on one partition key write more documents per second: single inserts, batches.</summary>
    Batching,

    /// <summary>Bulk mode writes more documents per second: single inserts, bulk.</summary>
    Bulk,

    /// <summary>Cross-partition queries that ask the partitions in parallel end sooner: serial, parallel.</summary>
    ParallelQuery,

    /// <summary>A partition key that fits the query lowers RU and calls per operation: another key, the fitting key.</summary>
    FittingPartitionKey,

    /// <summary>Adding workers has diminishing returns by the Universal Scalability Law: five and more numbers of workers.</summary>
    ScalabilityLaw,

    /// <summary>A nearer account helps: the farther one, the nearer one.</summary>
    LowLatencyNetwork,

    /// <summary>
    /// Batches are throttled more with consistent indexing: batches without an index or with a lazy one, batches with a consistent one.
    /// </summary>
    IndexingThrottles,

    /// <summary>99% of single indexed writes, or of point reads, take less than a limit in ms: one variant.</summary>
    LatencyUnder,

    /// <summary>Deletes by id and key are as fast as writes: writes, deletes.</summary>
    DeletesLikeWrites,

    /// <summary>Under a load that rises in steps the throughput falls after its peak: one variant.</summary>
    FallsAfterPeak,

    /// <summary>Paths that are left out of the index help: more paths in the index, fewer.</summary>
    ExcludedPaths,

    /// <summary>
    /// Table storage takes batches more slowly than Cosmos DB, and never throttles them: batches to tables, batches to a container.
    /// </summary>
    TableStorage,

    /// <summary>Table storage takes more rows for less money than Cosmos DB: batches to a container, batches to tables.</summary>
    CheaperTables,

    /// <summary>A query costs more RU the more documents are stored: two and more variants by ascending number of documents.</summary>
    QueryCostGrows,

    /// <summary>Under throttling operations spend most of their time waiting after 429s: one variant over its budget.</summary>
    WaitsAfterThrottling,

    /// <summary>One variant does more operations per second than another, whatever they differ in: the other one, the faster one.</summary>
    Faster,
}
