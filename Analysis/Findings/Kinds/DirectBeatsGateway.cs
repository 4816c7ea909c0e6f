namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class DirectBeatsGateway() : GainTest(
    FindingKind.DirectBeatsGateway, FindingRoles.Pair("Gateway", "Direct"), "Direct writes more documents per second than Gateway",
    "documents per second, Direct / Gateway")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        IsAll(variants[0], ConnectionMode.Gateway) && IsAll(variants[1], ConnectionMode.Direct)
            ? null
            : "the first variant must use Gateway, the second Direct, with all workers";

    protected override string Statement(string ratio) => $"Direct wrote {ratio} times the documents per second of Gateway";

    public override string PredictedFrom => "the gateway's hop";

    public override Assumption FollowsFrom(FindingCase given) => new(
        FormattableString.Invariant($"gatewayHopMs = {PredictedLatency.ProfileOf(given.Baseline.Spec).GatewayHopMs}"),
        given.PredictedRatio);

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { ConnectionMode = default } };

    private static bool IsAll(RunSpec spec, ConnectionMode mode) =>
        Enumerable.Range(0, spec.Workers).All(worker => spec.SettingsOf(worker).ConnectionMode == mode);
}

internal sealed class LowLatencyNetwork() : GainTest(
    FindingKind.LowLatencyNetwork, FindingRoles.Pair("the farther account", "the nearer one"),
    "A network of lower latency gives more documents per second", "documents per second, near / far")
{
    protected override string Statement(string ratio) => $"The nearer account took {ratio} times the documents per second";

    public override string PredictedFrom => "the round trip and the other parameters of latency";

    public override Assumption? FollowsFrom(FindingCase given)
    {
        var (far, near) = (PredictedLatency.ProfileOf(given.Baseline.Spec), PredictedLatency.ProfileOf(given.Changed.Spec));
        var differences = SettingDifferences.Between([far with { Name = null }, near with { Name = null }]);
        return differences.Count > 0
            ? new Assumption(string.Join(", ", differences), given.PredictedRatio)
            : base.FollowsFrom(given);
    }

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec.Simulation is { } simulation ? spec with { Simulation = simulation with { Latency = null } } : spec;
}

internal sealed class ClientConsistencyNegligible() : SamenessTest(
    FindingKind.ClientConsistency, FindingRoles.Pair("one consistency of the client", "another one"),
    "The consistency that the client asks for hardly matters")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Client.Consistency != variants[1].Client.Consistency ? null : "the variants ask for the same consistency";

    public override FindingResult Judge(FindingCase given)
    {
        var outcome = base.Judge(given);
        return outcome with
        {
            Sentence = $"{outcome.Sentence} A client's consistency does not change a write: the account decides how many replicas must "
                + "confirm it. A client can only relax its own reads.",
        };
    }

    protected override string Statement(FindingCase given, string ratio) =>
        $"{NameOf(given.Changed)} consistency gave {ratio} times the documents per second of {NameOf(given.Baseline)}";

    public override string PredictedFrom => "charges and latencies";

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { Consistency = null } };

    private static string NameOf(MeasuredVariant variant) => variant.Spec.Client.Consistency?.ToString() ?? "the account's";
}

internal sealed class MaxConnectionsNegligible() : SamenessTest(
    FindingKind.MaxConnections, FindingRoles.Pair("one limit of connections", "another one"),
    "The client's limit of connections hardly matters")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Client.MaxConnections != variants[1].Client.MaxConnections ? null : "the variants have the same limit of connections";

    protected override string Statement(FindingCase given, string ratio) =>
        $"A limit of {LimitOf(given.Changed)} connections gave {ratio} times the documents per second of {LimitOf(given.Baseline)}";

    public override string PredictedFrom => "operations in flight, which in Gateway the connections limit, and latency";

    protected override RunSpec WithoutAspect(RunSpec spec) => spec with { Client = spec.Client with { MaxConnections = null } };

    private static string LimitOf(MeasuredVariant variant) =>
        variant.Spec.Client.MaxConnections is { } limit ? Numbers.Count(limit) : "the default number of";
}
