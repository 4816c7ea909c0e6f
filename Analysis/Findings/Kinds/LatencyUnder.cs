namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The threshold is a limit in ms; the effect is the limit over the 99th percentile, so that above 1 the claim holds. Supported when its
/// 95% interval over the repeats lies above 1, refuted when it lies below.
/// </summary>
internal sealed class LatencyUnder() : FindingTest(FindingKind.LatencyUnder, FindingRoles.One("single indexed writes, or point reads"))
{
    private const double Share = 0.99;

    /// <summary>Share of throttled attempts from which the percentile is a wait for request units.</summary>
    private const double MaxThrottled = 1 - Share;

    /// <summary>By how much a percentile of a histogram can be off.</summary>
    private const double Resolution = 0.01;

    /// <summary>Correlation of neighbouring runs that the interval allows for.</summary>
    private const double Resemblance = 0.5;

    public override string RestsOn =>
        "the machine did not drift: nothing is compared with this variant, so what changes from run to run is in its figure. The "
            + "interval allows for neighbouring runs that resemble each other with a correlation of 0.5; with one of 0.9 up to 19% of the "
            + "verdicts can be wrong, with a steady trend half of them";

    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

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
        if (WhyNotTested(given) is { } obstacle)
            return FindingResult.NotTested(obstacle);
        if (given.Baseline.Values(figures => figures.P99LatencyMs) is not { } percentiles)
            return FindingResult.NotTested("the 99th percentile of the latency was not measured in every run");

        var (limit, sample) = (ThresholdOf(given.Spec), LogSample.From(percentiles));
        var effect = EffectFrom(sample, limit);
        var interval = effect?.At();
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = limit / sample.GeometricMean,
            EffectOf = $"{ClaimText.Ratio(limit)} ms / 99th percentile of the latency",
            Interval95 = interval,
            Sentence = $"99% of the operations took at most {Numbers.Brief(sample.GeometricMean)} ms"
                + (interval is { } known ? ClaimText.Within(new Interval(limit / known.High, limit / known.Low)) : ""),
            Notes = [.. Notes(given.Baseline.Spec)],
        };
        if (effect?.At(given.Verdicts.Confidence) is not { } decisive)
            return outcome.UndecidedBySingleRepeat();
        if (decisive.LiesAbove(1) || decisive.LiesBelow(1))
        {
            return outcome with
            {
                Verdict = decisive.LiesAbove(1) ? FindingVerdict.Supported : FindingVerdict.Refuted,
                Sentence = $"{outcome.Sentence}: {(decisive.LiesAbove(1) ? "less" : "more")} than {ClaimText.Ratio(limit)} ms.",
            };
        }

        return outcome with
        {
            Reason = $"the 95% interval holds {ClaimText.Ratio(limit)} ms",
            Sentence = $"{outcome.Sentence}: the noise hides whether that is less than {ClaimText.Ratio(limit)} ms.",
        };
    }

    public override string PredictedFrom => "the parameters of latency";

    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) =>
        effect > 1 ? FindingVerdict.Supported : FindingVerdict.Refuted;

    public override Assumption? FollowsFrom(FindingCase given)
    {
        var spec = given.Baseline.Spec;
        var settings = spec.SettingsOf(0);
        var percentile = PredictedLatency.QuantileMs(spec, settings, Share);
        return percentile > 0
            ? new Assumption(PredictedLatency.TextOf(spec, settings.ConnectionMode), ThresholdOf(given.Spec) / percentile)
            : null;
    }

    private static string? WhyNotTested(FindingCase given)
    {
        if (given.Unusable is { } obstacle)
            return obstacle;
        var throttled = given.Baseline.Usable.Max(figures => figures.ThrottledShare ?? 0);
        return throttled >= MaxThrottled
            ? $"{Numbers.Percent(throttled)} of the attempts were throttled, so the slowest 1% waited for request units"
            : null;
    }

    /// <summary>
    /// Null for a single repeat. Percentiles that agree by chance are still known to their resolution only. No other variant shares what
    /// the runs have in common, so the interval allows for it.
    /// </summary>
    private static RatioEffect? EffectFrom(LogSample sample, double limit)
    {
        if (sample.Count < RatioEffect.MinValues)
            return null;
        var (factor, freedom) = CorrelatedMean.From(sample.Count, Resemblance);
        return new RatioEffect
        {
            Ratio = limit / sample.GeometricMean,
            StandardError = Math.Sqrt(Math.Max(factor * sample.Variance, Resolution * Resolution) / sample.Count),
            DegreesOfFreedom = freedom,
        };
    }

    private static IEnumerable<string> Notes(RunSpec spec)
    {
        if (ClosedLoops.Has(spec))
            yield return "In a closed loop a slow response keeps the next operation from being sent, so waits that an open loop would have "
                + "had are not in the percentile; client.rate counts them.";
    }
}
