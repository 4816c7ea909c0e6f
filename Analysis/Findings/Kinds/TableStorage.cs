namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>A claim that compares batches to Table storage with batches to Cosmos DB.</summary>
internal abstract class TableTest(FindingKind kind, FindingRoles roles, string claim, string effectOf)
    : GainTest(kind, roles, claim, effectOf)
{
    protected override string? Obstacle(FindingCase given) =>
        given.Variants.Any(variant => variant.Spec.Workload.Kind.UsesTables() && variant.Usable.Any(figures => figures.Emulated))
            ? "the table account is an emulator, whose speed says nothing of Azure Table storage"
            : null;

    /// <summary>Removes the kind of store and the settings that only a Cosmos DB container or its client has.</summary>
    protected override RunSpec WithoutAspect(RunSpec spec) => spec with
    {
        Workload = spec.Workload with { Kind = default },
        Container = spec.Container with { Throughput = 0, Autoscale = false, Indexing = default, ExcludedPaths = [], IncludedPaths = [] },
        Client = spec.Client with { ConnectionMode = default, Consistency = null },
        Simulation = null,
    };

    protected static string? Misfit(RunSpec tables, RunSpec cosmos) =>
        tables.Workload.Kind != WorkloadKind.TableBatch || cosmos.Workload.Kind != WorkloadKind.Batch
            ? "one variant must write batches to Table storage (kind tableBatch), the other to Cosmos DB (kind batch), in the claim's order"
            : null;
}

/// <summary>
/// The published table (<c>batch-flights.csv</c>) says "slower batches; never throttled" and gives the 96th percentile of a batch's latency
/// for Cosmos DB. The test therefore compares that percentile, and a single throttled attempt refutes the claim. If request units held
/// Cosmos DB back, its latency contains those waits. That can only hide that Cosmos DB is faster.
/// </summary>
internal sealed class TableStorage() : TableTest(
    FindingKind.TableStorage, FindingRoles.Pair("batches to Table storage", "batches to Cosmos DB"),
    "Table storage takes batches more slowly than Cosmos DB, but never throttles them",
    "96th percentile of a batch's latency, Table storage / Cosmos DB")
{
    public override bool ComparesRates => false;

    public override bool IsAboutLatency => true;

    protected override bool LessIsBetter => true;

    public override string PredictedFrom => "the latency of the Cosmos DB side's batches";

    public override Assumption FollowsFrom(FindingCase given) => new(PredictedLatency.TextOf(given.Changed.Spec), Predicted: null);

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => Misfit(variants[0], variants[1])
        ?? (variants[0].Workload.DocumentsPerOperation != variants[1].Workload.DocumentsPerOperation
            ? "both variants must have the same batchSize, since a batch's latency is compared"
            : null);

    public override FindingResult Judge(FindingCase given)
    {
        var outcome = base.Judge(given);
        outcome = outcome with { Notes = [.. outcome.Notes, .. NotesOn(given)] };
        // A single repeat decides nothing, as in every other finding.
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

    protected override string Statement(string ratio) =>
        $"A batch to Table storage took {ratio} times as long as one to Cosmos DB at the 96th percentile";

    /// <summary>Rows per second, kilobytes per second, latency and throttled attempts of both sides.</summary>
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

/// <summary>
/// More throughput for less money. Two parts must hold: the rows per second, and what the store charges for a million rows. One part alone
/// can refute the claim, so both share the error of that verdict. A container that uses all its RU/s is charged for what it does, so the
/// RU/s do not hide its rate. One that does not is charged too much, so its charge proves nothing.
/// </summary>
internal sealed class CheaperTables() : TableTest(
    FindingKind.CheaperTables, FindingRoles.Pair("batches to Cosmos DB", "batches to Table storage"),
    "Table storage takes more rows per second than Cosmos DB, and charges less for them", "rows per second, Table storage / Cosmos DB")
{
    public override bool HasThreshold => false;

    public override string RestsOn =>
        $"{TurnsTaken}; but what tables are charged for a row is fixed, so a drift of the container's rate does not cancel out of the "
            + "charges: where runs resemble their neighbours with a correlation of 0.9 up to 20% of the verdicts can be wrong, with a "
            + "steady trend half of them";

    public override string PredictedFrom => "nothing: prices are those of accounts in Azure";

    public override string? Misfit(IReadOnlyList<RunSpec> variants) => Misfit(tables: variants[1], cosmos: variants[0]);

    public override Assumption? FollowsFrom(FindingCase given) => null;

    public override FindingVerdict? VerdictAt(double effect, FindingSpec finding) => null;

    public override FindingResult Judge(FindingCase given)
    {
        var outcome = base.Judge(given);
        if (outcome.Verdict is FindingVerdict.NotTested or FindingVerdict.Refuted)
            return outcome;
        if (given.Compare(figures => figures.StorePerMillion, lessIsBetter: true) is not { } charges)
        {
            return FindingResult.NotTested(
                "what the store charges is not known of every run: that takes accounts in Azure, a container that the run creates, and "
                    + "prices above 0 of the deployed app");
        }

        outcome = outcome with
        {
            Notes =
            [
                .. outcome.Notes,
                $"A million rows cost {ClaimText.Ratio(charges.Ratio)} times as much in Cosmos DB as in Table storage"
                    + $"{ClaimText.Within(charges.Interval95())}, without what it costs to keep them.",
            ],
        };
        if (!charges.IsRepeated)
            return outcome;
        var part = given.Verdicts.OfPart(charges.Effect, threshold: 1, Parts);
        var open = outcome with { Sentence = outcome.Sentence.TrimEnd('.') };
        if (part == FindingVerdict.Refuted)
        {
            return outcome with
            {
                Verdict = FindingVerdict.Refuted, Reason = null, Sentence = $"{open.Sentence}; but Table storage charges no less for them.",
            };
        }

        return outcome.Verdict != FindingVerdict.Supported ? outcome
            : part != FindingVerdict.Supported ? open.UndecidedBecause("the noise hides which of them charges less")
            : given.Baseline.Cap != BoundBy.RequestUnits
                ? open.UndecidedBecause($"{given.Baseline.Name} did not use all its RU/s, and fewer would have cost less")
                : outcome;
    }

    protected override int Parts => 2;

    protected override bool Hides(BoundBy cap) => cap == BoundBy.Rate;

    protected override string Statement(string ratio) => $"Table storage took {ratio} times the rows per second of Cosmos DB";
}
