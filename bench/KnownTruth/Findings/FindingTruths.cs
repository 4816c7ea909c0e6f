namespace ScaleOut.Bench.KnownTruth.Findings;

/// <summary>
/// A claim about variants whose truth is known. The truth lies on the edge of the claim, where a wrong verdict is likeliest.
/// </summary>
/// <param name="Wrong">The verdict that would be wrong.</param>
internal sealed record FindingTruth(string Name, FindingKind Kind, FindingVerdict Wrong, IReadOnlyList<Truth> Variants)
{
    /// <summary>Largest allowed share of experiments with a wrong verdict.</summary>
    private const double MaxWrong = 0.05;

    /// <summary>Number of standard errors of the simulated share that are allowed for.</summary>
    private const double Errors = 2.5;

    /// <summary>
    /// Standard deviation of the deviation that each variant has from the truth in all of its repeats, as a share. Default 0.
    /// </summary>
    public double OwnLevels { get; init; }

    /// <summary>Whether a drift of one variant does not cancel out. What Table storage is charged for a row is fixed, too.</summary>
    private bool DriftStays =>
        Kind is FindingKind.LatencyUnder or FindingKind.WaitsAfterThrottling or FindingKind.CheaperTables;

    /// <summary>Whether the verdict's own text says that more than 5% may be wrong under such noise.</summary>
    public bool IsExcluded(NoiseKind noise) => noise switch
    {
        NoiseKind.DriftNotInTurn => Variants.Count > 1 || DriftStays,
        NoiseKind.Drift or NoiseKind.Trend or NoiseKind.StronglyCorrelated => DriftStays,
        NoiseKind.FirstIsContaminated => Variants.Count > 1,
        _ => false,
    };

    /// <summary>Largest measured share that still counts as 5% for this number of experiments.</summary>
    public static double MaxShareOf(int experiments) => MaxWrong + (Errors * Math.Sqrt(MaxWrong * (1 - MaxWrong) / experiments));

    public double WrongShare(NoiseKind noise, int repeats, int experiments) =>
        Results(noise, repeats, experiments).Count(result => result.Verdict == Wrong) / (double)experiments;

    /// <summary>The results of seeded experiments.</summary>
    public IEnumerable<FindingResult> Results(NoiseKind noise, int repeats, int experiments)
    {
        var spec = new FindingSpec { Kind = Kind, Variants = [.. Variants.Select(one => one.Name)] };
        for (var i = 0; i < experiments; i++)
        {
            // Consecutive seeds give sequences that begin alike, so the seeds are spread out.
            var random = new Random(unchecked((((int)Kind * 1_000_003) + i + 1) * 7_919));
            var variants = OwnLevels == 0
                ? Variants
                : [.. Variants.Select(one => one with { Rate = one.Rate * Math.Exp(OwnLevels * Noise.Normal(random)) })];
            var measured = Truth.Measure(variants, repeats, Noise.Within(NoiseRange.Wide, random, variants.Count, noise));
            yield return FindingTests.Evaluate(spec, measured);
        }
    }
}

/// <summary>Truths of every kind of finding.</summary>
internal static class FindingTruths
{
    private const double Negligible = 1.0526;

    private static readonly FindingKind[] Samenesses =
    [
        FindingKind.IndexingMode, FindingKind.ClientConsistency, FindingKind.MaxConnections, FindingKind.InstancesLikeCores,
        FindingKind.DeletesLikeWrites,
    ];

    private static readonly FindingKind[] Gains =
    [
        FindingKind.DirectBeatsGateway, FindingKind.MoreCores, FindingKind.Batching, FindingKind.Bulk, FindingKind.ParallelQuery,
        FindingKind.FittingPartitionKey, FindingKind.LowLatencyNetwork, FindingKind.IndexingThrottles, FindingKind.ExcludedPaths,
        FindingKind.TableStorage, FindingKind.CheaperTables, FindingKind.QueryCostGrows,
    ];

    /// <summary>Claims of a gain with several parts, which have no tie.</summary>
    private static readonly FindingKind[] OfParts =
        [FindingKind.FittingPartitionKey, FindingKind.CheaperTables, FindingKind.QueryCostGrows];

    public static IReadOnlyList<FindingTruth> All { get; } =
    [
        .. Gains.Except(OfParts).SelectMany(kind => new[]
        {
            Supported("a gain of 2%", kind, Pairs.From(kind, 1.02)),
            Refuted("a gain of 2%", kind, Pairs.From(kind, 1.02)),
            Tie("a gain just not negligible", kind, Pairs.From(kind, Negligible)),
            Tie("a loss just not negligible", kind, Pairs.From(kind, 1 / Negligible)),
        }),
        .. Gains.SelectMany(kind => new[]
        {
            Supported("no effect", kind, Pairs.From(kind, 1)),
            Refuted("a gain just not negligible", kind, Pairs.From(kind, Negligible)),
        }),
        .. Samenesses.SelectMany(kind => new[]
        {
            Supported("just not the same, more", kind, Pairs.From(kind, Negligible)),
            Supported("just not the same, less", kind, Pairs.From(kind, 1 / Negligible)),
            Refuted("just the same, more", kind, Pairs.From(kind, Negligible)),
            Refuted("just the same, less", kind, Pairs.From(kind, 1 / Negligible)),
        }),
        Supported("more rows for as much money", FindingKind.CheaperTables, Pairs.OfTables(rates: 2, charges: 1)),
        Refuted(
            "a little more for a little less", FindingKind.CheaperTables, Pairs.OfTables(rates: Negligible, charges: Negligible)),
        Supported(
            "concurrency does not matter", FindingKind.ConcurrencyPeak,
            Ladder.OfConcurrency((1, 1_000), (10, 1_000), (20, 1_000), (40, 1_000), (80, 1_000))),
        Supported(
            "every level gains 5.3%", FindingKind.ConcurrencyPeak,
            Ladder.OfConcurrency((1, 1_000), (10, 1_053), (20, 1_109), (40, 1_168), (80, 1_230))),
        Refuted(
            "a peak 5.3% above the lowest", FindingKind.ConcurrencyPeak,
            Ladder.OfConcurrency((1, 1_000), (10, 1_053), (20, 1_000), (40, 950))),
        Supported("8 workers lose 5%", FindingKind.SingleUnitPredictsFleet, OfEight(1 / Negligible)),
        Refuted("8 workers lose 5%", FindingKind.SingleUnitPredictsFleet, OfEight(1 / Negligible)),
        Supported(
            "more RU/s do not help", FindingKind.MoreRequestUnits,
            [Ladder.OfThroughput(10_000, 1_000, BoundBy.Partition), Ladder.OfThroughput(20_000, 1_000, BoundBy.Partition)]),
        Refuted(
            "two steps of 5.3% each", FindingKind.MoreRequestUnits,
            [
                Ladder.OfThroughput(10_000, 1_000, BoundBy.RequestUnits), Ladder.OfThroughput(11_000, 1_053, BoundBy.RequestUnits),
                Ladder.OfThroughput(12_000, 1_109, BoundBy.RequestUnits),
            ]),
        Supported("no contention", FindingKind.ScalabilityLaw, OfSixteen(1)),
        Refuted("16 workers lose 5%", FindingKind.ScalabilityLaw, OfSixteen(0.95)),
        Supported("no contention, 5 levels differ by 5%", FindingKind.ScalabilityLaw, OfFive) with { OwnLevels = 0.05 },
        Supported("no contention, levels differ by 5%", FindingKind.ScalabilityLaw, OfSixteen(1)) with { OwnLevels = 0.05 },
        Refuted("16 workers lose 5%, levels differ by 5%", FindingKind.ScalabilityLaw, OfSixteen(0.95)) with { OwnLevels = 0.05 },
        Supported("99% take 10 ms", FindingKind.LatencyUnder, [OneVariant.WithP99(10)]),
        Refuted("99% take 10 ms", FindingKind.LatencyUnder, [OneVariant.WithP99(10)]),
        Supported("half of the time", FindingKind.WaitsAfterThrottling, [OneVariant.WithWaits(0.5)]),
        Refuted("half of the time", FindingKind.WaitsAfterThrottling, [OneVariant.WithWaits(0.5)]),
        Supported("a level end", FindingKind.FallsAfterPeak, [OneVariant.WithSteps(10, 20, 30, 31, 31, 31, 31, 31)]),
        Refuted(
            "a fall just not negligible", FindingKind.FallsAfterPeak,
            [OneVariant.WithSteps(10, 20, 30, 30 * Negligible, 30, 30, 30, 30)]),
    ];

    private static IReadOnlyList<Truth> OfEight(double efficiency) =>
        Ladder.OfWorkers(new ScalabilityLaw(((1 / efficiency) - 1) / 7, 0, 1_000), 1, 2, 4, 8);

    private static IReadOnlyList<Truth> OfFive => Ladder.OfWorkers(new ScalabilityLaw(0, 0, 1_000), 1, 2, 4, 8, 16);

    private static IReadOnlyList<Truth> OfSixteen(double efficiency) =>
        Ladder.OfWorkers(new ScalabilityLaw(((1 / efficiency) - 1) / 15, 0, 1_000), 1, 2, 3, 4, 6, 8, 12, 16);

    private static FindingTruth Supported(string name, FindingKind kind, IReadOnlyList<Truth> variants) =>
        new($"{FindingCatalog.NameOf(kind)}: {name}", kind, FindingVerdict.Supported, variants);

    private static FindingTruth Refuted(string name, FindingKind kind, IReadOnlyList<Truth> variants) =>
        new($"{FindingCatalog.NameOf(kind)}: {name}", kind, FindingVerdict.Refuted, variants);

    private static FindingTruth Tie(string name, FindingKind kind, IReadOnlyList<Truth> variants) =>
        new($"{FindingCatalog.NameOf(kind)}: {name}", kind, FindingVerdict.NoDifference, variants);
}
