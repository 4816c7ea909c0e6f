using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class ScalabilityFitTests
{
    private static readonly int[] Workers216 = [1, 18, 36, 72, 108, 144, 216];
    private static readonly double[] Rates216 = [64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2];

    /// <summary>The published parameters follow when every rate is taken to be off by the same number of documents.</summary>
    [Fact]
    public void Solve_BenchmarkOfA216WayMachine_GivesThePublishedParameters()
    {
        var law = ScalabilitySolver.Solve([.. Workers216.Zip(Rates216, (n, rate) => new ScalabilityLevel(n, rate, 1))]);
        Assert.Equal(0.0277285, law.Alpha, 7);
        Assert.Equal(0.0001044, law.Beta, 7);
        Assert.Equal(89.995233, law.Gamma, 6);
        Assert.Equal(96.52, law.PeakWorkers!.Value, 2);
    }

    [Fact]
    public void From_BenchmarkOfA216WayMachine_HoldsItsParametersInTheIntervals()
    {
        var fit = Fit(Workers216, Rates216);
        Assert.True(fit.Alpha95!.Value.Contains(fit.Law!.Alpha));
        Assert.True(fit.Gamma95!.Value.Contains(fit.Law.Gamma));
        Assert.InRange(fit.Law.PeakWorkers!.Value, fit.Peak95!.Low!.Value, fit.Peak95.High!.Value);
        Assert.InRange(fit.RSquared!.Value, 0.9, 1);
    }

    /// <summary>Noisy proportional rates fit a law that ends somewhere beyond 10,000 workers. That end is not shown.</summary>
    [Fact]
    public void From_RatesInProportionButForNoise_ShowsNeitherPeakNorLimit()
    {
        var fit = Fit([1, 1, 2, 2, 4, 4, 6, 6, 8, 8], [10, 10.1, 20.1, 19.9, 39.8, 40.2, 60, 60.1, 79.8, 80.2]);
        Assert.True(fit.Law!.Limit > 0);
        Assert.Equal((null, null), (fit.ShownPeak, fit.ShownLimit));
        Assert.NotNull(Fit(Workers216, Rates216).ShownPeak);
    }

    /// <summary>The last rates are 1% below proportion, less than the repeats scatter. So the law has a peak that does not show.</summary>
    [Fact]
    public void From_RatesThatFallLessThanTheyScatter_FitsAPeakButShowsNone()
    {
        var fit = Fit([1, 1, 2, 2, 4, 4, 6, 6, 8, 8], [10.2, 9.8, 20.4, 19.6, 40.8, 39.2, 61.2, 58.8, 80.8, 77.6]);
        Assert.NotNull(fit.Law!.PeakWorkers);
        Assert.Equal((null, null), (fit.Peak95!.High, fit.ShownPeak));
    }

    /// <summary>
    /// A rate's noise is a share of the rate: 5% of one worker's rate weigh as much as 5% of 216 workers'. The expected figures come from
    /// another least-squares solution of (rate - law) / rate.
    /// </summary>
    [Fact]
    public void From_Rates_WeighsEachDeviationAsAShareOfItsRate()
    {
        var law = Fit(Workers216, Rates216).Law!;
        Assert.Equal(0.0135152, law.Alpha, 7);
        Assert.Equal(0.00011509, law.Beta, 8);
        Assert.Equal(67.70899, law.Gamma, 5);
    }

    [Fact]
    public void From_RatesOfEqualContentionAndCoherency_GivesTheirParameters()
    {
        var law = Fit([1, 2, 4, 6, 8, 10], [1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557]).Law!;
        Assert.Equal(0.02, law.Alpha, 4);
        Assert.Equal(0.02, law.Beta, 4);
        Assert.Equal(1, law.Gamma, 4);
    }

    [Fact]
    public void From_FourUsableLevels_SaysWhyThereIsNoFit()
    {
        ScalabilityPoint[] points =
        [
            new(1, 10), new(2, 20), new(3, 30), new(4, 40), new(4, 41), new(6, 50, "bound by request units"),
            new(8, 50, "bound by request units"), new(12, 60, "bound by the shared machine"),
        ];
        var fit = ScalabilityFit.From(points);
        Assert.Null(fit.Law);
        Assert.Equal(
            "the fit needs 5 different numbers of workers, 4 can be used; left out: 6, 8 (bound by request units); 12 (bound by the shared "
                + "machine)",
            fit.Reason);
        Assert.Null(fit.Law);
        Assert.Equal(8, fit.Points.Count);
    }

    [Fact]
    public void From_PointLeftOut_DoesNotChangeTheLaw()
    {
        int[] workers = [1, 2, 3, 4, 6, 8];
        double[] rates = [100, 195, 285, 370, 520, 650];
        var plain = Fit(workers, rates);
        var flagged = ScalabilityFit.From([.. plain.Points, new ScalabilityPoint(16, 651, "bound by request units")]);
        Assert.Equal(plain.Law, flagged.Law);
        Assert.Equal(8, flagged.MaxWorkers);
    }

    [Fact]
    public void From_ExactRatesOfARandomLaw_FindsItAgain() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            double Parameter(double largest) => random.Next(4) == 0 ? 0 : random.NextDouble() * largest;
            var law = new ScalabilityLaw(Parameter(0.4), Parameter(0.01), Math.Exp(random.NextDouble() * 10));
            var found = ScalabilityFit.From(new[] { 1, 2, 3, 4, 6, 8, 12, 16 }.Select(n => new ScalabilityPoint(n, law.RateAt(n)))).Law!;
            Assert.Equal(law.Gamma, found.Gamma, law.Gamma * 1e-6);
            Assert.Equal(law.Alpha, found.Alpha, 1e-6);
            Assert.Equal(law.Beta, found.Beta, 1e-7);
        }));

    [Fact]
    public void From_NoisyRates_KeepsTheConstraintsAndNoNeighbourIsBetter() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var truth = new ScalabilityLaw(random.NextDouble() * 0.1, random.NextDouble() * 0.002, 1_000);
            var levels = new[] { 1, 2, 4, 8, 16, 32 }.Select(n =>
                new ScalabilityLevel(n, truth.RateAt(n) * (0.8 + (0.4 * random.NextDouble())), 1)).ToArray();
            var law = ScalabilitySolver.Solve(levels);
            Assert.True(law.Alpha >= 0 && law.Beta >= 0 && law.Gamma > 0);
            var error = ScalabilitySolver.ErrorOf(levels, law);
            for (var i = 0; i < 200; i++)
            {
                double Near(double value, double scale) => Math.Max(0, value + ((random.NextDouble() - 0.5) * scale));
                var reach = Math.Pow(10, -random.Next(0, 4));
                var other = new ScalabilityLaw(
                    Near(law.Alpha, 0.2 * reach), Near(law.Beta, 0.01 * reach), law.Gamma * (1 + ((random.NextDouble() - 0.5) * reach)));
                Assert.True(ScalabilitySolver.ErrorOf(levels, other) >= error * (1 - 1e-9), $"{other} is better than {law}");
            }
        }));

    [Fact]
    public void From_LinearRates_HasNoPeak()
    {
        var fit = Fit([1, 2, 3, 4, 6, 8], [100, 200, 300, 400, 600, 800]);
        Assert.Equal((0, 0), (fit.Law!.Alpha, fit.Law.Beta));
        // Rates without noise are known to a tenth of a percent each: enough for a peak far beyond, not for one that is near.
        Assert.Null(fit.Peak95!.High);
        Assert.True(fit.Peak95.Low is null or > 8, fit.Peak95.ToString());
        Assert.Equal(1_600, fit.Law!.RateAt(16), 6);
    }

    [Fact]
    public void From_SamePoints_GivesTheSameIntervalsAlsoReadBackFromJson()
    {
        var fit = Fit([1, 2, 3, 4, 6, 8], [100, 190, 290, 370, 520, 640]);
        var read = JsonSerializer.Deserialize<ScalabilityFit>(JsonSerializer.Serialize(fit, ScaleOutJson.Compact), ScaleOutJson.Compact)!;
        Assert.Equal(
            (fit.IntervalOf(law => law.RateAt(12)), fit.Alpha95, fit.Peak95),
            (read.IntervalOf(law => law.RateAt(12)), read.Alpha95, read.Peak95));
    }

    /// <summary>
    /// Rates that are 0.5% above and below the law: 2 or 8 of each number of workers. Half an interval is t x sqrt(variance / repeats):
    /// the variances are as 2 to 8/7, and t is 2.446912 with 6 degrees of freedom and 2.018082 with 42, which makes 3.21.
    /// </summary>
    [Fact]
    public void From_FourTimesTheRepeats_HasIntervalsOfAThirdOfTheWidth()
    {
        var truth = new ScalabilityLaw(0.05, 0.002, 1_000);

        Assert.InRange(WidthOf(2) / WidthOf(8), 3, 3.4);

        double WidthOf(int repeats)
        {
            var gamma = ScalabilityFit.From(
                from workers in new[] { 1, 2, 3, 4, 6, 8 }
                from repeat in Enumerable.Range(0, repeats)
                select new ScalabilityPoint(workers, truth.RateAt(workers) * (repeat % 2 == 0 ? 0.995 : 1.005))).Gamma95!.Value;
            return gamma.High - gamma.Low;
        }
    }

    /// <summary>Contention of 10% without coherency cost: no peak, and no more than 10 times the rate of one worker.</summary>
    [Fact]
    public void From_RatesOfContentionAlone_ShowsTheLimitAndNoPeak()
    {
        var fit = InPairs(new ScalabilityLaw(0.1, 0, 1_000));
        Assert.Null(fit.ShownPeak);
        Assert.Equal(10_000, fit.ShownLimit!.Value, 100.0);
        Assert.Equal(fit.Law!.Limit, fit.ShownLimit);
    }

    [Fact]
    public void From_RatesWithAPeak_ShowsItAndItsRate()
    {
        var fit = InPairs(new ScalabilityLaw(0.02, 0.02, 1_000));
        Assert.Equal(7, fit.ShownPeak!.Value, 0.1);
        Assert.Equal(fit.Law!.RateAt(fit.ShownPeak.Value), fit.ShownLimit!.Value, 1e-6);
    }

    [Fact]
    public void From_NoUsablePoint_ShowsNothing()
    {
        var fit = ScalabilityFit.From([new(4, 100, "bound by request units"), new(4, 101, "bound by request units")]);
        Assert.Equal(
            "the fit needs 5 different numbers of workers, 0 can be used; left out: 4 (bound by request units)", fit.Reason);
        Assert.Equal((null, null, 0), (fit.ShownPeak, fit.ShownLimit, fit.MaxWorkers));
        Assert.Empty(fit.Resamples);
        Assert.Equal(fit.Reason, Assert.Throws<InvalidOperationException>(() => fit.IntervalOf(law => law.Gamma)).Message);
    }

    [Fact]
    public void From_FourLevels_DoesNotSpeakOfPointsLeftOut() => Assert.Equal(
        "the fit needs 5 different numbers of workers, 4 can be used", Fit([1, 2, 3, 4], [10, 20, 30, 40]).Reason);

    [Fact]
    public void From_PointsInAnyOrder_SortsThemByWorkers()
    {
        var fit = Fit([8, 1, 6, 2, 4, 3], [650, 100, 520, 195, 370, 285]);
        Assert.Equal([1, 2, 3, 4, 6, 8], fit.Points.Select(point => point.Workers));
        Assert.Equal(Fit([1, 2, 3, 4, 6, 8], [100, 195, 285, 370, 520, 650]).Law, fit.Law);
    }

    /// <summary>Each repeat counts, at its level's mean: 1 - (squares around the law / squares around the mean of all).</summary>
    [Fact]
    public void From_UnequalRepeats_RSquaredCountsEachRepeat()
    {
        int[] workers = [1, 1, 1, 1, 2, 4, 4, 8, 16, 16, 16];
        double[] rates = [95, 105, 98, 102, 210, 330, 350, 640, 800, 840, 850];
        var fit = Fit(workers, rates);
        var means = workers.Select(n => workers.Zip(rates).Where(pair => pair.First == n).Average(pair => pair.Second)).ToList();
        var around = means.Sum(mean => Math.Pow(mean - rates.Average(), 2));
        var missed = means.Zip(workers).Sum(pair => Math.Pow(pair.First - fit.Law!.RateAt(pair.Second), 2));
        Assert.Equal(1 - (missed / around), fit.RSquared!.Value, 1e-12);
    }

    [Fact]
    public void From_EqualRates_ExplainsNothing() => Assert.Equal(0, Fit([1, 2, 3, 4, 6], [100, 100, 100, 100, 100]).RSquared);

    /// <summary>Twelve rates of six levels leave 6 degrees of freedom to the repeats; the quantiles are those of printed tables.</summary>
    [Theory]
    [InlineData(0.99, 3.707428 / 2.446912)]
    [InlineData(0.90, 1.943180 / 2.446912)]
    public void IntervalOf_AnotherConfidence_StretchesBothSidesAsStudentsT(double confidence, double stretch)
    {
        var fit = InPairs(new ScalabilityLaw(0.05, 0.002, 1_000));
        var (middle, at95, other) = (fit.Law!.Gamma, fit.Gamma95!.Value, fit.IntervalOf(law => law.Gamma, confidence));
        Assert.Equal(stretch, (other.High - middle) / (at95.High - middle), 1e-5);
        Assert.Equal(stretch, (middle - other.Low) / (middle - at95.Low), 1e-5);
    }

    /// <summary>2.5% of 200 are 5, but the ends are rounded outwards.</summary>
    [Fact]
    public void IntervalOf_Resamples_LeavesOutFourAtEachEnd()
    {
        var fit = InPairs(new ScalabilityLaw(0.05, 0.002, 1_000));
        Assert.Equal(200, fit.Resamples.Count);
        Assert.Same(fit.Resamples, fit.Resamples);
        Assert.Equal(4, fit.Resamples.Count(law => law.Alpha < fit.Alpha95!.Value.Low));
        Assert.Equal(4, fit.Resamples.Count(law => law.Alpha > fit.Alpha95!.Value.High));
        Assert.Contains(fit.Resamples, law => law.Alpha == fit.Alpha95!.Value.Low);
        Assert.Contains(fit.Resamples, law => law.Beta == fit.Beta95!.Value.High);
        Assert.Contains(fit.Resamples, law => law.PeakWorkers == fit.Peak95!.Low);
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(2, 0)]
    [InlineData(2, double.NaN)]
    public void From_ImpossiblePoint_Throws(int workers, double rate) => Assert.Contains(
        "a point needs a worker and a rate above 0",
        Assert.Throws<ArgumentOutOfRangeException>(() => ScalabilityFit.From([new ScalabilityPoint(workers, rate)])).Message,
        StringComparison.Ordinal);

    /// <summary>Two rates of each number of workers, 0.5% above and below the law.</summary>
    private static ScalabilityFit InPairs(ScalabilityLaw truth) => ScalabilityFit.From(
        from workers in new[] { 1, 2, 3, 4, 6, 8 }
        from factor in new[] { 0.995, 1.005 }
        select new ScalabilityPoint(workers, truth.RateAt(workers) * factor));

    private static ScalabilityFit Fit(int[] workers, double[] rates) =>
        ScalabilityFit.From(workers.Zip(rates, (n, rate) => new ScalabilityPoint(n, rate)));
}
