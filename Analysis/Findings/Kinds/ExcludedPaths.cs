using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class ExcludedPaths : GainTest
{
    public override FindingKind Kind => FindingKind.ExcludedPaths;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("more paths in the index", "fewer");

    protected override string EffectOf => "documents per second, fewer indexed paths / more";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Paths that are left out of the index give more documents per second", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants.All(spec => spec.Container is { Name: null, Indexing: IndexingMode.Consistent })
        && PredictedRate.ChargeOf(variants[1]) < PredictedRate.ChargeOf(variants[0])
            ? null
            : "both variants must write to containers of their own with consistent indexing, the second with fewer values in the index";

    /// <summary>An index costs request units, so a budget that binds shows the effect rather than hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(string ratio) =>
        $"With paths left out of the index the account took {ratio} times the documents per second";

    public override string AssumedFrom => "the RU of an indexed term";

    public override Assumption FollowsFrom(FindingCase given) => Assumption.FromCharges(
        "the RU of an indexed term", "a document", given.Baseline.Spec, given.Changed.Spec,
        PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Container = spec.Container with { ExcludedPaths = [] } };
}
