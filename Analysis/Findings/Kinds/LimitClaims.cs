namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>The kinds that hold a figure of one variant against a limit.</summary>
internal static class LimitClaims
{
    private const double Percentile = 0.99;

    /// <summary>Share of throttled attempts from which the 99th percentile contains waits for request units.</summary>
    private const double MaxThrottled = 1 - Percentile;

    public static IReadOnlyList<FindingTest> All { get; } =
    [
        new LimitTest(FindingKind.LatencyUnder, "single indexed writes, or point reads")
        {
            Claim = limit => $"Of single indexed writes, or of point reads, 99% take less than {Numbers.Brief(limit)} ms.",
            Figure = "99th percentile of the latency",
            FigureOf = figures => figures.P99LatencyMs,
            MustBeLess = true,
            Unit = " ms",
            DefaultThreshold = 10,
            Statement = value => $"99% of the operations took at most {value}",
            MisfitOf = spec => spec is { Workload: { UsesBulk: false, Kind: WorkloadKind.Read } }
                or { Workload.Kind: WorkloadKind.Insert or WorkloadKind.Upsert, Container.Indexing: IndexingMode.Consistent }
                ? null
                : "the variant must insert, upsert or read single documents, and index what it writes",
            Obstacle = variant => variant.Usable.Max(figures => figures.ThrottledShare ?? 0) is >= MaxThrottled and var throttled
                ? $"{Numbers.Percent(throttled)} of the attempts were throttled, so the slowest 1% waited for request units"
                : null,
            NoteOn = spec => ClosedLoops.Has(spec)
                ? "In a closed loop a slow response delays the next operation, and the percentile does not contain that delay. In an open "
                    + "loop (client.rate) it does."
                : null,
            PredictedFrom = "the parameters of latency",
            Prediction = (spec, limit) => PredictedLatency.QuantileMs(spec, spec.SettingsOf(0), Percentile) is > 0 and var percentile
                ? new Assumption(PredictedLatency.TextOf(spec), limit / percentile)
                : null,
        },
        new LimitTest(FindingKind.WaitsAfterThrottling, "a load that exceeds the RU/s")
        {
            Claim = limit => $"Under throttling operations spend more than {Numbers.Percent(limit)} of their time waiting after 429s.",
            Figure = "share of the operations' time that they waited after 429s",
            FigureOf = figures => figures.ThrottledWaitShare,
            IsShare = true,
            DefaultThreshold = 0.5,
            Statement = value => $"Waits after 429s took {value} of the operations' time",
            MisfitOf = spec => spec.Workload.Kind.UsesTables() ? "the variant must send its operations to Cosmos DB"
                : spec.HasPace() ? "the variant must not keep to RU/s of its own (requestUnitRate, maxRequestUnitShare)"
                : null,
            Obstacle = ObstacleToWaits,
            PredictedFrom = "documents in flight over the rate that the RU/s allow, and latency",
            Prediction = (spec, limit) => new Assumption(
                $"throughput = {spec.Container.Throughput}, the RU of a document, "
                    + $"documents in flight, {PredictedLatency.TextOf(spec)}",
                WaitShareOf(spec) / limit),
        },
    ];

    private static string? ObstacleToWaits(MeasuredVariant variant)
    {
        var waits = variant.Usable.Select(figures => figures.ThrottledWaitShare).ToList();
        if (!waits.TrueForAll(share => share is >= 0 and var known && double.IsFinite(known)))
            return "the waits after 429s were not measured in every run";
        return waits.Contains(0) ? "not every run was throttled, so the load did not exceed the RU/s" : null;
    }

    /// <summary>
    /// The predicted share of the operations' time that is spent waiting after 429s. In a closed loop that exceeds its RU/s, an operation
    /// takes the documents in flight divided by the rate that the RU/s allow. All of that except the operation's own latency is waiting.
    /// Null if the load stays within its RU/s, and for an open loop, where operations wait longer and longer for their turn.
    /// </summary>
    private static double? WaitShareOf(RunSpec spec)
    {
        var workers = Enumerable.Range(0, spec.Workers).Select(spec.SettingsOf).ToList();
        if (spec.Container.Name is not null || spec.Workload.Steps is not null || workers.Exists(settings => settings.Rate is not null))
            return null;
        var inFlight = workers.Select(settings => RunEstimate.DocumentsInFlight(spec.Workload, settings)).ToList();
        var roundMs = 1000 * inFlight.Sum() * PredictedRate.ChargeOf(spec) / spec.Container.Throughput;
        var operationMs = roundMs - spec.Workload.ThinkTime.TotalMilliseconds;
        var ownMs = workers.Zip(inFlight, (settings, documents) => documents * PredictedLatency.MeanMs(spec, settings)).Sum()
            / inFlight.Sum();
        return operationMs > ownMs ? 1 - (ownMs / operationMs) : null;
    }
}
