namespace ScaleOut.Analysis.Findings.Kinds;

internal sealed class Batching() : GainTest(
    FindingKind.Batching, FindingRoles.Pair("single inserts or smaller batches", "batches"),
    "Batches on one partition key write more documents per second", "documents per second, batches / without")
{
    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workload.Kind == WorkloadKind.Batch
            && variants[1].Workload.DocumentsPerOperation > variants[0].Workload.DocumentsPerOperation
            ? null
            : "the second variant must use larger batches than the first";

    protected override string Statement(string ratio) => $"Batches wrote {ratio} times the documents per second";

    public override string PredictedFrom => "the service time and RU of a batch";

    public override Assumption FollowsFrom(FindingCase given) => given.AssumedFromCharges("the service time of a batch and its RU");

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, BatchSize = null } };
}

internal sealed class Bulk() : GainTest(
    FindingKind.Bulk, FindingRoles.Pair("single inserts", "bulk"), "Bulk mode writes more documents per second than single inserts",
    "documents per second, bulk / single inserts")
{
    public override bool DependsOnLayout => true;

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[1].Workload.UsesBulk && !variants[0].Workload.UsesBulk ? null : "only the second variant must use bulk";

    protected override string Statement(string ratio) => $"Bulk mode wrote {ratio} times the documents per second of single inserts";

    protected override RunSpec WithoutAspect(RunSpec spec) =>
        spec with { Workload = spec.Workload with { Kind = default, Bulk = false }, Client = spec.Client with { Concurrency = null } };
}
