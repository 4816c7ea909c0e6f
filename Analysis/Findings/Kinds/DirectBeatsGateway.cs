using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class DirectBeatsGateway : GainTest
{
    public override FindingKind Kind => FindingKind.DirectBeatsGateway;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("Gateway", "Direct");

    protected override string EffectOf => "documents per second, Direct / Gateway";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Gain("Direct writes more documents per second than Gateway", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        IsAll(variants[0], ConnectionMode.Gateway) && IsAll(variants[1], ConnectionMode.Direct)
            ? null
            : "the first variant must use Gateway, the second Direct, with all workers";

    protected override string Statement(string ratio) => $"Direct wrote {ratio} times the documents per second of Gateway";

    public override string AssumedFrom => "the gateway's hop, unless it is 0";

    public override Assumption? FollowsFrom(FindingCase given) =>
        PredictedLatency.ProfileOf(given.Baseline.Spec).GatewayHopMs is > 0 and var hop
            ? new Assumption(
                FormattableString.Invariant($"gatewayHopMs = {hop}"), PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec))
            : null;

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { ConnectionMode = default } };

    private static bool IsAll(RunSpec spec, ConnectionMode mode) =>
        Enumerable.Range(0, spec.Workers).All(worker => spec.SettingsOf(worker).ConnectionMode == mode);
}
