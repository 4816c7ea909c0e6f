using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class ClientConsistencyNegligible : SamenessTest
{
    public override FindingKind Kind => FindingKind.ClientConsistency;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("one consistency of the client", "another one");

    protected override string Remark =>
        "A client's consistency does not change a write: how many replicas must have it is the account's to say; it only relaxes the "
            + "client's reads.";

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("The consistency that the client asks for hardly matters", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Client.Consistency != variants[1].Client.Consistency ? null : "the variants ask for the same consistency";

    protected override string Statement(FindingCase given, string ratio) =>
        $"{NameOf(given.Changed)} consistency gave {ratio} times the documents per second of {NameOf(given.Baseline)}";

    public override string AssumedFrom => "charges and latencies, unless the SDK reads from a quorum";

    /// <summary>Reads at the two strongest levels ask two replicas, which is the SDK's doing; nothing else differs.</summary>
    public override Assumption? FollowsFrom(FindingCase given) => given.Variants.Any(ReadsFromQuorum)
        ? null
        : new Assumption(
            "charges and latencies, which the client's consistency does not change",
            PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    private static bool ReadsFromQuorum(MeasuredVariant variant) => variant.Spec.Workload.Kind.LeavesCount()
        && (variant.Spec.Client.Consistency ?? variant.Spec.Simulation?.Consistency ?? SimulationSpec.DefaultConsistency)
            .AsksTwoReplicas();

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Consistency = null } };

    private static string NameOf(MeasuredVariant variant) => variant.Spec.Client.Consistency?.ToString() ?? "the account's";
}
