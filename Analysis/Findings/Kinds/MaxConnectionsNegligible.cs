using ScaleOut.Analysis.Findings.Predictions;
using ScaleOut.Analysis.Findings.Testing;
using ScaleOut.Analysis.Text;
using ScaleOut.Experiments;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class MaxConnectionsNegligible : SamenessTest
{
    /// <summary>Requests that the SDK sends on one TCP connection at a time in Direct mode, by default.</summary>
    private const int RequestsPerConnection = 30;

    public override FindingKind Kind => FindingKind.MaxConnections;

    public override FindingRoles Roles { get; } = FindingRoles.Pair("one limit of connections", "another one");

    public override string ClaimFor(FindingSpec finding) =>
        Claims.Sameness("The client's limit of connections hardly matters", ThresholdOf(finding));

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Client.MaxConnections != variants[1].Client.MaxConnections ? null : "the variants have the same limit of connections";

    protected override string Statement(FindingCase given, string ratio) =>
        $"A limit of {LimitOf(given.Changed)} connections gave {ratio} times the documents per second of {LimitOf(given.Baseline)}";

    public override string AssumedFrom => "limits that no operation reaches, unless one is below the operations in flight";

    public override Assumption? FollowsFrom(FindingCase given) => given.Variants.Any(variant => CanBind(variant.Spec))
        ? null
        : new Assumption(
            "limits of connections that the operations in flight do not reach",
            PredictedRate.Ratio(given.Baseline.Spec, given.Changed.Spec));

    /// <summary>Whether a worker can have more requests in flight than its connections carry.</summary>
    private static bool CanBind(RunSpec spec) => Enumerable.Range(0, spec.Workers).Select(worker => spec.SettingsOf(worker)).Any(settings =>
        settings.ConnectionMode == ConnectionMode.Gateway
            ? RunEstimate.DocumentsInFlight(spec.Workload, settings) < settings.Concurrency * spec.Workload.DocumentsPerOperation
            : settings.Concurrency > (long?)settings.MaxConnections * RequestsPerConnection);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { MaxConnections = null } };

    private static string LimitOf(MeasuredVariant variant) =>
        variant.Spec.Client.MaxConnections is { } limit ? Numbers.Count(limit) : "the default number of";
}
