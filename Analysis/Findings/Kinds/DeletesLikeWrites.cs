using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Reports;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class DeletesLikeWrites : SamenessTest
{
    public override FindingKind Kind => FindingKind.DeletesLikeWrites;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("writes", "deletes by id and key of the same documents");

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("Deletes by id and key are as fast as writes", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workload.Kind is WorkloadKind.Insert or WorkloadKind.Upsert or WorkloadKind.Bulk
        && variants[1].Workload.Kind == WorkloadKind.Delete && variants[0].Workload.UsesBulk == variants[1].Workload.UsesBulk
            ? null
            : "the first variant must write single documents, the second delete them, both in bulk or neither";

    /// <summary>What a delete costs is part of the claim, so a budget that binds shows the effect rather than hiding it.</summary>
    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(FindingCase given, string ratio) => $"Deletes did {ratio} times the documents per second of writes";

    public override string AssumedFrom => "the RU and service time of a delete, unless processors bound the runs";

    public override Assumption? FollowsFrom(FindingCase given) => given.Variants.Any(variant => variant.IsBoundByProcessors)
        ? null
        : Assumption.FromCharges(
            "the RU and service time of a delete", "a document", given.Baseline.Spec, given.Changed.Spec,
            PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, Bulk = false, Preload = null } };
}
