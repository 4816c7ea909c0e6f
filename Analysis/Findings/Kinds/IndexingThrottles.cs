using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>
/// The effect is a ratio of attempts per accepted batch, which unlike the throttled share is above 0 also where nothing was throttled.
/// </summary>
internal sealed class IndexingThrottles : GainTest
{
    public override FindingKind Kind => FindingKind.IndexingThrottles;

    public override bool ComparesRates => false;

    public override FindingRoles Roles { get; } = FindingRoles.Pair(
        "batches with indexing Lazy or None", "batches with indexing Consistent");

    protected override string EffectOf => "attempts per accepted batch, Consistent / without";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Batches are throttled more with consistent indexing", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Workload.Kind == WorkloadKind.Batch)
        && variants[0].Container.Indexing is not IndexingMode.Consistent && variants[1].Container.Indexing == IndexingMode.Consistent
            ? null
            : "both variants must write batches, the first with indexing Lazy or None, the second with Consistent";

    protected override double? FigureOf(RunFigures figures) => figures.ThrottledShare is { } share && share < 1 ? 1 / (1 - share) : null;

    /// <summary>Being held back by request units is what the claim is about.</summary>
    protected override bool Hides(BoundBy cap) => false;

    protected override string Statement(string ratio) =>
        $"With consistent indexing a batch took {ratio} times the attempts before it was accepted";

    protected override string? Obstacle(FindingCase given) => KeptIndexing.Obstacle(given);

    public override string AssumedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) => Assumption.FromCharges(
        "the RU of an indexed term", "a document", given.Baseline.Spec, given.Changed.Spec, predicted: null);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Container = spec.Container with { Indexing = default } };
}
