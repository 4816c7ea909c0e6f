namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// Claims that compare two variants with known truths. Measures how often the verdict is wrong, and how often a true effect is decided.
/// </summary>
public sealed class KnownTruthsOfPairsTests
{
    private const double MaxWrong = 0.05;
    private const double MinDecided = 0.80;

    [Theory(Explicit = true)]
    [InlineData(FindingKind.DirectBeatsGateway)]
    [InlineData(FindingKind.MoreCores)]
    [InlineData(FindingKind.Batching)]
    [InlineData(FindingKind.Bulk)]
    [InlineData(FindingKind.ParallelQuery)]
    [InlineData(FindingKind.LowLatencyNetwork)]
    [InlineData(FindingKind.FittingPartitionKey)]
    [InlineData(FindingKind.IndexingThrottles)]
    [InlineData(FindingKind.ExcludedPaths)]
    [InlineData(FindingKind.TableStorage)]
    [InlineData(FindingKind.CheaperTables)]
    [InlineData(FindingKind.QueryCostGrows)]
    [Trait("Duration", "Long")]
    public void Evaluate_ClaimOfAGain_SeldomWrongAndDecidesTenPercent(FindingKind kind)
    {
        var none = Rates(new FindingSpec { Kind = kind }, "no effect (a hop of 0 ms)", 1);
        var worse = Rates(new FindingSpec { Kind = kind }, "10% worse", 1 / 1.1);
        var least = Rates(new FindingSpec { Kind = kind }, "a gain just not negligible, 1.0526", Equivalence.NegligibleFactor);
        var tenth = Rates(new FindingSpec { Kind = kind }, "10% better", 1.1);
        var hop = Rates(new FindingSpec { Kind = kind }, "a hop of 3 ms less of 8.3 ms", 8.3 / 5.3);

        Assert.InRange(none.Supported, 0, MaxWrong);
        Assert.InRange(worse.Supported, 0, MaxWrong);
        Assert.InRange(least.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Refuted, 0, MaxWrong);
        Assert.InRange(worse.Refuted, MinDecided, 1);
        Assert.InRange(tenth.Supported, MinDecided, 1);
        Assert.InRange(hop.Supported, MinDecided, 1);
    }

    /// <summary>A gain of 2% is a tie. Neither verdict of a claim of any gain says so by luck.</summary>
    [Theory(Explicit = true)]
    [InlineData(FindingKind.DirectBeatsGateway)]
    [InlineData(FindingKind.MoreCores)]
    [InlineData(FindingKind.Batching)]
    [InlineData(FindingKind.Bulk)]
    [InlineData(FindingKind.ParallelQuery)]
    [InlineData(FindingKind.LowLatencyNetwork)]
    [InlineData(FindingKind.IndexingThrottles)]
    [InlineData(FindingKind.ExcludedPaths)]
    [InlineData(FindingKind.TableStorage)]
    [Trait("Duration", "Long")]
    public void Evaluate_GainThatDoesNotMatter_IsCalledATie(FindingKind kind)
    {
        var wide = Rates(new FindingSpec { Kind = kind }, "2% better", 1.02);
        var measured = VerdictRates.From(
            "2% better, noise as measured", new() { Kind = kind }, _ => Pairs.From(kind, 1.02), range: NoiseRange.Measured);
        var above = Rates(new FindingSpec { Kind = kind }, "a gain just not negligible", Equivalence.NegligibleFactor);
        var below = Rates(new FindingSpec { Kind = kind }, "a loss just not negligible", 1 / Equivalence.NegligibleFactor);

        Assert.All([wide, measured], rates => Assert.InRange(rates.Supported, 0, MaxWrong));
        Assert.All([wide, measured], rates => Assert.InRange(rates.Refuted, 0, MaxWrong));
        Assert.All([above, below], rates => Assert.InRange(rates.NoDifference, 0, MaxWrong));
        Assert.InRange(measured.NoDifference, MinDecided, 1);
    }

    [Theory(Explicit = true)]
    [InlineData(FindingKind.DirectBeatsGateway)]
    [InlineData(FindingKind.ParallelQuery)]
    [InlineData(FindingKind.FittingPartitionKey)]
    [Trait("Duration", "Long")]
    public void Evaluate_ClaimOfAFactor_SeldomWrongAndDecidesTenPercent(FindingKind kind)
    {
        var spec = new FindingSpec { Kind = kind, Threshold = 1.5 };
        var at = Rates(spec, "more than 1.5 claimed, 1.5 true", 1.5);
        var below = Rates(spec, "more than 1.5 claimed, 10% less true", 1.5 / 1.1);
        var above = Rates(spec, "more than 1.5 claimed, 10% more true", 1.5 * 1.1);

        Assert.InRange(at.Supported, 0, MaxWrong);
        Assert.InRange(above.Refuted, 0, MaxWrong);
        Assert.InRange(below.Refuted, MinDecided, 1);
        Assert.InRange(above.Supported, MinDecided, 1);
    }

    [Theory(Explicit = true)]
    [InlineData(FindingKind.IndexingMode)]
    [InlineData(FindingKind.ClientConsistency)]
    [InlineData(FindingKind.MaxConnections)]
    [InlineData(FindingKind.InstancesLikeCores)]
    [InlineData(FindingKind.DeletesLikeWrites)]
    [Trait("Duration", "Long")]
    public void Evaluate_ClaimOfSameness_SeldomWrongAndDecidesTenPercent(FindingKind kind)
    {
        var none = Rates(new FindingSpec { Kind = kind }, "no effect", 1);
        var upper = Rates(new FindingSpec { Kind = kind }, "at the band's upper end, 1.0526", Equivalence.NegligibleFactor);
        var lower = Rates(new FindingSpec { Kind = kind }, "at the band's lower end, 0.95", 1 / Equivalence.NegligibleFactor);
        var tenth = Rates(new FindingSpec { Kind = kind }, "10% apart", 1.1);
        var more = VerdictRates.From(
            "10% to 50% apart", new() { Kind = kind }, random => Pairs.From(kind, 1.1 + (0.4 * random.NextDouble())));

        Assert.InRange(none.Refuted, 0, MaxWrong);
        Assert.InRange(upper.Supported, 0, MaxWrong);
        Assert.InRange(upper.Refuted, 0, MaxWrong);
        Assert.InRange(lower.Supported, 0, MaxWrong);
        Assert.InRange(lower.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Supported, 0, MaxWrong);
        Assert.InRange(more.Refuted, MinDecided, 1);

        var measured = VerdictRates.From(
            "10% apart, noise as measured", new() { Kind = kind }, _ => Pairs.From(kind, 1.1), range: NoiseRange.Measured);
        var same = VerdictRates.From(
            "no effect, noise as measured", new() { Kind = kind }, _ => Pairs.From(kind, 1), range: NoiseRange.Measured);
        Assert.InRange(measured.Refuted, MinDecided, 1);
        Assert.InRange(same.Supported, MinDecided, 1);
    }

    /// <summary>
    /// With noise up to 5%, five repeats decide a difference of exactly 10% against a band that ends at 5.26% in about three of four
    /// experiments. Eight repeats decide it in four of five.
    /// </summary>
    [Fact]
    public void Evaluate_SamenessTenPercentApartInWideNoise_TakesEightRepeats()
    {
        var rates = VerdictRates.From(
            "10% apart, 8 repeats", new() { Kind = FindingKind.MaxConnections }, _ => Pairs.From(FindingKind.MaxConnections, 1.1),
            repeats: 8);
        Assert.InRange(rates.Refuted, MinDecided, 1);
    }

    private static VerdictRates Rates(FindingSpec spec, string truth, double ratio) =>
        VerdictRates.From(truth, spec, _ => Pairs.From(spec.Kind, ratio));
}
