namespace ScaleOut.Analysis.Findings.Kinds;

/// <summary>The kinds that compare batches to Table storage with batches to Cosmos DB.</summary>
internal static class TableClaims
{
    public static IReadOnlyList<FindingTest> All { get; } =
    [
        // The published table (batch-flights.csv) says "slower batches; never throttled" and gives the 96th percentile of a batch's latency
        // for Cosmos DB. The test therefore compares that percentile, and a single throttled attempt refutes the claim. If request units
        // held Cosmos DB back, its latency contains those waits. That can only hide that Cosmos DB is faster.
        new PairTest(FindingKind.TableStorage, "batches to Table storage", "batches to Cosmos DB")
        {
            ComparesRates = false,
            IsAboutLatency = true,
            Claim = "Table storage takes batches more slowly than Cosmos DB, but never throttles them",
            Figure = "96th percentile of a batch's latency",
            Sides = "Table storage / Cosmos DB",
            FigureOf = figures => figures.P96LatencyMs,
            LessIsBetter = true,
            Statement = (_, ratio) => $"A batch to Table storage took {ratio} times as long as one to Cosmos DB at the 96th percentile",
            MisfitOf = (tables, cosmos) => WrongKinds(tables, cosmos)
                ?? (tables.Workload.DocumentsPerOperation != cosmos.Workload.DocumentsPerOperation
                    ? "both variants must have the same batchSize, since a batch's latency is compared"
                    : null),
            Obstacle = ObstacleOf,
            PredictedFrom = "the latency of the Cosmos DB side's batches",
            Prediction = given => new(PredictedLatency.TextOf(given.Changed.Spec), Predicted: null),
            Complete = RefuteIfThrottled,
            Remove = WithoutStore,
        },

        // More throughput for less money. Two parts must hold: the rows per second, and what the store charges for a million rows. One part
        // alone can refute the claim, so both share the error of that verdict. A container that uses all its RU/s is charged for what it
        // does, so the RU/s do not hide its rate. One that does not is charged too much, so its charge proves nothing.
        new PairTest(FindingKind.CheaperTables, "batches to Cosmos DB", "batches to Table storage")
        {
            HasThreshold = false,
            RestsOn = $"{FindingTest.TurnsTaken}; but what tables are charged for a row is fixed, so a drift of the container's rate does "
                + "not cancel out of the charges: where runs follow a random walk up to 19% of the verdicts can be wrong, with a steady "
                + "trend half of them",
            Claim = "Table storage takes more rows per second than Cosmos DB, and charges less for them",
            Figure = "rows per second",
            Sides = "Table storage / Cosmos DB",
            Parts = 2,
            Statement = (_, ratio) => $"Table storage took {ratio} times the rows per second of Cosmos DB",
            MisfitOf = (cosmos, tables) => WrongKinds(tables, cosmos),
            Hides = cap => cap == BoundBy.Rate,
            Obstacle = ObstacleOf,
            PredictedFrom = "nothing: prices are those of accounts in Azure",
            Prediction = _ => null,
            Complete = CompareCharges,
            Remove = WithoutStore,
        },
    ];

    private static string? WrongKinds(RunSpec tables, RunSpec cosmos) =>
        tables.Workload.Kind != WorkloadKind.TableBatch || cosmos.Workload.Kind != WorkloadKind.Batch
            ? "one variant must write batches to Table storage (kind tableBatch), the other to Cosmos DB (kind batch), in the claim's order"
            : null;

    private static string? ObstacleOf(FindingCase given) =>
        given.Variants.Any(variant => variant.Spec.Workload.Kind.UsesTables() && variant.Usable.Any(figures => figures.Emulated))
            ? "the table account is an emulator, whose speed says nothing of Azure Table storage"
            : null;

    /// <summary>Removes the kind of store and the settings that only a Cosmos DB container or its client has.</summary>
    private static RunSpec WithoutStore(RunSpec spec) => spec with
    {
        Workload = spec.Workload with { Kind = default },
        Container = spec.Container with { Throughput = 0, Autoscale = false, Indexing = default, ExcludedPaths = [], IncludedPaths = [] },
        Client = spec.Client with { ConnectionMode = default, Consistency = null },
        Simulation = null,
    };

    private static FindingResult RefuteIfThrottled(FindingCase given, FindingResult result)
    {
        result = result with { Notes = [.. result.Notes, .. NotesOn(given)] };
        // A single repeat decides nothing, as in every other finding.
        if (result.Interval95 is null || given.Baseline.Usable.Max(figures => figures.ThrottledShare) is not (> 0 and var share))
            return result;
        return result.Decide(
            FindingVerdict.Refuted, $"; but Table storage throttled up to {Numbers.Percent(share)} of the attempts of a run");
    }

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

    private static double? Mean(MeasuredVariant variant, Func<RunFigures, double?> figure) => variant.Usable.Average(figure);

    private static FindingResult CompareCharges(FindingCase given, FindingResult result)
    {
        if (result.Verdict is FindingVerdict.NotTested or FindingVerdict.Refuted)
            return result;
        if (given.Compare(figures => figures.StorePerMillion, lessIsBetter: true) is not { } charges)
        {
            return FindingResult.NotTested(
                "what the store charges is not known of every run: that takes accounts in Azure, a container that the run creates, and "
                    + "prices above 0 of the deployed app");
        }

        result = result with
        {
            Notes =
            [
                .. result.Notes,
                $"A million rows cost {Numbers.Brief(charges.Ratio)} times as much in Cosmos DB as in Table storage"
                    + $"{ClaimText.Within(charges.Interval95())}, without what it costs to keep them.",
            ],
        };
        if (!charges.IsRepeated)
            return result;
        var part = given.Verdicts.OfPart(charges.Effect, threshold: 1, parts: 2);
        if (part == FindingVerdict.Refuted)
            return result.Decide(FindingVerdict.Refuted, "; but Table storage charges no less for them");
        if (result.Verdict != FindingVerdict.Supported)
            return result;
        if (part != FindingVerdict.Supported)
            return result.UndecidedBecause("the noise hides which of them charges less");
        // What a run carries over to the next one meets the container's charge only, so it does not cancel out.
        if (given.Verdicts.OfGain(charges.Effect, Equivalence.NegligibleFactor) != FindingVerdict.Supported)
            return result.UndecidedBecause("a run that changes the next one could make as small a difference of the charges");
        return given.Baseline.Cap != BoundBy.RequestUnits
            ? result.UndecidedBecause($"{given.Baseline.Name} did not use all its RU/s, and fewer would have cost less")
            : result;
    }
}
