using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class IndexingModeNegligible : SamenessTest
{
    public override FindingKind Kind => FindingKind.IndexingMode;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("one indexing mode", "another one");

    public override string ClaimFor(FindingSpec finding) => Claims.Sameness("The indexing mode hardly matters", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Container.Indexing != variants[1].Container.Indexing ? null : "the variants have the same indexing mode";

    /// <summary>An index costs request units, so a budget that binds shows the effect rather than hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(FindingCase given, string ratio) =>
        $"{given.Changed.Spec.Container.Indexing} indexing gave {ratio} times the documents per second of "
            + $"{given.Baseline.Spec.Container.Indexing}";

    protected override string? Obstacle(FindingCase given) => KeptIndexing.Obstacle(given);

    public override string AssumedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) => Assumption.FromCharges(
        "the RU of an indexed term", "a document", given.Baseline.Spec, given.Changed.Spec,
        PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Container = spec.Container with { Indexing = default } };
}
