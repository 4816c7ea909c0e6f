using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class MoreCores : GainTest
{
    public override FindingKind Kind => FindingKind.MoreCores;

    public override bool IsAboutTheMachine => true;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("fewer cores", "more cores");

    protected override string EffectOf => "documents per second, more cores / fewer cores";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("More cores per worker give more documents per second", ThresholdOf(finding));

    protected override string Statement(string ratio) => $"More cores gave {ratio} times the documents per second";

    protected override string? Obstacle(FindingCase given)
    {
        if (ScaleOutRuns.BoundByMachine(given.Variants) is { } bound)
            return bound;
        var (fewer, more) = (given.Baseline.Cores, given.Changed.Cores);
        return fewer is not null && more is not null && more <= fewer
            ? $"the workers of {given.Baseline.Name} had {fewer} cores each, those of {given.Changed.Name} {more}: not more"
            : null;
    }

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Cores = null } };
}
