namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// Experiments with a dozen findings about known truths. Measures how often any verdict of an experiment is wrong, with and without Holm's
/// correction.
/// </summary>
public sealed class KnownTruthsOfExperimentsTests
{
    private const int Experiments = 500;
    private const double MaxWrong = 0.05;
    private const double MinDecided = 0.80;

    /// <summary>Truths on the edge of the claim, where a wrong verdict is likeliest.</summary>
    private static readonly IReadOnlyList<Known> OnTheEdge =
    [
        new(FindingKind.DirectBeatsGateway, FindingVerdict.Supported, Pairs.From(FindingKind.DirectBeatsGateway, 1)),
        new(FindingKind.Batching, FindingVerdict.Supported, Pairs.From(FindingKind.Batching, 1)),
        new(FindingKind.LowLatencyNetwork, FindingVerdict.Supported, Pairs.From(FindingKind.LowLatencyNetwork, 1)),
        new(FindingKind.MoreCores, FindingVerdict.Refuted, Pairs.From(FindingKind.MoreCores, Equivalence.NegligibleFactor)),
        new(FindingKind.Bulk, FindingVerdict.Refuted, Pairs.From(FindingKind.Bulk, Equivalence.NegligibleFactor)),
        new(FindingKind.IndexingMode, FindingVerdict.Supported, Pairs.From(FindingKind.IndexingMode, Equivalence.NegligibleFactor)),
        new(FindingKind.MaxConnections, FindingVerdict.Refuted, Pairs.From(FindingKind.MaxConnections, Equivalence.NegligibleFactor)),
        new(
            FindingKind.ClientConsistency, FindingVerdict.Supported,
            Pairs.From(FindingKind.ClientConsistency, 1 / Equivalence.NegligibleFactor)),
        new(
            FindingKind.ConcurrencyPeak, FindingVerdict.Supported,
            Ladder.OfConcurrency((1, 1_000), (10, 1_000), (20, 1_000), (40, 1_000))),
        new(
            FindingKind.MoreRequestUnits, FindingVerdict.Supported,
            [Ladder.OfThroughput(10_000, 1_000, BoundBy.Partition), Ladder.OfThroughput(20_000, 1_000, BoundBy.Partition)]),
        new(
            FindingKind.SingleUnitPredictsFleet, FindingVerdict.Supported,
            Ladder.OfWorkers(new ScalabilityLaw((Equivalence.NegligibleFactor - 1) / 7, 0, 1_000), 1, 2, 4, 8)),
        new(
            FindingKind.ScalabilityLaw, FindingVerdict.Supported,
            Ladder.OfWorkers(new ScalabilityLaw(0, 0, 1_000), 1, 2, 3, 4, 6, 8)),
    ];

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_TruthsOnTheEdge_HaveAWrongVerdictInFewExperimentsAfterHolm()
    {
        var (alone, amongAll) = Shares(
            "a dozen findings on the edge", OnTheEdge, NoiseRange.Wide, repeats: 5, any: true,
            (finding, known) => finding.Verdict == known.Wrong, (finding, known) => finding.Holm?.Verdict == known.Wrong);

        Assert.InRange(amongAll, 0, MaxWrong);
        // Without the correction the wrong verdicts of a dozen tests add up.
        Assert.True(alone > amongAll);
    }

    /// <summary>A correction after which nothing is decided would be useless.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_TenPercentEach_IsStillDecidedAfterHolm()
    {
        IReadOnlyList<Known> tenth =
        [
            .. ((FindingKind[])[FindingKind.DirectBeatsGateway, FindingKind.Batching, FindingKind.Bulk, FindingKind.LowLatencyNetwork])
                .Select(kind => new Known(kind, FindingVerdict.Refuted, Pairs.From(kind, 1.1))),
            .. ((FindingKind[])[FindingKind.IndexingMode, FindingKind.MaxConnections, FindingKind.ClientConsistency])
                .Select(kind => new Known(kind, FindingVerdict.Supported, Pairs.From(kind, 1.1))),
        ];
        foreach (var (range, repeats) in ((NoiseRange, int)[])[(NoiseRange.Measured, 5), (NoiseRange.Measured, 8), (NoiseRange.Wide, 8)])
        {
            var (_, amongAll) = Shares(
                $"seven findings of 10% each, {range} noise, {repeats} repeats", tenth, range, repeats, any: false,
                (finding, known) => IsDecided(finding.Verdict) && finding.Verdict != known.Wrong,
                (finding, known) => IsDecided(finding.Holm?.Verdict) && finding.Holm!.Verdict != known.Wrong);
            Assert.InRange(amongAll, MinDecided, 1);
        }
    }

    private static bool IsDecided(FindingVerdict? verdict) => verdict is FindingVerdict.Supported or FindingVerdict.Refuted;

    /// <summary>Share of the experiments with any such finding, or share of such findings. Every other experiment has a drift.</summary>
    private static (double Alone, double AmongAll) Shares(
        string name, IReadOnlyList<Known> family, NoiseRange range, int repeats, bool any,
        Func<FindingResult, Known, bool> alone, Func<FindingResult, Known, bool> amongAll)
    {
        var truths = family.SelectMany((known, i) => known.Truths.Select(truth => truth with { Name = $"{i} {truth.Name}" })).ToList();
        var findings = family.Select((known, i) => new FindingSpec
        {
            Id = $"f{i}", Kind = known.Kind, Variants = [.. known.Truths.Select(truth => $"{i} {truth.Name}")],
        }).ToList();
        var (countAlone, countAmongAll) = (0, 0);
        for (var seed = 1; seed <= Experiments; seed++)
        {
            var noise = Noise.Within(range, new Random(7_000_000 + seed), seed % 2 == 0 ? truths.Count : 0);
            var pairs = FindingTests.Evaluate(findings, Truth.Measure(truths, repeats, noise)).Zip(family).ToList();
            var (one, other) = (
                pairs.Count(pair => alone(pair.First, pair.Second)), pairs.Count(pair => amongAll(pair.First, pair.Second)));
            countAlone += any ? Math.Min(1, one) : one;
            countAmongAll += any ? Math.Min(1, other) : other;
        }

        double all = Experiments * (any ? 1 : family.Count);
        TestContext.Current.TestOutputHelper?.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{name,-62} {(any ? "experiments with a wrong verdict" : "findings decided")}: alone {countAlone / all,6:P1}  "
                + $"after Holm {countAmongAll / all,6:P1}"));
        return (countAlone / all, countAmongAll / all);
    }

    /// <param name="Wrong">The verdict that would be wrong.</param>
    /// <param name="Truths">The variants without noise.</param>
    private sealed record Known(FindingKind Kind, FindingVerdict Wrong, IReadOnlyList<Truth> Truths);
}
