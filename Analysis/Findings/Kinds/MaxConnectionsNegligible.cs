using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class MaxConnectionsNegligible : SamenessTest
{
    public override FindingKind Kind => FindingKind.MaxConnections;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("one limit of connections", "another one");

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("The client's limit of connections hardly matters", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Client.MaxConnections != variants[1].Client.MaxConnections ? null : "the variants have the same limit of connections";

    protected override string Statement(FindingCase given, string ratio) =>
        $"A limit of {LimitOf(given.Changed)} connections gave {ratio} times the documents per second of {LimitOf(given.Baseline)}";

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { MaxConnections = null } };

    private static string LimitOf(MeasuredVariant variant) =>
        variant.Spec.Client.MaxConnections is { } limit ? Numbers.Count(limit) : "the default number of";
}
