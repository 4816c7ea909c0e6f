namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// Claims about ladders of variants with known truths. Measures how often the verdict is wrong, and how often a true effect is decided.
/// </summary>
public sealed class KnownTruthsOfLaddersTests
{
    private const double MaxWrong = 0.05;
    private const double MinDecided = 0.80;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_ConcurrencyPeak_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(string truth, params (int, double)[] levels) =>
            VerdictRates.From(truth, new() { Kind = FindingKind.ConcurrencyPeak }, _ => Ladder.OfConcurrency(levels));

        var flat = From("concurrency does not matter", (1, 1_000), (10, 1_000), (20, 1_000), (40, 1_000), (80, 1_000));
        var falling = From("concurrency harms", (1, 1_000), (10, 900), (20, 800), (40, 700), (80, 600));
        var rising = From("every level gains 10%", (1, 1_000), (10, 1_100), (20, 1_210), (40, 1_331), (80, 1_464));
        var creeping = From("every level gains 5.3%", (1, 1_000), (10, 1_053), (20, 1_109), (40, 1_168), (80, 1_230));
        var peak = From("a peak 10% above its neighbours", (10, 927), (20, 1_020), (40, 1_122), (80, 1_020));
        var published = From("peak as in the published table (60 of 20 to 100)", (10, 927), (20, 1_998), (60, 2_250), (100, 1_919));

        Assert.InRange(flat.Supported, 0, MaxWrong);
        Assert.InRange(falling.Supported, 0, MaxWrong);
        Assert.InRange(rising.Supported, 0, MaxWrong);
        Assert.InRange(creeping.Supported, 0, MaxWrong);
        Assert.InRange(peak.Refuted, 0, MaxWrong);
        Assert.InRange(published.Refuted, 0, MaxWrong);
        Assert.InRange(peak.Supported, MinDecided, 1);
        Assert.InRange(published.Supported, MinDecided, 1);
        Assert.InRange(falling.Refuted, MinDecided, 1);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_SingleUnitPredictsFleet_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(string truth, ScalabilityLaw law, NoiseRange? range = null) =>
            VerdictRates.From(
                truth, new() { Kind = FindingKind.SingleUnitPredictsFleet }, _ => Ladder.OfWorkers(law, 1, 2, 4, 8), range: range);
        static ScalabilityLaw WithEfficiency(double ofEight) => new(((1 / ofEight) - 1) / 7, 0, 1_000);

        var none = From("no contention", WithEfficiency(1));
        var edge = From("contention that costs 8 workers 5%", WithEfficiency(1 / Equivalence.NegligibleFactor));
        var tenth = From("contention that costs 8 workers 10%", WithEfficiency(0.9));
        var more = From("contention that costs 8 workers 20%", WithEfficiency(0.8));

        Assert.InRange(none.Refuted, 0, MaxWrong);
        Assert.InRange(edge.Supported, 0, MaxWrong);
        Assert.InRange(edge.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Supported, 0, MaxWrong);
        Assert.InRange(more.Refuted, MinDecided, 1);

        var measured = From("contention that costs 8 workers 10%, noise as measured", WithEfficiency(0.9), NoiseRange.Measured);
        Assert.InRange(measured.Refuted, MinDecided, 1);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_MoreRequestUnits_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(string truth, params Truth[] ladder) => Within(NoiseRange.Wide, truth, ladder);
        static VerdictRates Within(NoiseRange range, string truth, params Truth[] ladder) =>
            VerdictRates.From(truth, new() { Kind = FindingKind.MoreRequestUnits }, _ => ladder, range: range);
        static Truth At(int throughput, double rate, BoundBy boundBy) => Ladder.OfThroughput(throughput, rate, boundBy);

        var budget = From("budgets that bind throughout", [.. Ladder.OfThroughput(1e6, 10_000, 20_000, 40_000, 80_000)]);
        var client = From("budgets that bind up to the client's limit", [.. Ladder.OfThroughput(6_000, 10_000, 20_000, 40_000, 80_000)]);
        var tenth = From(
            "a budget that binds, 10% more of it", At(10_000, 1_000, BoundBy.RequestUnits), At(11_000, 1_100, BoundBy.RequestUnits));
        var useless = From(
            "more RU/s that do not reach the hot partition", At(10_000, 1_000, BoundBy.Partition), At(20_000, 1_000, BoundBy.Partition));
        Truth[] gainThough =
        [
            At(10_000, 1_000, BoundBy.RequestUnits), At(20_000, 2_000, BoundBy.Client), At(40_000, 2_200, BoundBy.Client),
        ];
        var unbound = From("a gain of 10% though the client is the limit", gainThough);
        var measured = Within(NoiseRange.Measured, "a gain of 10% though the client is the limit, noise as measured", gainThough);

        Assert.InRange(budget.Refuted, 0, MaxWrong);
        Assert.InRange(client.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Refuted, 0, MaxWrong);
        Assert.InRange(useless.Supported, 0, MaxWrong);
        Assert.InRange(unbound.Supported, 0, MaxWrong);
        Assert.InRange(budget.Supported, MinDecided, 1);
        Assert.InRange(client.Supported, MinDecided, 1);
        Assert.InRange(tenth.Supported, MinDecided, 1);
        Assert.InRange(measured.Refuted, MinDecided, 1);
    }

    /// <summary>
    /// With noise up to 5%, five repeats decide a gain of exactly 10% against a band that ends at 5.26% in about two of three experiments,
    /// because each of two steps has half of the 5%. Eight repeats that are compared round by round decide it in four of five.
    /// </summary>
    [Fact]
    public void Evaluate_MoreRequestUnitsThoughTheClientIsTheLimit_TakesEightRepeatsInWideNoise()
    {
        VerdictRates From(double gain) => VerdictRates.From(
            $"a gain of {gain} though the client is the limit, 8 repeats", new() { Kind = FindingKind.MoreRequestUnits },
            _ =>
            [
                Ladder.OfThroughput(10_000, 1_000, BoundBy.RequestUnits), Ladder.OfThroughput(20_000, 2_000, BoundBy.Client),
                Ladder.OfThroughput(40_000, 2_000 * gain, BoundBy.Client),
            ],
            repeats: 8);

        Assert.InRange(From(1.1).Refuted, MinDecided, 1);
        Assert.InRange(From(Equivalence.NegligibleFactor).Refuted, 0, MaxWrong);
    }

    /// <summary>A drift that both variants share does not count as noise, as long as it is known which runs are of one round.</summary>
    [Theory]
    [InlineData(null, FindingVerdict.Supported)]
    [InlineData(4, FindingVerdict.Inconclusive)]
    public void Evaluate_MoreRequestUnitsWithADrift_IsDecidedByRoundsWhereEachRunLeftFigures(int? runs, FindingVerdict expected)
    {
        var (below, above) = (
            Ladder.OfThroughput(10_000, 1_000, BoundBy.RequestUnits), Ladder.OfThroughput(12_000, 1_200, BoundBy.RequestUnits));
        double[] drift = [1, 2, 1.5];
        var variants = Truth.MeasureExactly([below, above], repeats: 3).Select(variant => new MeasuredVariant(
            variant.Name, variant.Spec, [.. variant.Repeats.Select((run, round) => run with { Rate = run.Rate * drift[round] })], runs));

        var finding = FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.MoreRequestUnits, Variants = ["t10000", "t12000"] }, [.. variants]);

        Assert.Equal((expected, expected == FindingVerdict.Supported), (finding.Verdict, finding.Interval95!.Value.Low > 1));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public void Evaluate_ScalabilityLaw_SeldomWrongAndDecidesTenPercent()
    {
        static VerdictRates From(string truth, ScalabilityLaw law) =>
            VerdictRates.From(truth, new() { Kind = FindingKind.ScalabilityLaw }, _ => Ladder.OfWorkers(law, 1, 2, 3, 4, 6, 8, 12, 16));
        static ScalabilityLaw WithEfficiency(double ofSixteen) => new(((1 / ofSixteen) - 1) / 15, 0, 1_000);

        var none = From("no contention", WithEfficiency(1));
        var edge = From("contention that costs 16 workers 5%", WithEfficiency(0.95));
        var tenth = From("contention that costs 16 workers 10%", WithEfficiency(0.9));
        var crosstalk = From("crosstalk with a peak at 14 workers", new ScalabilityLaw(0.02, 0.005, 1_000));

        Assert.InRange(none.Supported, 0, MaxWrong);
        Assert.InRange(edge.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Refuted, 0, MaxWrong);
        Assert.InRange(tenth.Supported, MinDecided, 1);
        Assert.InRange(crosstalk.Supported, MinDecided, 1);
    }
}
