namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// Two parts, both of which must hold: RU per operation fall, and calls per operation fall. The effect is that of the RU.
/// </summary>
internal sealed class FittingPartitionKey() : FindingTest(
    FindingKind.FittingPartitionKey, FindingRoles.Pair("a partition key that the query does not name", "one that it does"))
{
    private const int Parts = 2;

    public override bool DependsOnLayout => true;

    public override bool ComparesRates => false;

    public override bool IsAboutTime => false;

    public override string ClaimFor(FindingSpec finding) =>
        ClaimText.Gain("A partition key that fits the query lowers RU and calls per operation", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Workload.Query is not null) ? null : "both variants must run a query";

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } unusable)
            return FindingResult.NotTested(unusable);
        if (Compare(given, figures => figures.RequestUnitsPerOperation) is not { } charge)
            return FindingResult.NotTested("RU per operation were not measured in every run");
        if (Compare(given, figures => figures.CallsPerOperation) is not { } calls)
            return FindingResult.NotTested("calls per operation were not measured in every run");

        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = charge.Ratio,
            EffectOf = $"RU per operation, {given.Baseline.Name} / {given.Changed.Name}",
            Interval95 = charge.Interval95(),
            Sentence = $"Without a partition key that fits, an operation cost {ClaimText.Ratio(charge.Ratio)} times the "
                + $"RU{ClaimText.Within(charge.Interval95())} "
                + $"and {ClaimText.Ratio(calls.Ratio)} times the calls{ClaimText.Within(calls.Interval95())}",
        };
        if (charge.Effect is not { } ofCharge || calls.Effect is not { } ofCalls)
            return outcome.UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        FindingVerdict[] ofEach = [given.Verdicts.OfGain(ofCharge, threshold), given.Verdicts.OfGain(ofCalls, threshold)];
        FindingVerdict[] together = [given.Verdicts.OfGain(ofCharge, threshold, Parts), given.Verdicts.OfGain(ofCalls, threshold, Parts)];
        if (together.Contains(FindingVerdict.Refuted))
            return outcome with { Verdict = FindingVerdict.Refuted, Sentence = $"{outcome.Sentence}: not both of them fall as claimed." };
        if (ofEach.All(verdict => verdict == FindingVerdict.Supported))
            return outcome with { Verdict = FindingVerdict.Supported, Sentence = $"{outcome.Sentence}." };
        return outcome with
        {
            Sentence = $"{outcome.Sentence}: the noise hides whether both fall; more repeats would decide.",
            Reason = $"a 95% interval straddles {ClaimText.Ratio(threshold)}",
        };
    }

    private static Comparison? Compare(FindingCase given, Func<RunFigures, double?> figure) =>
        given.Baseline.Values(figure) is { } before && given.Changed.Values(figure) is { } after ? Comparison.From(before, after) : null;

    public override string PredictedFrom => "the RU of a query on one physical partition";

    public override Assumption FollowsFrom(FindingCase given) => given.AssumedFromCharges(PredictedFrom, "a query") with
    {
        Predicted = PredictedRate.ChargeOf(given.Changed.Spec) is > 0 and var after
            ? PredictedRate.ChargeOf(given.Baseline.Spec) / after
            : null,
    };

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with
    {
        Workload = spec.Workload with { Query = null },
        Container = spec.Container with { PartitionKeyPath = null },
    };
}

internal sealed class ParallelQueries() : GainTest(
    FindingKind.ParallelQuery, FindingRoles.Pair("serial cross-partition queries", "parallel ones"),
    "Cross-partition queries that ask the partitions in parallel complete sooner", "mean latency, serial / parallel")
{
    public override bool DependsOnLayout => true;

    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

    protected override bool LessIsBetter => true;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Workload.Query is { PartitionKey: null }) && !IsParallel(variants[0]) && IsParallel(variants[1])
            ? null
            : "both variants must run a query over all partitions, the first with a maxConcurrency of at most 1, the second with more or "
                + "-1";

    public override string PredictedFrom => "a trip to each physical partition, one after the other or together";

    public override Assumption FollowsFrom(FindingCase given)
    {
        var after = PredictedLatency.MeanMs(given.Changed.Spec, given.Changed.Spec.SettingsOf(0));
        return new Assumption(
            PredictedFrom, after > 0 ? PredictedLatency.MeanMs(given.Baseline.Spec, given.Baseline.Spec.SettingsOf(0)) / after : null);
    }

    protected override double? FigureOf(RunFigures figures) => figures.MeanLatencyMs;

    protected override bool Hides(BoundBy cap) => false;

    protected override string Statement(string ratio) => $"Serial cross-partition queries took {ratio} times as long as parallel ones";

    protected override RunSpec WithoutAspect(RunSpec spec) => spec.Workload.Query is { } query
        ? spec with { Workload = spec.Workload with { Query = query with { MaxConcurrency = null } } }
        : spec;

    private static bool IsParallel(RunSpec spec) => spec.Workload.Query?.MaxConcurrency is < 0 or > 1;
}
