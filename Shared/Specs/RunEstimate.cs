namespace ScaleOut.Specs;

/// <summary>
/// Minimum RU and time of a run, by its spec alone. The estimate assumes that all documents are new and of their kind's typical size, and
/// that keys spread evenly over the partitions. Nothing is throttled or retried, and neither a client's nor the account's CPU is the limit.
/// The start of the workers, container control and verification are left out.
/// </summary>
public sealed record RunEstimate
{
    /// <summary>Maximum number of documents in a bulk request of the SDK.</summary>
    public const int BulkRequestDocuments = 100;

    /// <summary>How long the SDK waits before it sends a bulk request that is not full, in ms.</summary>
    public const int BulkFlushMs = 100;

    /// <summary>Default number of connections of a Gateway client. Each carries one request at a time.</summary>
    public const int DefaultGatewayConnections = 50;

    /// <summary>RU of all operations. 0 for tables. An existing container is assumed to have the default index.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>RU of the documents that are written before the start; 0 if the workload needs none.</summary>
    public double PreloadRequestUnits { get; init; }

    /// <summary>
    /// The preload's RU over the container's throughput, plus the longest of these times: the RU over the throughput, and each worker's
    /// slice at its open-loop rate and at its operations in flight over the latency. With steps it is the time of the steps instead. Null
    /// if no limit is known, because an existing container's throughput and a real account's latency are not.
    /// </summary>
    public double? Seconds { get; init; }

    public static RunEstimate From(RunSpec spec, RunTarget target = RunTarget.Undecided)
    {
        var requestUnits = spec.Documents * ChargeOf(spec);
        var preload = spec.Workload.NeedsDocuments && spec.Container.Name is null
            ? spec.PreloadOf() * ChargeOf(spec, WorkloadKind.Insert)
            : 0;
        var usesTables = spec.Workload.Kind.UsesTables();
        var latency = !usesTables && (spec.Simulation is not null || target == RunTarget.SimulatedAccount)
            ? spec.Simulation?.Latency ?? LatencyProfile.SameRegion
            : null;

        var limits = new List<double>();
        var saysThroughput = spec.SaysThroughput(target) && !usesTables;
        var preloadSeconds = saysThroughput ? SecondsOfBudget(spec, preload) : 0;
        if (saysThroughput)
            limits.Add(SecondsOfBudget(spec, preload + requestUnits) - preloadSeconds);
        var provisioned = saysThroughput ? spec.Container.Throughput : (double?)null;
        if (spec.Workload.PaceOf(provisioned) is { } pace)
            limits.Add(requestUnits / pace);
        var slices = Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        for (var worker = 0; worker < spec.Workers; worker++)
        {
            var slice = slices[worker].Count;
            var settings = spec.SettingsOf(worker);
            if (settings.Rate is { } rate)
                limits.Add(slice / rate);
            if (spec.Workload.Steps is not null)
                continue;
            var own = spec.AsOf(worker);
            if (spec.OwnPaceOf(worker) is { } ownPace)
                limits.Add(slice * ChargeOf(own) / ownPace);
            var seconds = latency is null ? 0 : OperationSeconds(latency, own, settings);
            if (WaitsForBulkTimer(spec, settings))
                seconds = SecondsByBulkTimer(spec, seconds);
            if (seconds > 0)
                limits.Add(slice * seconds / DocumentsInFlight(spec.Workload, settings));
        }

        var longest = spec.Workload.StepsDuration?.TotalSeconds ?? (limits.Count == 0 ? (double?)null : limits.Max());
        return new RunEstimate
        {
            RequestUnits = Math.Round(requestUnits, 2),
            PreloadRequestUnits = Math.Round(preload, 2),
            Seconds = longest + preloadSeconds,
        };
    }

    /// <summary>Seconds in which the container gives these RU: at the burst limit until its bank is empty, then at its RU/s.</summary>
    internal static double SecondsOfBudget(RunSpec spec, double requestUnits)
    {
        var (perSecond, simulation) = ((double)spec.Container.Throughput, spec.Simulation ?? new SimulationSpec());
        var most = (double)SimulationSpec.BurstRequestUnitsPerSecond * PartitionsInSimulation(spec);
        if (!simulation.Burst || most <= perSecond)
            return requestUnits / perSecond;
        var banked = simulation.BurstBank * SimulationSpec.BurstBankSeconds * perSecond;
        return Math.Max(requestUnits / most, (requestUnits - banked) / perSecond);
    }

    /// <summary>RU of an operation on one document. For a mix, the mean; for an action, the sum of its steps.</summary>
    /// <param name="bytes">Size of the document; null for its kind's typical size.</param>
    public static double ChargeOf(RunSpec spec, int? bytes = null) =>
        spec.MeanOf(own => own.Workload.Shares.Sum(one => one.Share * ChargeOf(own, one.Kind, bytes)));

    /// <summary>
    /// Physical partitions of a real container. The number is that of the spec. Without it, the service's number for a new container is
    /// used, or the number that the documents fill if that is larger. It is never less than the RU/s need.
    /// </summary>
    /// <param name="bytes">Size of one document; null for its kind's typical size.</param>
    public static int PartitionsOf(RunSpec spec, double? bytes = null)
    {
        var throughput = spec.Container.Throughput;
        var written = spec.Workload.Kind.NeedsDocuments() ? 0
            : spec.Documents * (spec.Workload.Action is null ? 1 : spec.Workload.WrittenByAction);
        var stored = written * (bytes ?? DocumentShape.From(spec.Document).Bytes);
        var given = spec.Simulation?.PhysicalPartitions ?? Math.Max(
            SimulationSpec.ServicePartitionsFor(throughput, spec.Container.IsDense),
            (int)Math.Ceiling(stored / (CosmosLimits.MaxGigabytesPerPartition * 1e9)));
        return Math.Max(given, (int)Math.Ceiling(throughput / (double)SimulationSpec.MaxRequestUnitsPerPartition));
    }

    /// <summary>
    /// RU of the operation on one document. A document in a bulk request or batch is charged as a single one, and a query is assumed to
    /// find one document by one condition. Uses the charges of the spec's simulated account, or the standard ones.
    /// </summary>
    /// <param name="size">Bytes of the document; null for its kind's typical size.</param>
    public static double ChargeOf(RunSpec spec, WorkloadKind kind, int? size = null)
    {
        if (spec.Document.Kinds is not null)
            return MeanOfKinds(spec, size, (one, bytesOfKind) => ChargeOf(one, kind, bytesOfKind));
        var charges = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        var bytes = size ?? DocumentShape.From(spec.Document).Bytes;
        return kind switch
        {
            WorkloadKind.TableBatch => 0,
            WorkloadKind.Read => ReadChargeOf(),
            // The patch adds a property that the documents do not have.
            WorkloadKind.Patch =>
                charges.Patch(charges.Replace(bytes, bytes, Changed(WorkloadSpec.PatchedPath)), operations: 1).Rounded().Value,
            WorkloadKind.Replace =>
                ReadChargeOf() + charges.Replace(bytes, bytes, Changed(WorkloadSpec.ReplacedPath)).Rounded().Value,
            WorkloadKind.Query => QueryChargeOf(spec, returned: 1, bytes),
            // Results of a bulk request are not rounded, and a batch is rounded once.
            WorkloadKind.Bulk or WorkloadKind.Batch => charges.Create(bytes, IndexEntriesOf(spec).Total).Value,
            _ => charges.Create(bytes, IndexEntriesOf(spec).Total).Rounded().Value,
        };

        double ReadChargeOf() => (charges.Read(bytes) * ReadFactorOf(spec)).Rounded().Value;

        // Entries of one changed value and of the time of the change.
        int Changed(string path) => PathsOf(spec.Container) is not { } paths ? 0
            : IndexEntries.OfValue + (paths.Holds([path.TrimStart('/')]) ? IndexEntries.OfValue : 0);
    }

    /// <summary>The mean over the kinds of the documents, by their shares.</summary>
    /// <param name="size">Mean size of all documents; null for that of their typical sizes.</param>
    private static double MeanOfKinds(RunSpec spec, int? size, Func<RunSpec, int, double> of)
    {
        var factor = size is { } known ? known / (double)DocumentShape.From(spec.Document).Bytes : 1;
        return DocumentMix.ByKind(spec).Sum(
            one => one.Share * of(one.Spec, Math.Max(1, (int)Math.Round(factor * DocumentShape.From(one.Spec.Document).Bytes))));
    }

    /// <summary>RU of a query by one condition that loads no more documents than it returns.</summary>
    /// <param name="returned">Number of returned documents, spread evenly over the queried partitions.</param>
    /// <param name="size">Bytes of a document; null for its kind's typical size.</param>
    public static double QueryChargeOf(RunSpec spec, int returned, int? size = null)
    {
        if (spec.Document.Kinds is not null)
            return MeanOfKinds(spec, size, (one, bytesOfKind) => QueryChargeOf(one, returned, bytesOfKind));
        var partitions = spec.Workload.Query?.PartitionKey is null
            ? PartitionsInSimulation(spec)
            : 1;
        var pages = partitions * Math.Max(
            1, Math.Ceiling(returned / (double)partitions / (spec.Workload.Query?.PageSize ?? QuerySpec.DefaultPageSize)));
        var charges = ChargeSpec.ModelOf(spec.Simulation?.Charges);
        var stored = charges.StoredBytes(size ?? DocumentShape.From(spec.Document).Bytes);
        var document = charges.Query.OfLoaded(stored, isFound: true, isEvaluated: false) + charges.Query.OfWhole(stored);
        var all = (pages * charges.Query.OfPage(lookups: 1)) + (returned * document);
        return (Charges.RequestUnits.From(all) * ReadFactorOf(spec)).Rounded().Value;
    }

    /// <summary>Index entries of a document of its kind's usual form. The elements of a template's arrays are assumed to differ.</summary>
    public static IndexEntries IndexEntriesOf(RunSpec spec) => IndexEntriesOf(spec, DocumentShape.From(spec.Document).Sample);

    /// <summary>
    /// Whether the number of index entries rests on an assumption, because equal elements of an array are one entry, and which are equal is
    /// known only of a written document.
    /// </summary>
    public static bool AssumesEntries(RunSpec spec)
    {
        if (spec.Document.Kinds is not null)
            return DocumentMix.ByKind(spec).Any(one => AssumesEntries(one.Spec));
        var sample = JsonNode.Parse(DocumentShape.From(spec.Document).Sample)!.AsObject();
        var all = IndexEntriesOf(spec, Encoding.UTF8.GetBytes(sample.ToJsonString()));
        EmptyArrays(sample);
        return all != IndexEntriesOf(spec, Encoding.UTF8.GetBytes(sample.ToJsonString()));
    }

    private static void EmptyArrays(JsonObject value)
    {
        foreach (var (_, part) in value)
        {
            if (part is JsonArray array)
                array.Clear();
            else if (part is JsonObject inner)
                EmptyArrays(inner);
        }
    }

    /// <summary>Index entries of a document.</summary>
    /// <param name="json">The document, UTF-8.</param>
    public static IndexEntries IndexEntriesOf(RunSpec spec, ReadOnlySpan<byte> json) => IndexEntries.Count(PathsOf(spec.Container), json);

    /// <summary>The paths of the container's index; null if it is off.</summary>
    private static IndexPaths? PathsOf(ContainerSpec container) => container.Indexing != IndexingMode.Consistent ? null
        : container is { IncludedPaths.Count: 0, ExcludedPaths.Count: 0 } ? IndexPaths.Everything
        : IndexPaths.TryCreate(container.PolicyIncludedPaths, container.ExcludedPaths, out _);

    private static double OperationSeconds(LatencyProfile latency, RunSpec spec, ClientSettings settings) =>
        (spec.Workload.ThinkTime.TotalMilliseconds
            + (latency.NetworkMs(settings.ConnectionMode) * RequestsPerOperation(spec))
            + MedianServiceMs(latency, spec, settings)) / 1000;

    /// <summary>Requests that an operation sends one after the other; for a mix, the mean; for an action, those of all steps.</summary>
    public static double RequestsPerOperation(RunSpec spec) => spec.Workload.Shares.Sum(one => one.Share * (IsReplace(one.Kind) ? 2 : 1));

    private static bool IsReplace(WorkloadKind kind) => kind == WorkloadKind.Replace;

    /// <summary>
    /// Median service time of an operation on an idle partition, in ms. For a mix, the mean of the medians of its kinds; for an action, the
    /// sum of those of its steps.
    /// </summary>
    /// <param name="settings">Settings of the worker, which decide the number of documents in a bulk request.</param>
    public static double MedianServiceMs(LatencyProfile latency, RunSpec spec, ClientSettings settings)
    {
        var operations = OperationsPerRequest(spec, settings);
        var kilobytes = operations * DocumentShape.From(spec.Document).Bytes / 1024.0;
        var reading = latency.MedianServiceMs(false, operations, kilobytes);
        return spec.Workload.Shares.Sum(one => one.Share * ((IsReplace(one.Kind) ? reading : 0) + latency.MedianServiceMs(
            !one.Kind.Reads() || spec.Workload.UsesBulk, operations, one.Kind == WorkloadKind.Query ? 1 : kilobytes)));
    }

    /// <summary>
    /// Whether a workload's requests are writes. Bulk requests count as writes, and so does a mix or an action with more than half writes.
    /// </summary>
    public static bool IsWrite(RunSpec spec) =>
        spec.Workload.UsesBulk || spec.Workload.Shares.Where(one => !one.Kind.Reads()).Sum(one => one.Share)
            > 0.5 * spec.Workload.Shares.Sum(one => one.Share);

    /// <summary>Whether a worker has too few operations in flight to fill bulk requests, so that each waits for the SDK's timer.</summary>
    public static bool WaitsForBulkTimer(RunSpec spec, ClientSettings settings) =>
        spec.Workload.UsesBulk && OperationsPerRequest(spec, settings) < BulkRequestDocuments;

    /// <summary>
    /// Mean time from one operation of a loop to the next, in seconds, if each waits for the timer of its partition. Each partition has a
    /// timer of its own on a wheel that moves every 50 ms (SDK 3.x, <c>BatchAsyncStreamer</c>, <c>BatchAsyncContainerExecutor</c>), so two
    /// timers fire together or half a period apart, the one as often as the other.
    /// </summary>
    /// <param name="seconds">Time of the operation without the wait.</param>
    private static double SecondsByBulkTimer(RunSpec spec, double seconds)
    {
        const double Period = BulkFlushMs / 1000.0;
        var together = (1 + (1.0 / PartitionsInSimulation(spec))) / 2;
        var sameTime = Period * Math.Max(1, Math.Ceiling(seconds / Period));
        var between = Period * (0.5 + Math.Max(0, Math.Ceiling((seconds / Period) - 0.5)));
        return (together * sameTime) + ((1 - together) * between);
    }

    private static int PartitionsInSimulation(RunSpec spec) => (spec.Simulation ?? new SimulationSpec()).PartitionsFor(spec.Container);

    /// <summary>
    /// Number of documents in a request. For bulk, this is the number of documents in flight for one partition, 1 to 100.
    /// </summary>
    private static int OperationsPerRequest(RunSpec spec, ClientSettings settings)
    {
        if (!spec.Workload.UsesBulk)
            return spec.Workload.DocumentsPerOperation;
        return Math.Clamp(settings.Concurrency / PartitionsInSimulation(spec), 1, BulkRequestDocuments);
    }

    /// <summary>Factor of the charge of reads by their consistency. 1 if the spec gives no consistency.</summary>
    private static int ReadFactorOf(RunSpec spec) => spec.AsksTwoReplicas() ? ChargeModel.StrongReadFactor : 1;

    /// <summary>
    /// Maximum number of documents that one worker has in flight. In Gateway mode the connections limit it, because each carries one
    /// request.
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
