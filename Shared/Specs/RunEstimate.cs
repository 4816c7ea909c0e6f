using ScaleOut.Charges;
using ScaleOut.Slicing;

namespace ScaleOut.Specs;

/// <summary>
/// What a run will take at least, by its spec alone. It assumes that all documents are new and of their kind's typical size, that keys
/// spread evenly over the partitions, that nothing is throttled or retried, and that neither a client's nor the account's CPU is the limit;
/// it leaves out the start of the workers, container control and verification.
/// </summary>
public sealed record RunEstimate
{
    /// <summary>Documents per request that the SDK groups in bulk, at most.</summary>
    private const int BulkRequestDocuments = 100;

    /// <summary>RU of reading what a query finds, up to 1 KB.</summary>
    private const double SmallDocument = 0.2;

    /// <summary>Connections of a Gateway client where a spec says nothing; each carries one request at a time.</summary>
    private const int DefaultGatewayConnections = 50;

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
        ArgumentNullException.ThrowIfNull(spec);
        var requestUnits = spec.Documents * ChargeOf(spec, spec.Workload.Kind);
        var preload = spec.Workload.Kind.NeedsDocuments() && spec.Container.Name is null
            ? spec.Workload.PreloadOf(spec.Documents) * ChargeOf(spec, WorkloadKind.Insert)
            : 0;
        var usesTables = spec.Workload.Kind.UsesTables();
        var latency = !usesTables && (spec.Simulation is not null || target == RunTarget.SimulatedAccount)
            ? spec.Simulation?.Latency ?? LatencyProfile.SameRegion
            : null;

        var limits = new List<double>();
        if (spec.Container.Name is null && !usesTables)
            limits.Add(requestUnits / spec.Container.Throughput);
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        for (var worker = 0; worker < spec.Workers; worker++)
        {
            var slice = slices[worker].Count;
            var settings = spec.SettingsOf(worker);
            if (settings.Rate is { } rate)
                limits.Add(slice / rate);
            if (latency is not null && spec.Workload.Steps is null
                && OperationSeconds(latency, spec.Workload, settings.ConnectionMode) is > 0 and var seconds)
                limits.Add(slice * seconds / DocumentsInFlight(spec.Workload, settings));
        }

        double? longest = limits.Count == 0 ? null : limits.Max();
        if (spec.Workload.Steps is { } steps)
            longest = steps.Sum(step => step.Duration.TotalSeconds);
        return new RunEstimate
        {
            RequestUnits = Math.Round(requestUnits, 2),
            PreloadRequestUnits = Math.Round(preload, 2),
            Seconds = longest + (preload / spec.Container.Throughput),
        };
    }

    /// <summary>
    /// RU of one document's operation; in bulk and in a batch a document is charged as one alone, and a query finds one small document.
    /// </summary>
    private static double ChargeOf(RunSpec spec, WorkloadKind kind)
    {
        var shape = DocumentShape.From(spec.Document);
        switch (kind)
        {
            case WorkloadKind.TableBatch:
                return 0;
            case WorkloadKind.Read:
                return RequestCharge.Read(shape.Bytes);
            case WorkloadKind.Query:
                var partitions = spec.Workload.Query?.PartitionKey is null
                    ? (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container.Throughput)
                    : 1;
                return RequestCharge.Query(partitions, SmallDocument);
            default:
                var container = spec.Container;
                var leaves = container.Indexing == IndexingMode.Consistent
                    ? shape.LeafPaths.Count(leaf => !container.ExcludedPaths.Any(path => IndexPath.Covers(path, leaf)))
                    : 0;
                return RequestCharge.Write(shape.Bytes, leaves);
        }
    }

    private static double OperationSeconds(LatencyProfile latency, WorkloadSpec workload, ConnectionMode mode) =>
        (workload.ThinkTime.TotalMilliseconds
            + latency.RoundTripMs
            + (workload.Kind.LeavesCount() ? latency.ReadMedianMs : latency.WriteMedianMs)
            + (mode == ConnectionMode.Gateway ? latency.GatewayHopMs : 0)) / 1000;

    private static double DocumentsInFlight(WorkloadSpec workload, ClientSettings settings)
    {
        var inFlight = (double)settings.Concurrency * workload.DocumentsPerOperation;
        if (settings.ConnectionMode != ConnectionMode.Gateway)
            return inFlight;
        var perRequest = workload.UsesBulk ? BulkRequestDocuments : workload.DocumentsPerOperation;
        return Math.Min(inFlight, (double)(settings.MaxConnections ?? DefaultGatewayConnections) * perRequest);
    }
}
