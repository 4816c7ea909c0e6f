using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class LowLatencyNetwork : GainTest
{
    public override FindingKind Kind => FindingKind.LowLatencyNetwork;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("the farther account", "the nearer one");

    protected override string EffectOf => "documents per second, near / far";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("A network of lower latency gives more documents per second", ThresholdOf(finding));

    protected override string Statement(string ratio) => $"The nearer account took {ratio} times the documents per second";

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec.Simulation is { } simulation ? spec with { Simulation = simulation with { Latency = null } } : spec;
}
