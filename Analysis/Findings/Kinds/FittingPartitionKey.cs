namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The claim has two parts, and both must hold: RU per operation fall, and calls per operation fall. The effect is the ratio of the RU.
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
        if (given.Compare(figures => figures.RequestUnitsPerOperation, lessIsBetter: true) is not { } charge)
            return FindingResult.NotTested("RU per operation were not measured in every run");
        if (given.Compare(figures => figures.CallsPerOperation, lessIsBetter: true) is not { } calls)
            return FindingResult.NotTested("calls per operation were not measured in every run");

        var outcome = charge.ToFinding(
            $"RU per operation, {given.Baseline.Name} / {given.Changed.Name}",
            $"Without a partition key that fits, an operation cost {Numbers.Brief(charge.Ratio)} times the RU");
        outcome = outcome with
        {
            Sentence = $"{outcome.Sentence} and {Numbers.Brief(calls.Ratio)} times the calls{ClaimText.Within(calls.Interval95())}",
        };
        if (charge.Effect is not { } ofCharge || calls.Effect is not { } ofCalls)
            return outcome.UndecidedBySingleRepeat();

        var threshold = ThresholdOf(given.Spec);
        FindingVerdict[] parts =
            [given.Verdicts.OfPart(ofCharge, threshold, Parts), given.Verdicts.OfPart(ofCalls, threshold, Parts)];
        if (parts.Contains(FindingVerdict.Refuted))
            return outcome.Decide(FindingVerdict.Refuted, ": not both of them fall as claimed");
        if (parts.All(verdict => verdict == FindingVerdict.Supported))
            return outcome.Decide(FindingVerdict.Supported, "");
        return outcome.Decide(
            FindingVerdict.Inconclusive, ": the noise hides whether both fall; more repeats would decide",
            $"a 95% interval straddles {Numbers.Brief(threshold)}");
    }

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
        Container = spec.Container with { PartitionKeyPath = null, PartitionKeyPaths = null },
    };
}
