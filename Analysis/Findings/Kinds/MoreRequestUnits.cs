namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// A ladder of RU/s. A step from a variant that request units limited must gain. A step from any other variant must gain at most a
/// negligible factor.
/// </summary>
internal sealed class MoreRequestUnits() : FindingTest(FindingKind.MoreRequestUnits, FindingRoles.Ladder(2, "throughput"))
{
    public override bool DependsOnLayout => true;

    public override string ClaimFor(FindingSpec finding) => "More RU/s give more documents per second until the client is the limit.";

    public override bool HasThreshold => false;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        AscendingVariants.Ascend(variants, spec => spec.Container.Throughput)
            ? null
            : "the variants must ascend in the container's throughput";

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } unusable)
            return FindingResult.NotTested(unusable);
        if (!given.Variants.SkipLast(1).Any(variant => variant.IsBoundByBudget))
            return FindingResult.NotTested(
                "no variant below the highest was bound by request units, so none of them shows whether more would help");

        var whole = Compare(given.Baseline, given.Changed);
        var outcome = whole.ToFinding(
            $"documents per second, {given.Changed.Name} / {given.Baseline.Name}",
            $"{ThroughputOf(given.Changed)} RU/s gave {Numbers.Brief(whole.Ratio)} times the documents per second of "
                + ThroughputOf(given.Baseline));
        if (!given.IsRepeated)
            return outcome.UndecidedBySingleRepeat();

        var steps = AscendingVariants.StepsOf(given.Variants, Compare);
        FindingVerdict VerdictOn(AscendingStep step) => VerdictOnStep(step, given.Verdicts, steps.Count);
        if (steps.Find(step => VerdictOn(step) == FindingVerdict.Refuted) is { } against)
            return outcome.Decide(FindingVerdict.Refuted, $", but {Contradiction(against)}");
        if (steps.Find(step => VerdictOn(step) == FindingVerdict.Inconclusive) is { } open)
        {
            var reason = $"the noise hides whether {Question(open)}";
            return outcome.Decide(FindingVerdict.Inconclusive, $"; {reason}", reason);
        }

        return outcome.Decide(FindingVerdict.Supported, $"; {LimitOf(given.Variants)}");
    }

    /// <summary>
    /// Compares round by round if every run counts, because a drift of the machine hides a step of 10% more often than noise does.
    /// </summary>
    private static Comparison Compare(MeasuredVariant from, MeasuredVariant to)
    {
        var comparison = Comparison.From(to.Rates, from.Rates);
        return from.IsWhole && to.IsWhole && from.Rates.Count == to.Rates.Count
            ? comparison with { Effect = RatioEffect.FromPairs(to.Rates, from.Rates) }
            : comparison;
    }

    /// <summary>All steps must be as claimed. A single one that is not refutes the claim.</summary>
    private static FindingVerdict VerdictOnStep(AscendingStep step, Verdicts verdicts, int steps)
    {
        var effect = step.Change.Effect!;
        if (MustGain(step))
            return verdicts.OfPart(effect, 1, steps);
        if (verdicts.IsGainThatMatters(effect, steps))
            return FindingVerdict.Refuted;
        return verdicts.IsNoGain(effect) ? FindingVerdict.Supported : FindingVerdict.Inconclusive;
    }

    private static bool MustGain(AscendingStep step) => step.From.IsBoundByBudget;

    private static string Question(AscendingStep step) => MustGain(step)
        ? $"{TextOf(step)} gains"
        : $"{TextOf(step)} gains no more, though request units were not the limit";

    private static string Contradiction(AscendingStep step) => MustGain(step)
        ? $"{TextOf(step)} gained nothing, though request units were the limit"
        : $"{TextOf(step)} gained {Numbers.Brief(step.Change.Effect!.Ratio)} times, though request units were not the limit";

    private static string TextOf(AscendingStep step) => $"the step from {ThroughputOf(step.From)} to {ThroughputOf(step.To)} RU/s";

    private static string ThroughputOf(MeasuredVariant variant) => Numbers.Count(variant.Spec.Container.Throughput);

    private static string LimitOf(IReadOnlyList<MeasuredVariant> variants) =>
        variants.FirstOrDefault(variant => !variant.IsBoundByBudget) is { } free
        ? $"from {ThroughputOf(free)} RU/s on the account is no longer the limit"
        : "the client's own limit was not reached";

    public override string PredictedFrom => "RU/s over the RU of a document, and the operations in flight";

    public override Assumption FollowsFrom(FindingCase given) => new(
        $"RU/s over the RU of a document: {given.Changed.Spec.Container.Throughput} / {given.Baseline.Spec.Container.Throughput}",
        given.PredictedRatio);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with
    {
        Container = spec.Container with { Throughput = 0 },
        Simulation = spec.Simulation is { } simulation ? simulation with { PhysicalPartitions = null } : null,
    };
}
