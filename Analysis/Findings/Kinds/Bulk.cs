using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class Bulk : GainTest
{
    public override FindingKind Kind => FindingKind.Bulk;

    public override bool DependsOnLayout => true;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("single inserts", "bulk");

    protected override string EffectOf => "documents per second, bulk / single inserts";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Bulk mode writes more documents per second than single inserts", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workload.UsesBulk && !variants[0].Workload.UsesBulk ? null : "only the second variant must use bulk";

    protected override string Statement(string ratio) => $"Bulk mode wrote {ratio} times the documents per second of single inserts";

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, Bulk = false }, Client = spec.Client with { Concurrency = null } };
}
