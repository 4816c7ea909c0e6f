namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>The threshold is in ms.</summary>
internal sealed class LatencyUnder() : LimitTest(
    FindingKind.LatencyUnder, FindingRoles.One("single indexed writes, or point reads"), "99th percentile of the latency", mustBeLess: true)
{
    private const double Share = 0.99;

    /// <summary>Share of throttled attempts from which the 99th percentile contains waits for request units.</summary>
    private const double MaxThrottled = 1 - Share;

    public override double DefaultThreshold => 10;

    public override string ClaimFor(FindingSpec finding) =>
        $"Of single indexed writes, or of point reads, 99% take less than {ClaimText.Ratio(ThresholdOf(finding))} ms.";

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0] is { Workload: { UsesBulk: false, Kind: WorkloadKind.Read } }
            or { Workload.Kind: WorkloadKind.Insert or WorkloadKind.Upsert, Container.Indexing: IndexingMode.Consistent }
            ? null
            : "the variant must insert, upsert or read single documents, and index what it writes";

    public override FindingResult Judge(FindingCase given)
    {
        var outcome = base.Judge(given);
        return outcome.Effect is null || !ClosedLoops.Has(given.Baseline.Spec) ? outcome : outcome with
        {
            Notes =
            [
                "In a closed loop a slow response delays the next operation, and the percentile does not contain that delay. In an open "
                    + "loop (client.rate) it does.",
            ],
        };
    }

    protected override double? FigureOf(RunFigures figures) => figures.P99LatencyMs;

    protected override string TextOf(double value) => $"{base.TextOf(value)} ms";

    protected override string Statement(string value) => $"99% of the operations took at most {value}";

    protected override string? Obstacle(MeasuredVariant variant)
    {
        var throttled = variant.Usable.Max(figures => figures.ThrottledShare ?? 0);
        return throttled >= MaxThrottled
            ? $"{Numbers.Percent(throttled)} of the attempts were throttled, so the slowest 1% waited for request units"
            : null;
    }

    public override string PredictedFrom => "the parameters of latency";

    public override Assumption? FollowsFrom(FindingCase given)
    {
        var spec = given.Baseline.Spec;
        var percentile = PredictedLatency.QuantileMs(spec, spec.SettingsOf(0), Share);
        return percentile > 0
            ? new Assumption(PredictedLatency.TextOf(spec), ThresholdOf(given.Spec) / percentile)
            : null;
    }
}
