namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// A ladder of RU/s. Each step from a variant that its request units bound must gain; each step from one that they did not bind must gain
/// nothing that matters.
/// </summary>
internal sealed class MoreRequestUnits() : FindingTest(FindingKind.MoreRequestUnits, FindingRoles.Ladder(2, "throughput"))
{
    public override bool DependsOnLayout => true;

    public override string ClaimFor(FindingSpec finding) => "More RU/s give more documents per second until the client is the limit.";

    public override bool HasThreshold => false;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        Ladders.Ascend(variants, spec => spec.Container.Throughput) ? null : "the variants must ascend in the container's throughput";

    public override FindingResult Judge(FindingCase given)
    {
        if (given.Unusable is { } unusable)
            return FindingResult.NotTested(unusable);
        if (!given.Variants.SkipLast(1).Any(variant => variant.IsBoundByBudget))
            return FindingResult.NotTested(
                "no variant below the highest was bound by request units, so that more of them could have helped");

        var whole = Comparison.From(given.Changed.Rates, given.Baseline.Rates) with
        {
            Effect = EffectOf(given.Baseline, given.Changed),
        };
        var outcome = new FindingResult
        {
            Verdict = FindingVerdict.Inconclusive,
            Effect = whole.Ratio,
            EffectOf = $"documents per second, {given.Changed.Name} / {given.Baseline.Name}",
            Interval95 = whole.Interval95(),
            Sentence = $"{Numbers.Count(given.Changed.Spec.Container.Throughput)} RU/s gave {ClaimText.Ratio(whole.Ratio)} times the "
                + $"documents per second of {Numbers.Count(given.Baseline.Spec.Container.Throughput)}"
                + ClaimText.Within(whole.Interval95()),
        };
        if (given.Variants.Any(variant => !variant.IsRepeated))
            return outcome.UndecidedBySingleRepeat();

        var steps = given.Variants.Zip(given.Variants.Skip(1)).Select(pair => new Step(pair.First, pair.Second, given.Verdicts)).ToList();
        if (steps.Find(step => step.IsAgainst(steps.Count)) is { } against)
            return outcome with { Verdict = FindingVerdict.Refuted, Sentence = $"{outcome.Sentence}, but {against}." };
        if (steps.Find(step => !step.IsFor) is { } open)
        {
            var reason = $"the noise hides whether {open.Question}";
            return outcome with { Reason = reason, Sentence = $"{outcome.Sentence}; {reason}." };
        }

        return outcome with { Verdict = FindingVerdict.Supported, Sentence = $"{outcome.Sentence}; {LimitOf(given.Variants)}." };
    }

    /// <summary>
    /// By rounds where every run counts, as a drift of the machine hides a step of 10% more often than its noise does; null for a single
    /// repeat.
    /// </summary>
    private static RatioEffect? EffectOf(MeasuredVariant from, MeasuredVariant to) =>
        from.IsWhole && to.IsWhole && from.Rates.Count == to.Rates.Count
            ? RatioEffect.FromPairs(to.Rates, from.Rates)
            : RatioEffect.From(to.Rates, from.Rates);

    private static string LimitOf(IReadOnlyList<MeasuredVariant> variants) =>
        variants.FirstOrDefault(variant => !variant.IsBoundByBudget) is { } free
        ? $"from {Numbers.Count(free.Spec.Container.Throughput)} RU/s on the account is no longer the limit"
        : "the client's own limit was not reached";

    public override string PredictedFrom => "RU/s over the RU of a document, and the operations in flight";

    public override Assumption FollowsFrom(FindingCase given) => new(
        FormattableString.Invariant(
            $"RU/s over the RU of a document: {given.Changed.Spec.Container.Throughput} / {given.Baseline.Spec.Container.Throughput}"),
        given.PredictedRatio);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with
    {
        Container = spec.Container with { Throughput = 0 },
        Simulation = spec.Simulation is { } simulation ? simulation with { PhysicalPartitions = null } : null,
    };

    private sealed class Step(MeasuredVariant from, MeasuredVariant to, Verdicts verdicts)
    {
        public bool MustGain => from.IsBoundByBudget;

        private RatioEffect Effect { get; } = EffectOf(from, to)!;

        /// <summary>All steps must be for the claim to hold, so each has the whole 5%.</summary>
        public bool IsFor => MustGain ? verdicts.OfGain(Effect) == FindingVerdict.Supported : verdicts.IsNoGain(Effect);

        /// <summary>One step against the claim is enough, so all share the 5%.</summary>
        public bool IsAgainst(int steps) =>
            MustGain ? verdicts.OfGain(Effect, 1, steps) == FindingVerdict.Refuted : verdicts.IsGainThatMatters(Effect, steps);

        public string Question =>
            MustGain ? $"the step {Text} gains" : $"the step {Text} gains no more, though request units were not the limit";

        private string Text =>
            $"from {Numbers.Count(from.Spec.Container.Throughput)} to {Numbers.Count(to.Spec.Container.Throughput)} RU/s";

        public override string ToString() => MustGain
            ? $"the step {Text} gained nothing, though request units were the limit"
            : $"the step {Text} gained {ClaimText.Ratio(Effect.Ratio)} times, though request units were not the limit";
    }
}

internal sealed class DeletesLikeWrites() : SamenessTest(
    FindingKind.DeletesLikeWrites, FindingRoles.Pair("writes", "deletes by id and key of the same documents"),
    "Deletes by id and key are as fast as writes")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workload.Kind is WorkloadKind.Insert or WorkloadKind.Upsert or WorkloadKind.Bulk
        && variants[1].Workload.Kind == WorkloadKind.Delete && variants[0].Workload.UsesBulk == variants[1].Workload.UsesBulk
            ? null
            : "the first variant must write single documents, the second delete them, both in bulk or neither";

    /// <summary>What a delete costs is part of the claim, so a budget that binds shows the effect rather than hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(FindingCase given, string ratio) => $"Deletes did {ratio} times the documents per second of writes";

    public override string PredictedFrom => "the RU and service time of a delete";

    public override Assumption FollowsFrom(FindingCase given) => given.AssumedFromCharges(PredictedFrom);

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, Bulk = false, Preload = null } };
}
