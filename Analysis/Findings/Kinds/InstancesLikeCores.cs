using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class InstancesLikeCores : SamenessTest
{
    public override FindingKind Kind => FindingKind.InstancesLikeCores;

    public override bool IsAboutTheMachine => true;

    public override FindingRoles Roles { get; } = FindingRoles.Pair(
        "few workers with more cores each", "more workers with fewer cores each");

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("More client instances have the same effect as more cores", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workers > variants[0].Workers ? null : "the second variant must have more workers than the first";

    protected override string Statement(FindingCase given, string ratio) =>
        $"{given.Changed.Spec.Workers} workers with fewer cores wrote {ratio} times the documents per second of "
        + $"{given.Baseline.Spec.Workers} with more";

    protected override string? Obstacle(FindingCase given)
    {
        if (ScaleOutRuns.BoundByMachine(given.Variants) is { } bound)
            return bound;
        var (few, many) = (given.Baseline.Cores * given.Baseline.Spec.Workers, given.Changed.Cores * given.Changed.Spec.Workers);
        return few is not null && many is not null && few != many
            ? $"the variants had {few} and {many} cores in all; they must have the same"
            : null;
    }

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workers = 1, Client = spec.Client with { Concurrency = null, Cores = null } };
}
