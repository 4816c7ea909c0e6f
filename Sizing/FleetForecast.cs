namespace ScaleOut.Sizing;

/// <summary>What a simulated fleet does, as <c>--json</c> writes it. Rates and RU are those of the whole fleet.</summary>
public sealed record FleetForecast
{
    /// <summary>
    /// Largest share of its cores at which a client's latencies are promised. Above this share, a little more CPU per operation changes
    /// them much.
    /// </summary>
    public const double MaxClientShare = 0.7;

    /// <summary>
    /// Bytes a second that a worker can send for each core. Source: Azure documentation, "Dv2-series": 750 Mbit/s for D1 v2. Only what a
    /// machine sends is limited ("Virtual machine network bandwidth"). Flex Consumption states none.
    /// </summary>
    public const double MaxSentPerCore = 750e6 / 8;

    /// <summary>
    /// Factor by which the effective sample size of 429s is at least smaller than the number of attempts, because 429s are clustered in the
    /// same seconds and partitions.
    /// </summary>
    private const double ThrottledClustering = 20;

    /// <summary>As <see cref="ThrottledClustering"/>, for slow operations.</summary>
    private const double SlowClustering = 2;

    /// <summary>Share of 429s from which on they decide about the highest percentiles.</summary>
    private const double DecisiveThrottled = 0.01;

    /// <summary>Smallest share of an open loop's rate that counts as kept. It is below 1, because a simulation is random.</summary>
    private const double KeptShare = 0.995;

    public required int Workers { get; init; }

    public required int Cores { get; init; }

    public required ConnectionMode ConnectionMode { get; init; }

    /// <summary>Whether the SDK groups operations by physical partition.</summary>
    public required bool Bulk { get; init; }

    public required int ConcurrencyPerWorker { get; init; }

    /// <summary>Documents a second of each worker's open loop; null for a closed loop.</summary>
    public required double? RatePerWorker { get; init; }

    /// <summary>CPU time of the client for each operation, ms; null if unknown.</summary>
    public required double? CpuMsPerOperation { get; init; }

    public required double OverheadMs { get; init; }

    public required double RequestUnitsPerDocument { get; init; }

    public required int Seed { get; init; }

    public required double PerSecond { get; init; }

    /// <summary>
    /// Where <see cref="PerSecond"/> lies: the simulation's 95% interval, widened by the model's error; null for too few seconds.
    /// </summary>
    public required Interval? PerSecondRange { get; init; }

    /// <summary>Where the p99 of <see cref="OperationMs"/> lies, by the model's error; null where it is not promised.</summary>
    public Interval? P99MsRange => PromisesLatency && OperationMs.P99 is { } p99
        ? new Interval(p99 / (1 + ModelError.Latency), p99 * (1 + ModelError.Latency))
        : null;

    /// <summary>Whether the clients have enough CPU to spare for latencies to be promised.</summary>
    public bool PromisesLatency => !(Utilization.Client > MaxClientShare);

    /// <summary>
    /// Whether operations come at random. The client's share of <see cref="Utilization"/> is then the mean of all clients at just the rate,
    /// and not that of the busiest one.
    /// </summary>
    [JsonIgnore]
    public bool ComesAtRandom { get; init; }

    /// <summary>Bytes of documents that each worker sends in a second.</summary>
    public required double SentPerSecond { get; init; }

    /// <summary>Whether they are more than the worker's cores can send. A simulated rate is random, so it may be a little more.</summary>
    [JsonIgnore]
    public bool SendsTooMuch => SentPerSecond > 1.01 * Cores * MaxSentPerCore;

    /// <summary>Standard deviation of the single seconds.</summary>
    public required double PerSecondDeviation { get; init; }

    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencySummary OperationMs { get; init; }

    /// <summary>The same for each kind of a mix, by its name; empty without one.</summary>
    public IReadOnlyDictionary<string, LatencySummary> OperationMsByKind { get; init; } = new Dictionary<string, LatencySummary>();

    /// <summary>From handing an operation over to its response, whatever it was.</summary>
    public required LatencySummary AttemptMs { get; init; }

    public required double ThrottledShare { get; init; }

    /// <summary>
    /// What the <see cref="ThrottledShare"/> of a longer simulation may be: two standard errors above it. A fleet is judged by this value,
    /// so that it does not pass by chance.
    /// </summary>
    [JsonIgnore]
    public double HighThrottledShare { get; init; }

    /// <summary>As <see cref="HighThrottledShare"/>, the latencies of all operations.</summary>
    [JsonIgnore]
    public LatencySummary HighOperationMs { get; init; } = new();

    /// <summary>As <see cref="HighThrottledShare"/>, the latencies of each kind of a mix.</summary>
    [JsonIgnore]
    public IReadOnlyDictionary<string, LatencySummary> HighOperationMsByKind { get; init; } = new Dictionary<string, LatencySummary>();

    /// <summary>Share of an open loop's rate that was done, at most 1; null for a closed loop.</summary>
    public required double? AchievedShare { get; init; }

    /// <summary>Operations of a request: 1 except in bulk.</summary>
    public required double? OperationsPerRequest { get; init; }

    public required double RequestUnitsPerSecond { get; init; }

    /// <summary>RU/s of the container.</summary>
    public required double Throughput { get; init; }

    public required ForecastPartitions Partitions { get; init; }

    public required BoundBy BoundBy { get; init; }

    public required Utilization Utilization { get; init; }

    /// <summary>Mean over the clients: CPU time / (time x cores); null if the CPU of an operation is not known.</summary>
    public required double? ClientCpu { get; init; }

    /// <summary>The part of the fleet that was simulated and stands for the rest.</summary>
    public required FleetSample Sample { get; init; }

    /// <summary>Computes the figures from a result.</summary>
    /// <param name="final">Whether a fleet is judged by it for good, so that the clustering of its 429s is measured.</param>
    internal static FleetForecast From(FleetResult result, bool final = false)
    {
        var spec = result.Spec;
        var knowsCpu = spec.CpuMsPerAttempt > 0;
        var mean = result.DocumentsPerSecond.Average();
        var means = result.PartitionUnits.Select(units => units.Count > 0 ? units.Average() : 0).ToList();
        // The sample's partitions stand for all: their share of the budget is that of the container.
        var units = means.Average() / result.PartitionBudget * spec.Throughput;
        var achieved = AchievedShareOf(result, mean);
        var clustering = final ? ClusteringOf(result) : null;
        var slow = SlowClustering
            + (Math.Min(1, result.ThrottledShare / DecisiveThrottled) * Math.Max(0, (clustering ?? SlowClustering) - SlowClustering));
        var used = new Utilization
        {
            RequestUnits = Math.Round(units / spec.Throughput, 4),
            PartitionSecondsAtLimit = SecondsAtLimit(result, means),
            Client = knowsCpu ? Math.Round(result.ClientCpuAtRate, 4) : null,
            KeptSchedule = result.KeptSchedule is { } kept ? kept && achieved >= KeptShare : null,
        };
        return new FleetForecast
        {
            Workers = spec.Workers,
            Cores = spec.Cores,
            ConnectionMode = spec.ConnectionMode,
            Bulk = spec.Bulk,
            ConcurrencyPerWorker = spec.Concurrency,
            RatePerWorker = spec.Rate,
            CpuMsPerOperation = knowsCpu ? Math.Round(spec.CpuMsPerAttempt, 5) : null,
            OverheadMs = Math.Round(spec.OverheadMs, 3),
            RequestUnitsPerDocument = spec.ChargePerDocument,
            Seed = spec.Seed,
            ComesAtRandom = spec is { Poisson: true, Rate: not null },
            PerSecond = Math.Round(mean, 2),
            PerSecondRange = RangeOf(result, mean),
            SentPerSecond = Math.Round(mean / spec.Workers * spec.SentShare * spec.BytesPerDocument),
            PerSecondDeviation = Math.Round(
                Math.Sqrt(result.DocumentsPerSecond.Average(rate => (rate - mean) * (rate - mean)) / result.Factor), 2),
            OperationMs = LatencySummary.From(result.Operation),
            OperationMsByKind = ByKind(result, LatencySummary.From),
            HighOperationMs = HighOf(result.Operation, slow),
            HighOperationMsByKind = ByKind(result, one => HighOf(one, slow)),
            HighThrottledShare = HighOf(result.ThrottledShare, result.Counts.Attempts / (clustering ?? ThrottledClustering)),
            AttemptMs = LatencySummary.From(result.Attempt),
            AchievedShare = achieved,
            ThrottledShare = Math.Round(result.ThrottledShare, 5),
            OperationsPerRequest = result.OperationsPerRequest is { } each ? Math.Round(each, 2) : null,
            RequestUnitsPerSecond = Math.Round(units, 2),
            Throughput = spec.Throughput,
            Partitions = PartitionsOf(spec, means),
            BoundBy = BoundByRule.Decide(used),
            Utilization = used,
            ClientCpu = knowsCpu ? Math.Round(result.ClientCpu, 4) : null,
            Sample = result.Sample,
        };
    }

    private static ForecastPartitions PartitionsOf(FleetSpec spec, List<double> means) => new()
    {
        Count = spec.Partitions,
        BudgetPerSecond = Math.Round(spec.Throughput / spec.Partitions, 2),
        Mean = Math.Round(means.Average(), 2),
        Lowest = Math.Round(means.Min(), 2),
        Highest = Math.Round(means.Max(), 2),
        Used = [.. means.Select(mean => Math.Round(mean))],
    };

    private static Dictionary<string, LatencySummary> ByKind(FleetResult result, Func<LatencyHistogram, LatencySummary> summary) =>
        result.Spec.Mix.Zip(result.OperationByKind).Where(one => one.First.Name is not null)
            .ToDictionary(one => one.First.Name!, one => summary(one.Second));

    /// <summary>The kinds whose latencies a condition may name. An action is one of them, besides the kinds of its steps.</summary>
    public static IEnumerable<WorkloadKind> KindsOf(RunSpec spec) => spec.Workload.Shares.Select(one => one.Kind)
        .Concat(spec.Workload.Action is null ? [] : [WorkloadKind.Action]);

    /// <summary>Names of the numbers that a condition of <c>size</c> may have for a load of these kinds.</summary>
    public static IReadOnlyCollection<string> ConditionNames(IEnumerable<WorkloadKind> kinds) =>
    [
        .. Percentiles, .. Percentiles.Select(name => $"latencyMs.operation.{name}"),
        .. kinds.SelectMany(kind => Percentiles.Select(name => $"{NameOf(kind)}.{name}")),
        ReportNumbers.ThrottledShare, LimitSpec.AchievedShare, ReportNumbers.Errors,
    ];

    /// <summary>A kind as specs name it, such as <c>insert</c>.</summary>
    public static string NameOf(WorkloadKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());

    private static IEnumerable<string> Percentiles => LimitNumbers.LatenciesOf(new LatencySummary()).Select(one => one.Key);

    /// <summary>The numbers that a condition may name.</summary>
    /// <param name="rate">Documents a second that were asked for.</param>
    /// <param name="latencyFactor">Factor on the latencies, for the model's own error.</param>
    /// <param name="kinds">The kinds of the load. A load of one kind has the latencies of all operations.</param>
    public Dictionary<string, double?> NumbersAt(double rate, double latencyFactor, IEnumerable<WorkloadKind> kinds)
    {
        var numbers = new Dictionary<string, double?>(StringComparer.Ordinal)
        {
            [ReportNumbers.ThrottledShare] = HighThrottledShare,
            [LimitSpec.AchievedShare] = AchievedShare ?? Math.Min(1, PerSecond / rate),
            // A simulated fleet has no errors.
            [ReportNumbers.Errors] = 0,
        };
        foreach (var (name, ms) in LimitNumbers.LatenciesOf(HighOperationMs))
            numbers[name] = numbers[$"latencyMs.operation.{name}"] = ms * latencyFactor;
        foreach (var kind in kinds.Select(NameOf))
        {
            foreach (var (name, ms) in LimitNumbers.LatenciesOf(HighOperationMsByKind.GetValueOrDefault(kind) ?? HighOperationMs))
                numbers[$"{kind}.{name}"] = ms * latencyFactor;
        }

        return numbers;
    }

    /// <summary>A share and two of its standard errors.</summary>
    private static double HighOf(double share, double operations) =>
        operations > 0 ? Math.Min(1, share + (2 * Math.Sqrt(share * (1 - share) / operations))) : share;

    /// <summary>The percentiles that are two standard errors further up.</summary>
    private static LatencySummary HighOf(LatencyHistogram latencies, double clustering)
    {
        double? At(double share) => latencies.PercentileMs(100 * HighOf(share, latencies.Count / clustering));
        return LatencySummary.From(latencies) with
        {
            P50 = At(0.5),
            P90 = At(0.9),
            P95 = At(0.95),
            P96 = At(0.96),
            P99 = At(0.99),
            P999 = At(0.999),
        };
    }

    /// <summary>The clustering of 429s by how much stretches of the time differ; null if there were none.</summary>
    private static double? ClusteringOf(FleetResult result)
    {
        var seconds = result.ThrottledPerSecond;
        if (BatchMeans.From(seconds) is not { } batches || batches.Values.Average() is not (> 0 and var mean))
            return null;
        var variance = batches.Inflation * batches.Values.Sum(one => (one - mean) * (one - mean))
            / (batches.Values.Count * (batches.Values.Count - 1));
        // Independent 429s would have the variance mean / seconds.
        return Math.Max(ThrottledClustering, variance * seconds.Count / mean);
    }

    /// <summary>Share of an open loop's rate that was done. One operation of each worker may be under way at the end.</summary>
    private static double? AchievedShareOf(FleetResult result, double mean)
    {
        var (spec, seconds) = (result.Spec, result.DocumentsPerSecond.Count);
        return spec.Rate is not null
            ? Math.Min(1, ((mean * seconds) + (spec.Workers * spec.DocumentsPerOperation)) / Math.Max(result.DocumentsDue, 1e-9))
            : null;
    }

    /// <summary>
    /// The 95% interval of the rate, from batch means of the seconds. A sample varies more than the whole fleet, so the interval is
    /// narrowed, and then widened by the model's error.
    /// </summary>
    private static Interval? RangeOf(FleetResult result, double mean)
    {
        if (BatchMeans.From(result.DocumentsPerSecond) is not { } batches
            || batches.Values.Any(value => value <= 0)
            || RepeatIntervals.OfMean(batches.Values) is not { } interval)
            return null;
        var share = Math.Sqrt(batches.Inflation / result.Factor);
        // An open loop that keeps its schedule does exactly its rate, so the model's error does not matter.
        var error = result.KeptSchedule == true ? 0 : ModelError.Rate;
        return new Interval(
            (mean - ((mean - interval.Low) * share)) * (1 - error), (mean + ((interval.High - mean) * share)) * (1 + error));
    }

    /// <summary>As <see cref="Utilization.PartitionSecondsAtLimit"/> says.</summary>
    private static double? SecondsAtLimit(FleetResult result, List<double> means)
    {
        var highest = BoundByRule.StandingOut(means.Zip(result.PartitionUnits), partition => partition.First, _ => false)
            .Max(partition => (double?)BoundByRule.SecondsAtLimit(
                partition.Second.Select(units => (units, result.PartitionBudget)), partition.Second.Count));
        return highest is { } share ? Math.Round(share, 4) : null;
    }
}

/// <summary>RU/s of the physical partitions of a simulated fleet.</summary>
public sealed record ForecastPartitions
{
    public required int Count { get; init; }

    public required double BudgetPerSecond { get; init; }

    public required double Mean { get; init; }

    public required double Lowest { get; init; }

    public required double Highest { get; init; }

    /// <summary>RU/s of each partition that was simulated.</summary>
    public IReadOnlyList<double> Used { get; init; } = [];
}
