namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>Two variants for each kind of claim that compares two.</summary>
internal static class Pairs
{
    private static readonly QuerySpec Query = new() { Text = "SELECT * FROM c" };

    /// <summary>Specs that fit the kind. The baseline comes first.</summary>
    public static (RunSpec Baseline, RunSpec Changed) SpecsOf(FindingKind kind)
    {
        var spec = new RunSpec();
        return kind switch
        {
            FindingKind.DirectBeatsGateway =>
                (
                    WithClient(new() { ConnectionMode = ConnectionMode.Gateway }),
                    WithClient(new() { ConnectionMode = ConnectionMode.Direct })),
            FindingKind.MoreCores => (WithClient(new() { Cores = 2 }), WithClient(new() { Cores = 4 })),
            FindingKind.InstancesLikeCores => (spec with { Workers = 1 }, spec with { Workers = 2 }),
            FindingKind.IndexingMode => (spec, spec with { Container = new() { Indexing = IndexingMode.Lazy } }),
            FindingKind.ClientConsistency => (spec, WithClient(new() { Consistency = ConsistencyLevel.Eventual })),
            FindingKind.MaxConnections => (spec, WithClient(new() { MaxConnections = 1_000 })),
            FindingKind.Batching => (spec, WithWorkload(new() { Kind = WorkloadKind.Batch })),
            FindingKind.Bulk => (spec, WithWorkload(new() { Kind = WorkloadKind.Bulk })),
            FindingKind.ParallelQuery => (WithQuery(Query), WithQuery(Query with { MaxConcurrency = -1 })),
            FindingKind.FittingPartitionKey => (WithQuery(Query), WithQuery(Query with { PartitionKey = "{{key}}" })),
            FindingKind.IndexingThrottles => (InBatches(IndexingMode.Lazy), InBatches(IndexingMode.Consistent)),
            FindingKind.DeletesLikeWrites => (spec, WithWorkload(new() { Kind = WorkloadKind.Delete })),
            FindingKind.ExcludedPaths => (spec, spec with { Container = new() { ExcludedPaths = ["/*"] } }),
            FindingKind.TableStorage => (
                WithWorkload(new() { Kind = WorkloadKind.TableBatch }), WithWorkload(new() { Kind = WorkloadKind.Batch })),
            FindingKind.CheaperTables => (
                WithWorkload(new() { Kind = WorkloadKind.Batch }), WithWorkload(new() { Kind = WorkloadKind.TableBatch })),
            FindingKind.Faster => (spec, WithClient(new() { Concurrency = 40 })),
            FindingKind.QueryCostGrows => (OnDocuments(1_000), OnDocuments(10_000)),
            FindingKind.LowLatencyNetwork => (spec with { Simulation = new() { Latency = LatencyProfile.CrossRegion } }, spec),
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "compares no two variants"),
        };
    }

    /// <summary>
    /// Variants whose second one truly does this many times the rate of the first. The other figures differ by the same ratio.
    /// </summary>
    public static IReadOnlyList<Truth> From(FindingKind kind, double ratio)
    {
        var (baseline, changed) = SpecsOf(kind);
        return
        [
            new Truth
            {
                Name = "a",
                Spec = baseline,
                Rate = 1_000,
                LatencyMs = 10,
                RequestUnits = 10,
                Calls = 10,
                StorePerMillion = kind == FindingKind.CheaperTables ? 2 : null,
                // A single throttled attempt refutes the claim about Table storage.
                Attempts = kind == FindingKind.TableStorage ? 1 : 2,
                Cores = CoresOf(kind, 1),
                BoundBy = kind == FindingKind.CheaperTables ? BoundBy.RequestUnits : BoundBy.Latency,
            },
            new Truth
            {
                Name = "b",
                Spec = changed,
                Rate = 1_000 * ratio,
                LatencyMs = 10 / ratio,
                RequestUnits = kind == FindingKind.QueryCostGrows ? 10 * ratio : 10 / ratio,
                Calls = 10 / ratio,
                StorePerMillion = kind == FindingKind.CheaperTables ? 1 : null,
                Attempts = 2 * ratio,
                Cores = CoresOf(kind, 2),
            },
        ];
    }

    /// <summary>Table storage that truly does this many times the rate of Cosmos DB, which charges that many times as much.</summary>
    public static IReadOnlyList<Truth> OfTables(double rates, double charges)
    {
        var pair = From(FindingKind.CheaperTables, rates);
        return [pair[0] with { StorePerMillion = charges }, pair[1] with { StorePerMillion = 1 }];
    }

    private static int CoresOf(FindingKind kind, int place) => kind switch
    {
        FindingKind.MoreCores => 2 * place,
        FindingKind.InstancesLikeCores => 4 / place,
        _ => 2,
    };

    private static RunSpec WithClient(ClientSpec client) => new() { Client = client };

    private static RunSpec WithWorkload(WorkloadSpec workload) => new() { Workload = workload };

    private static RunSpec InBatches(IndexingMode indexing) =>
        WithWorkload(new() { Kind = WorkloadKind.Batch }) with { Container = new() { Indexing = indexing } };

    private static RunSpec OnDocuments(long stored) =>
        WithWorkload(new() { Kind = WorkloadKind.Query, Query = Query, Preload = stored });

    private static RunSpec WithQuery(QuerySpec query) => WithWorkload(new() { Kind = WorkloadKind.Query, Query = query });
}
