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

/// <summary>
/// Published (<c>batch-flights.csv</c>): "slower batches; never throttled", beside the 96th percentile of a batch's latency for Cosmos DB.
/// So that percentile is what is compared, and a single throttled attempt refutes the claim. A Cosmos DB side that request units held back
/// has its waits in its latency, which can only hide that it is faster.
/// </summary>
internal sealed class TableStorage() : GainTest(
    FindingKind.TableStorage, FindingRoles.Pair("batches to Table storage", "batches to Cosmos DB"),
    "Table storage takes batches more slowly than Cosmos DB, but never throttles them",
    "96th percentile of a batch's latency, Table storage / Cosmos DB")
{
    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

    protected override bool LessIsBetter => true;

    public override string PredictedFrom => "the latency of the Cosmos DB side's batches";

    public override Assumption? FollowsFrom(FindingCase given)
    {
        var spec = given.Changed.Spec;
        return new Assumption(PredictedLatency.TextOf(spec, spec.SettingsOf(0).ConnectionMode), Predicted: null);
    }

    public override string? Misfit(IReadOnlyList<RunSpec> variants) =>
        variants[0].Workload.Kind != WorkloadKind.TableBatch || variants[1].Workload.Kind != WorkloadKind.Batch
            ? "the first variant must write batches to Table storage (kind tableBatch), the second to Cosmos DB (kind batch)"
            : variants[0].Workload.DocumentsPerOperation != variants[1].Workload.DocumentsPerOperation
                ? "both variants must have the same batchSize, since a batch's latency is compared"
                : null;

    public override FindingResult Judge(FindingCase given)
    {
        var outcome = base.Judge(given);
        outcome = outcome with { Notes = [.. outcome.Notes, .. NotesOn(given)] };
        // A single repeat decides nothing, here as elsewhere.
        if (outcome.Interval95 is null || MaxThrottledOf(given.Baseline) is not (> 0 and var share))
            return outcome;
        return outcome with
        {
            Verdict = FindingVerdict.Refuted,
            Reason = null,
            Sentence = $"{outcome.Sentence.TrimEnd('.')}; but Table storage throttled up to {Numbers.Percent(share)} of the attempts of a "
                + "run.",
        };
    }

    protected override double? FigureOf(RunFigures figures) => figures.P96LatencyMs;

    protected override string? Obstacle(FindingCase given) =>
        given.Baseline.Usable.Any(figures => figures.Emulated)
            ? "the table account is an emulator, whose speed says nothing of Azure Table storage"
            : null;

    protected override string Statement(string ratio) =>
        $"A batch to Table storage took {ratio} times as long as one to Cosmos DB at the 96th percentile";

    /// <summary>What belongs to the store: where documents go, and what only a container or its client has.</summary>
    protected override RunSpec WithoutAspect(RunSpec spec) => spec with
    {
        Workload = spec.Workload with { Kind = default },
        Container = spec.Container with { Throughput = 0, Autoscale = false, Indexing = default, ExcludedPaths = [] },
        Client = spec.Client with { ConnectionMode = default, Consistency = null },
        Simulation = null,
    };

    /// <summary>The rows and kilobytes a second and the throttled attempts of both sides.</summary>
    private static IEnumerable<string> NotesOn(FindingCase given)
    {
        foreach (var variant in given.Variants.Where(variant => variant.Usable.Count > 0))
        {
            yield return $"{variant.Name}: {Numbers.Brief(variant.TypicalRate)} rows/s, "
                + $"{Numbers.Brief(Mean(variant, figures => figures.KilobytesPerSecond))} KB/s, p96 of a batch "
                + $"{Numbers.Brief(Mean(variant, figures => figures.P96LatencyMs))} ms, "
                + $"{Numbers.Percent(Mean(variant, figures => figures.ThrottledShare))} of the attempts throttled.";
        }

        if (given.Changed.Simulated && given.Baseline.Usable.Count > 0)
            yield return "Cosmos DB is simulated here and Table storage is not, so the effect compares a model with a service.";
    }

    private static double? MaxThrottledOf(MeasuredVariant variant) => variant.Usable.Max(figures => figures.ThrottledShare);

    private static double? Mean(MeasuredVariant variant, Func<RunFigures, double?> figure) => variant.Usable.Average(figure);
}
