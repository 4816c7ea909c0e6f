using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class Batching : GainTest
{
    public override FindingKind Kind => FindingKind.Batching;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("single inserts or smaller batches", "batches");

    protected override string EffectOf => "documents per second, batches / without";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Batches on one partition key write more documents per second", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workload.Kind == WorkloadKind.Batch
            && variants[1].Workload.DocumentsPerOperation > variants[0].Workload.DocumentsPerOperation
            ? null
            : "the second variant must use larger batches than the first";

    protected override string Statement(string ratio) => $"Batches wrote {ratio} times the documents per second";

    public override string AssumedFrom => "the service time and RU of a batch, unless processors bound the runs";

    public override Assumption? FollowsFrom(FindingCase given) => given.Variants.Any(variant => variant.IsBoundByProcessors)
        ? null
        : Assumption.FromCharges(
            "the service time of a batch and its RU", "a document", given.Baseline.Spec, given.Changed.Spec,
            PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, BatchSize = null } };
}
