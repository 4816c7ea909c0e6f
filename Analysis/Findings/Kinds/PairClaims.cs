namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>The kinds that compare a figure of two variants: gains, and the absence of a difference.</summary>
internal static class PairClaims
{
    private const string IndexingCharge = "the RU of an index entry";
    private const string DeleteCost = "the RU and service time of a delete";
    private const string NetworkLatency = "the round trip and the other parameters of latency";
    private const string QueryTrips = "a trip to each physical partition, one after the other or together";

    public static IReadOnlyList<FindingTest> All { get; } =
    [
        new PairTest(FindingKind.DirectBeatsGateway, "Gateway", "Direct")
        {
            Claim = "Direct writes more documents per second than Gateway",
            Sides = "Direct / Gateway",
            Statement = (_, ratio) => $"Direct wrote {ratio} times the documents per second of Gateway",
            MisfitOf = (gateway, direct) => Uses(gateway, ConnectionMode.Gateway) && Uses(direct, ConnectionMode.Direct)
                ? null
                : "the first variant must use Gateway, the second Direct, with all workers",
            PredictedFrom = "the gateway's hop",
            Prediction = given => new(
                $"gatewayHopMs = {PredictedLatency.ProfileOf(given.Baseline.Spec).GatewayHopMs}", given.PredictedRatio),
            Remove = spec => spec with { Client = spec.Client with { ConnectionMode = default } },
        },
        new PairTest(FindingKind.Faster, "any one", "one that is claimed to be faster")
        {
            Claim = "The second variant does more operations per second than the first",
            Statement = (given, ratio) => $"{given.Changed.Name} did {ratio} times the operations per second of {given.Baseline.Name}",
            // Any difference of the specs may be the reason, also one of charges.
            Hides = OnlyTheRateAskedFor,
            Remove = _ => new RunSpec(),
        },
        new PairTest(FindingKind.LowLatencyNetwork, "the farther account", "the nearer one")
        {
            Claim = "A network of lower latency gives more documents per second",
            Sides = "near / far",
            Statement = (_, ratio) => $"The nearer account took {ratio} times the documents per second",
            PredictedFrom = NetworkLatency,
            Prediction = PredictedFromLatencies,
            Remove = spec => spec.Simulation is { } simulation ? spec with { Simulation = simulation with { Latency = null } } : spec,
        },
        new PairTest(FindingKind.MoreCores, "fewer cores", "more cores")
        {
            IsAboutTheMachine = true,
            Claim = "More cores per worker give more documents per second",
            Sides = "more cores / fewer cores",
            Statement = (_, ratio) => $"More cores gave {ratio} times the documents per second",
            Obstacle = ObstacleToMoreCores,
            Remove = spec => spec with { Client = spec.Client with { Cores = null } },
        },
        new PairTest(FindingKind.InstancesLikeCores, "few workers with more cores each", "more workers with fewer cores each")
        {
            IsSameness = true,
            IsAboutTheMachine = true,
            Claim = "More client instances have the same effect as more cores",
            Statement = (given, ratio) => $"{given.Changed.Spec.Workers} workers with fewer cores wrote {ratio} times the documents per "
                + $"second of {given.Baseline.Spec.Workers} with more",
            MisfitOf = (few, many) => many.Workers > few.Workers ? null : "the second variant must have more workers than the first",
            Obstacle = ObstacleToInstances,
            Remove = spec => spec with { Workers = 1, Client = spec.Client with { Concurrency = null, Cores = null } },
        },
        new PairTest(FindingKind.ClientConsistency, "one consistency of the client", "another one")
        {
            IsSameness = true,
            Claim = "The consistency that the client asks for hardly matters",
            Statement = (given, ratio) => $"{ConsistencyOf(given.Changed)} consistency gave {ratio} times the documents per second of "
                + ConsistencyOf(given.Baseline),
            MisfitOf = (one, other) => one.Client.Consistency != other.Client.Consistency
                ? null
                : "the variants ask for the same consistency",
            Complete = (_, result) => result with
            {
                Sentence = $"{result.Sentence} A client's consistency does not change a write: the account decides how many replicas must "
                    + "confirm it. A client can only relax its own reads.",
            },
            PredictedFrom = "charges and latencies",
            Remove = spec => spec with { Client = spec.Client with { Consistency = null } },
        },
        new PairTest(FindingKind.MaxConnections, "one limit of connections", "another one")
        {
            IsSameness = true,
            Claim = "The client's limit of connections hardly matters",
            Statement = (given, ratio) => $"A limit of {ConnectionsOf(given.Changed)} connections gave {ratio} times the documents per "
                + $"second of {ConnectionsOf(given.Baseline)}",
            MisfitOf = (one, other) => one.Client.MaxConnections != other.Client.MaxConnections
                ? null
                : "the variants have the same limit of connections",
            PredictedFrom = "operations in flight, which in Gateway the connections limit, and latency",
            Remove = spec => spec with { Client = spec.Client with { MaxConnections = null } },
        },
        new PairTest(FindingKind.Batching, "single inserts or smaller batches", "batches")
        {
            Claim = "Batches on one partition key write more documents per second",
            Sides = "batches / without",
            Statement = (_, ratio) => $"Batches wrote {ratio} times the documents per second",
            MisfitOf = (without, batches) => batches.Workload.Kind == WorkloadKind.Batch
                && batches.Workload.DocumentsPerOperation > without.Workload.DocumentsPerOperation
                    ? null
                    : "the second variant must use larger batches than the first",
            PredictedFrom = "the service time and RU of a batch",
            Prediction = given => given.AssumedFromCharges("the service time of a batch and its RU"),
            Remove = spec => spec with { Workload = spec.Workload with { Kind = default, BatchSize = null } },
        },
        new PairTest(FindingKind.Bulk, "single inserts", "bulk")
        {
            DependsOnLayout = true,
            Claim = "Bulk mode writes more documents per second than single inserts",
            Sides = "bulk / single inserts",
            Statement = (_, ratio) => $"Bulk mode wrote {ratio} times the documents per second of single inserts",
            MisfitOf = (single, bulk) => bulk.Workload.UsesBulk && !single.Workload.UsesBulk
                ? null
                : "only the second variant must use bulk",
            Remove = spec => spec with
            {
                Workload = spec.Workload with { Kind = default, Bulk = false },
                Client = spec.Client with { Concurrency = null },
            },
        },
        new PairTest(FindingKind.DeletesLikeWrites, "writes", "deletes by id and key of the same documents")
        {
            IsSameness = true,
            Claim = "Deletes by id and key are as fast as writes",
            Statement = (_, ratio) => $"Deletes did {ratio} times the documents per second of writes",
            MisfitOf = (writes, deletes) => writes.Workload.Kind is WorkloadKind.Insert or WorkloadKind.Upsert or WorkloadKind.Bulk
                && deletes.Workload.Kind == WorkloadKind.Delete && writes.Workload.UsesBulk == deletes.Workload.UsesBulk
                    ? null
                    : "the first variant must write single documents, the second delete them, both in bulk or neither",
            // The cost of a delete is part of the claim, so a budget that limits the rate shows the effect instead of hiding it.
            Hides = OnlyTheRateAskedFor,
            PredictedFrom = DeleteCost,
            Prediction = given => given.AssumedFromCharges(DeleteCost),
            Remove = spec => spec with { Workload = spec.Workload with { Kind = default, Bulk = false, Preload = null } },
        },
        new PairTest(FindingKind.IndexingMode, "one indexing mode", "another one")
        {
            IsSameness = true,
            Claim = "The indexing mode hardly matters",
            Statement = (given, ratio) => $"{given.Changed.Spec.Container.Indexing} indexing gave {ratio} times the documents per second "
                + $"of {given.Baseline.Spec.Container.Indexing}",
            MisfitOf = (one, other) => one.Container.Indexing != other.Container.Indexing
                ? null
                : "the variants have the same indexing mode",
            Hides = OnlyTheRateAskedFor,
            Obstacle = given => given.ChangedIndexing,
            PredictedFrom = IndexingCharge,
            Prediction = given => given.AssumedFromCharges(IndexingCharge),
            Remove = spec => spec with { Container = spec.Container with { Indexing = default } },
        },
        new PairTest(FindingKind.ExcludedPaths, "more paths in the index", "fewer")
        {
            Claim = "Paths that are left out of the index give more documents per second",
            Sides = "fewer indexed paths / more",
            Statement = (_, ratio) => $"With paths left out of the index the account took {ratio} times the documents per second",
            MisfitOf = (more, fewer) => IndexesItsOwn(more) && IndexesItsOwn(fewer)
                && PredictedRate.ChargeOf(fewer) < PredictedRate.ChargeOf(more)
                    ? null
                    : "both variants must write to containers of their own with consistent indexing, the second with fewer values in the "
                        + "index",
            Hides = OnlyTheRateAskedFor,
            PredictedFrom = IndexingCharge,
            Prediction = given => given.AssumedFromCharges(IndexingCharge),
            Remove = spec => spec with { Container = spec.Container with { ExcludedPaths = [], IncludedPaths = [] } },
        },
        new PairTest(FindingKind.IndexingThrottles, "batches with indexing Lazy or None", "batches with indexing Consistent")
        {
            ComparesRates = false,
            Claim = "Batches are throttled more with consistent indexing",
            Figure = "attempts per accepted batch",
            Sides = "Consistent / without",
            // Unlike the throttled share, this figure is above 0 even if nothing was throttled.
            FigureOf = figures => figures.ThrottledShare is { } share && share < 1 ? 1 / (1 - share) : null,
            Statement = (_, ratio) => $"With consistent indexing a batch took {ratio} times the attempts before it was accepted",
            MisfitOf = (without, consistent) =>
                without is { Workload.Kind: WorkloadKind.Batch, Container.Indexing: not IndexingMode.Consistent }
                && consistent is { Workload.Kind: WorkloadKind.Batch, Container.Indexing: IndexingMode.Consistent }
                    ? null
                    : "both variants must write batches, the first with indexing Lazy or None, the second with Consistent",
            // The claim is about being held back by request units.
            Hides = _ => false,
            Obstacle = given => given.ChangedIndexing,
            PredictedFrom = IndexingCharge,
            Prediction = given => given.AssumedFromCharges(IndexingCharge) with { Predicted = null },
            Remove = spec => spec with { Container = spec.Container with { Indexing = default } },
        },
        new PairTest(FindingKind.ParallelQuery, "serial cross-partition queries", "parallel ones")
        {
            DependsOnLayout = true,
            ComparesRates = false,
            IsAboutLatency = true,
            Claim = "Cross-partition queries that ask the partitions in parallel complete sooner",
            Figure = "mean latency",
            Sides = "serial / parallel",
            FigureOf = figures => figures.MeanLatencyMs,
            LessIsBetter = true,
            Statement = (_, ratio) => $"Serial cross-partition queries took {ratio} times as long as parallel ones",
            MisfitOf = (serial, parallel) => AsksAllPartitions(serial) && AsksAllPartitions(parallel)
                && !IsParallel(serial) && IsParallel(parallel)
                    ? null
                    : "both variants must run a query over all partitions, the first with a maxConcurrency of at most 1, the second with "
                        + "more or -1",
            Hides = _ => false,
            PredictedFrom = QueryTrips,
            Prediction = given => new(
                QueryTrips, MeanMs(given.Changed) is > 0 and var after ? MeanMs(given.Baseline) / after : null),
            Remove = spec => spec.Workload.Query is { } query
                ? spec with { Workload = spec.Workload with { Query = query with { MaxConcurrency = null } } }
                : spec,
        },
    ];

    /// <summary>
    /// For claims about the effect of RU. A budget that limits the rate shows that effect; only a rate that the spec asks for hides it.
    /// </summary>
    private static bool OnlyTheRateAskedFor(BoundBy cap) => cap == BoundBy.Rate;

    private static bool Uses(RunSpec spec, ConnectionMode mode) =>
        Enumerable.Range(0, spec.Workers).All(worker => spec.SettingsOf(worker).ConnectionMode == mode);

    private static Assumption PredictedFromLatencies(FindingCase given)
    {
        var (far, near) = (PredictedLatency.ProfileOf(given.Baseline.Spec), PredictedLatency.ProfileOf(given.Changed.Spec));
        var differences = SettingDifferences.Between([far with { Name = null }, near with { Name = null }]);
        return new(differences.Count > 0 ? string.Join(", ", differences) : NetworkLatency, given.PredictedRatio);
    }

    private static string? ObstacleToMoreCores(FindingCase given)
    {
        if (given.BoundByMachine is { } bound)
            return bound;
        var (fewer, more) = (given.Baseline.Cores, given.Changed.Cores);
        return fewer is not null && more is not null && more <= fewer
            ? $"the workers of {given.Baseline.Name} had {fewer} cores each, those of {given.Changed.Name} {more}: not more"
            : null;
    }

    private static string? ObstacleToInstances(FindingCase given)
    {
        if (given.BoundByMachine is { } bound)
            return bound;
        var (few, many) = (given.Baseline.Cores * given.Baseline.Spec.Workers, given.Changed.Cores * given.Changed.Spec.Workers);
        return few is not null && many is not null && few != many
            ? $"the variants had {few} and {many} cores in all; they must have the same"
            : null;
    }

    private static string ConsistencyOf(MeasuredVariant variant) => variant.Spec.Client.Consistency?.ToString() ?? "the account's";

    private static string ConnectionsOf(MeasuredVariant variant) =>
        variant.Spec.Client.MaxConnections is { } limit ? Numbers.Count(limit) : "the default number of";

    private static bool IndexesItsOwn(RunSpec spec) => spec.Container is { Name: null, Indexing: IndexingMode.Consistent };

    private static bool AsksAllPartitions(RunSpec spec) => spec.Workload.Query is { PartitionKey: null };

    private static bool IsParallel(RunSpec spec) => spec.Workload.Query?.MaxConcurrency is < 0 or > 1;

    private static double MeanMs(MeasuredVariant variant) => PredictedLatency.MeanMs(variant.Spec, variant.Spec.SettingsOf(0));
}
