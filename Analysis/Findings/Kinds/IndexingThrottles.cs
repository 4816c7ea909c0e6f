namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The effect is a ratio of attempts per accepted batch. Unlike the throttled share, this figure is above 0 even if nothing was throttled.
/// </summary>
internal sealed class IndexingThrottles() : GainTest(
    FindingKind.IndexingThrottles, FindingRoles.Pair("batches with indexing Lazy or None", "batches with indexing Consistent"),
    "Batches are throttled more with consistent indexing", "attempts per accepted batch, Consistent / without")
{
    public override bool ComparesRates => false;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Workload.Kind == WorkloadKind.Batch)
        && variants[0].Container.Indexing is not IndexingMode.Consistent && variants[1].Container.Indexing == IndexingMode.Consistent
            ? null
            : "both variants must write batches, the first with indexing Lazy or None, the second with Consistent";

    protected override double? FigureOf(RunFigures figures) => figures.ThrottledShare is { } share && share < 1 ? 1 / (1 - share) : null;

    /// <summary>No limit hides the effect: the claim is about being held back by request units.</summary>
    protected override bool Hides(BoundBy cap) => false;

    protected override string Statement(string ratio) =>
        $"With consistent indexing a batch took {ratio} times the attempts before it was accepted";

    protected override string? Obstacle(FindingCase given) => given.ChangedIndexing;

    public override string PredictedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) =>
        given.AssumedFromCharges(PredictedFrom) with { Predicted = null };

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Container = spec.Container with { Indexing = default } };
}

internal sealed class IndexingModeNegligible() : SamenessTest(
    FindingKind.IndexingMode, FindingRoles.Pair("one indexing mode", "another one"), "The indexing mode hardly matters")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Container.Indexing != variants[1].Container.Indexing ? null : "the variants have the same indexing mode";

    /// <summary>An index costs request units, so a budget that limits the rate shows the effect instead of hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(FindingCase given, string ratio) =>
        $"{given.Changed.Spec.Container.Indexing} indexing gave {ratio} times the documents per second of "
            + $"{given.Baseline.Spec.Container.Indexing}";

    protected override string? Obstacle(FindingCase given) => given.ChangedIndexing;

    public override string PredictedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) => given.AssumedFromCharges(PredictedFrom);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Container = spec.Container with { Indexing = default } };
}

internal sealed class ExcludedPaths() : GainTest(
    FindingKind.ExcludedPaths, FindingRoles.Pair("more paths in the index", "fewer"),
    "Paths that are left out of the index give more documents per second", "documents per second, fewer indexed paths / more")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Container is { Name: null, Indexing: IndexingMode.Consistent })
        && PredictedRate.ChargeOf(variants[1]) < PredictedRate.ChargeOf(variants[0])
            ? null
            : "both variants must write to containers of their own with consistent indexing, the second with fewer values in the index";

    /// <summary>An index costs request units, so a budget that limits the rate shows the effect instead of hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(string ratio) =>
        $"With paths left out of the index the account took {ratio} times the documents per second";

    public override string PredictedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) => given.AssumedFromCharges(PredictedFrom);

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Container = spec.Container with { ExcludedPaths = [], IncludedPaths = [] } };
}
