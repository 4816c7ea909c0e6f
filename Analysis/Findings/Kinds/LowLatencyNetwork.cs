using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Text;
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

    public override string AssumedFrom => "the round trip and the other parameters of latency";

    public override Assumption? FollowsFrom(FindingCase given)
    {
        var (far, near) = (PredictedLatency.ProfileOf(given.Baseline.Spec), PredictedLatency.ProfileOf(given.Changed.Spec));
        var differences = SettingDifferences.Between([far with { Name = null }, near with { Name = null }]);
        return differences.Count > 0
            ? new Assumption(string.Join(", ", differences), PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec))
            : null;
    }

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec.Simulation is { } simulation ? spec with { Simulation = simulation with { Latency = null } } : spec;
}
