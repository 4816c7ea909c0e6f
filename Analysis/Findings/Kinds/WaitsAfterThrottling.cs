namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>The threshold is a share of the operations' time.</summary>
internal sealed class WaitsAfterThrottling() : LimitTest(
    FindingKind.WaitsAfterThrottling, FindingRoles.One("a load that exceeds the RU/s"),
    "share of the operations' time that they waited after 429s", mustBeLess: false)
{
    public override double DefaultThreshold => 0.5;

    public override string ClaimFor(FindingSpec finding) =>
        $"Under throttling operations spend more than {Numbers.Percent(ThresholdOf(finding))} of their time waiting after 429s.";

    public override string? ThresholdError(double threshold) =>
        threshold is > 0 and < 1 ? null : FormattableString.Invariant($"{threshold} is out of range: above 0, below 1");

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workload.Kind.UsesTables() ? "the variant must send its operations to Cosmos DB"
        : variants[0].Workload.IsPaced ? "the variant must not keep to RU/s of its own (requestUnitRate, maxRequestUnitShare)"
        : null;

    protected override double? FigureOf(RunFigures figures) => figures.ThrottledWaitShare;

    protected override string Statement(string value) => $"Waits after 429s took {value} of the operations' time";

    protected override string? Obstacle(MeasuredVariant variant)
    {
        var waits = variant.Usable.Select(FigureOf).ToList();
        return !waits.TrueForAll(share => share is >= 0 and var known && double.IsFinite(known))
            ? "the waits after 429s were not measured in every run"
            : waits.Contains(0) ? "not every run was throttled, so the load did not exceed the RU/s" : null;
    }

    public override string PredictedFrom => "documents in flight over the rate that the RU/s allow, and latency";

    public override Assumption FollowsFrom(FindingCase given)
    {
        var spec = given.Baseline.Spec;
        var text = FormattableString.Invariant($"throughput = {spec.Container.Throughput}, the RU of a document, ")
            + $"documents in flight, {PredictedLatency.TextOf(spec)}";
        return new Assumption(text, WaitShareOf(spec) / ThresholdOf(given.Spec));
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
