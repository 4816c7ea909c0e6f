namespace ScaleOut.Specs;

/// <summary>
/// What a run will take at least, by its spec alone. It assumes that all documents are new and of their kind's typical size, that keys
/// spread evenly over the partitions, that nothing is throttled or retried, and that neither a client's nor the account's CPU is the limit;
/// it leaves out the start of the workers, container control and verification.
/// </summary>
public sealed record RunEstimate
{
    /// <summary>Documents per request that the SDK groups in bulk, at most.</summary>
    public const int BulkRequestDocuments = 100;

    /// <summary>How long the SDK waits in bulk before it sends a request that is not full, ms.</summary>
    public const int BulkFlushMs = 100;

    /// <summary>Connections of a Gateway client where a spec says nothing; each carries one request at a time.</summary>
    public const int DefaultGatewayConnections = 50;

    /// <summary>RU of all operations, 0 for tables, which have none; for an existing container as if it had the default index.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>RU of the documents that are written before the start, for reads, queries and deletes; 0 where there are none.</summary>
    public double PreloadRequestUnits { get; init; }

    /// <summary>
    /// The longest of the RU at the container's throughput, and each worker's slice at its open-loop rate and at its operations in flight
    /// over the latency, at most the time of all steps; and before it the preload's RU at the container's throughput. Null when no limit is
    /// known: an existing container's throughput and a real account's latency are not.
    /// </summary>
    public double? Seconds { get; init; }

    /// <summary>Estimates a valid spec.</summary>
    public static RunEstimate From(RunSpec spec, RunTarget target = RunTarget.Undecided)
    {
        var requestUnits = spec.Documents * ChargeOf(spec);
        var preload = spec.Workload.NeedsDocuments && spec.Container.Name is null
            ? spec.Workload.PreloadOf(spec.Documents) * ChargeOf(spec, WorkloadKind.Insert)
            : 0;
        var usesTables = spec.Workload.Kind.UsesTables();
        var latency = !usesTables && (spec.Simulation is not null || target == RunTarget.SimulatedAccount)
            ? spec.Simulation?.Latency ?? LatencyProfile.SameRegion
            : null;

        var limits = new List<double>();
        if (spec.Container.Name is null && !usesTables)
            limits.Add(requestUnits / spec.Container.Throughput);
        var provisioned = spec.Container.Name is null ? spec.Container.Throughput : (double?)null;
        if (spec.Workload.PaceOf(provisioned) is { } pace)
            limits.Add(requestUnits / pace);
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        for (var worker = 0; worker < spec.Workers; worker++)
        {
            var slice = slices[worker].Count;
            var settings = spec.SettingsOf(worker);
            if (settings.Rate is { } rate)
                limits.Add(slice / rate);
            if (latency is not null && spec.Workload.Steps is null
                && OperationSeconds(latency, spec, settings) is > 0 and var seconds)
                limits.Add(slice * seconds / DocumentsInFlight(spec.Workload, settings));
        }

        var longest = spec.Workload.StepsDuration?.TotalSeconds ?? (limits.Count == 0 ? (double?)null : limits.Max());
        return new RunEstimate
        {
            RequestUnits = Math.Round(requestUnits, 2),
            PreloadRequestUnits = Math.Round(preload, 2),
            Seconds = longest + (preload / spec.Container.Throughput),
        };
    }

    /// <summary>RU of an operation on one document; of a mix the mean.</summary>
    /// <param name="bytes">Of the document; null for its kind's typical size.</param>
    public static double ChargeOf(RunSpec spec, int? bytes = null) =>
        spec.Workload.Shares.Sum(one => one.Share * ChargeOf(spec, one.Kind, bytes));

    /// <summary>
    /// Physical partitions of a real container: those of the spec, else as many as the service gives a new container or as the documents to
    /// write fill; never fewer than the RU/s take.
    /// </summary>
    /// <param name="bytes">Of one document; null for its kind's typical size.</param>
    public static int PartitionsOf(RunSpec spec, double? bytes = null)
    {
        var throughput = spec.Container.Throughput;
        var stored = spec.Workload.Kind.NeedsDocuments() ? 0 : spec.Documents * (bytes ?? DocumentShape.From(spec.Document).Bytes);
        var given = spec.Simulation?.PhysicalPartitions ?? Math.Max(
            SimulationSpec.ServicePartitionsFor(throughput, spec.Container.Autoscale),
            (int)Math.Ceiling(stored / (SimulationSpec.MaxGigabytesPerPartition * 1e9)));
        return Math.Max(given, (int)Math.Ceiling(throughput / (double)SimulationSpec.MaxRequestUnitsPerPartition));
    }

    /// <summary>
    /// RU of one document's operation; in bulk and in a batch a document is charged as one alone, and a query finds one document by one
    /// condition. By the charges of the spec's simulated account, else as documented.
    /// </summary>
    /// <param name="size">Bytes of the document; null for its kind's typical size.</param>
    public static double ChargeOf(RunSpec spec, WorkloadKind kind, int? size = null)
    {
        var charges = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        var bytes = size ?? DocumentShape.From(spec.Document).Bytes;
        var indexedTerms = IndexEntriesOf(spec);
        switch (kind)
        {
            case WorkloadKind.TableBatch:
                return 0;
            case WorkloadKind.Read:
                return charges.Read(bytes) * ReadFactorOf(spec);
            case WorkloadKind.Delete:
                return charges.Delete(bytes, indexedTerms);
            case WorkloadKind.Patch:
                // The documents have no such property before, so that one term is added.
                return charges.Patch(bytes, bytes, spec.Container.Indexing == IndexingMode.Consistent ? 1 : 0, properties: 1);
            case WorkloadKind.Query:
                var partitions = spec.Workload.Query?.PartitionKey is null
                    ? (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container)
                    : 1;
                var query = new ChargedQuery { Pages = partitions, Returned = 1, DocumentBytes = bytes };
                return query.ChargeBy(charges) * ReadFactorOf(spec);
            default:
                return charges.Create(bytes, indexedTerms);
        }
    }

    /// <summary>Index entries that each document adds.</summary>
    public static int IndexEntriesOf(RunSpec spec) => spec.Container.Indexing == IndexingMode.Consistent
        ? DocumentShape.From(spec.Document).LeafPaths
            .Count(leaf => !spec.Container.ExcludedPaths.Any(path => IndexPath.Covers(path, leaf)))
        : 0;

    private static double OperationSeconds(LatencyProfile latency, RunSpec spec, ClientSettings settings) =>
        (spec.Workload.ThinkTime.TotalMilliseconds
            + latency.WayMs(settings.ConnectionMode)
            + MedianServiceMs(latency, spec, settings)) / 1000;

    /// <summary>Median service time of a request on a partition that is idle, ms; of a mix the mean of the medians of its kinds.</summary>
    /// <param name="settings">Of the worker: of a bulk request they decide how many documents it has.</param>
    public static double MedianServiceMs(LatencyProfile latency, RunSpec spec, ClientSettings settings)
    {
        var operations = OperationsPerRequest(spec, settings);
        var kilobytes = operations * DocumentShape.From(spec.Document).Bytes / 1024.0;
        return spec.Workload.Shares.Sum(one => one.Share * latency.MedianServiceMs(
            !one.Kind.Reads() || spec.Workload.UsesBulk, operations, one.Kind == WorkloadKind.Query ? 1 : kilobytes));
    }

    /// <summary>Whether a workload's requests are writes; bulk requests are timed as such. A mix counts as what most of it is.</summary>
    public static bool IsWrite(RunSpec spec) =>
        spec.Workload.UsesBulk || spec.Workload.Shares.Where(one => !one.Kind.Reads()).Sum(one => one.Share) > 0.5;

    /// <summary>Of a batch its documents; of a bulk request those of one partition that are in flight together, up to 100.</summary>
    private static int OperationsPerRequest(RunSpec spec, ClientSettings settings)
    {
        if (!spec.Workload.UsesBulk)
            return spec.Workload.DocumentsPerOperation;
        var partitions = (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container);
        return Math.Clamp(settings.Concurrency / partitions, 1, BulkRequestDocuments);
    }

    /// <summary>What the consistency of reads multiplies their charge by, as far as the spec says it.</summary>
    private static int ReadFactorOf(RunSpec spec) =>
        (spec.Client.Consistency ?? spec.Simulation?.Consistency)?.AsksTwoReplicas() == true ? ChargeModel.StrongReadFactor : 1;

    /// <summary>
    /// Documents that one worker has in flight at most; in Gateway mode its connections limit them, of which each carries one request.
    /// </summary>
    public static double DocumentsInFlight(WorkloadSpec workload, ClientSettings settings)
    {
        var inFlight = (double)settings.Concurrency * workload.DocumentsPerOperation;
        if (settings.ConnectionMode != ConnectionMode.Gateway)
            return inFlight;
        var perRequest = workload.UsesBulk ? BulkRequestDocuments : workload.DocumentsPerOperation;
        return Math.Min(inFlight, (double)(settings.MaxConnections ?? DefaultGatewayConnections) * perRequest);
    }
}
