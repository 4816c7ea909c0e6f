using ScaleOut.Tests.Analysis.Findings;

namespace ScaleOut.Tests.Analysis.Statistics;

/// <summary>How often the 95% intervals of a fit hold the truth, over 300 seeded experiments with 5 repeats and 3% noise.</summary>
public sealed class ScalabilityResamplingTests
{
    private const int Experiments = 300;
    private const double Variation = 0.03;

    /// <summary>The estimate is biased on a constraint (no coherency cost), so the test asks for less there.</summary>
    [Theory]
    [InlineData(0.05, 0.002, 0.93)]
    [InlineData(0.02, 0.01, 0.93)]
    [InlineData(0.05, 0, 0.85)]
    public void From_RepeatedRates_IntervalsHoldTheTruth(double alpha, double beta, double least)
    {
        var truth = new ScalabilityLaw(alpha, beta, 1_000);
        var held = new Dictionary<string, int> { ["alpha"] = 0, ["beta"] = 0, ["gamma"] = 0, ["peak"] = 0, ["X(16)"] = 0, ["X(24)"] = 0 };
        for (var seed = 1; seed <= Experiments; seed++)
        {
            var fit = Fit(truth, seed);
            void Count(string name, bool holds) => held[name] += holds ? 1 : 0;
            Count("alpha", fit.Alpha95!.Value.Contains(alpha));
            Count("beta", fit.Beta95!.Value.Contains(beta));
            Count("gamma", fit.Gamma95!.Value.Contains(truth.Gamma));
            var peak = truth.PeakWorkers ?? double.PositiveInfinity;
            Count("peak", (fit.Peak95!.Low ?? double.PositiveInfinity) <= peak && (fit.Peak95.High ?? double.PositiveInfinity) >= peak);
            Count("X(16)", fit.Predict(16)!.Interval95.Contains(truth.RateAt(16)));
            Count("X(24)", fit.Predict(24)!.Interval95.Contains(truth.RateAt(24)));
        }

        var shares = held.ToDictionary(pair => pair.Key, pair => pair.Value / (double)Experiments);
        var shown = shares.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key} {pair.Value:P0}"));
        TestContext.Current.TestOutputHelper?.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"alpha {alpha}, beta {beta}: {string.Join(", ", shown)}"));
        Assert.All(shares, pair => Assert.InRange(pair.Value, least, 1));
    }

    /// <summary>All repeats of a number of workers miss the law by the same amount, so they do not show how large that amount is.</summary>
    [Theory]
    [InlineData(new[] { 1, 2, 4, 8, 16 })]
    [InlineData(new[] { 1, 2, 3, 4, 6, 8, 12, 16 })]
    public void From_RatesThatMissTheLaw_IntervalsHoldTheTruth(int[] workers)
    {
        var truth = new ScalabilityLaw(0.05, 0.002, 1_000);
        var held = 0;
        for (var seed = 1; seed <= Experiments; seed++)
        {
            var noise = new Noise(new Random(seed), 0.003, variants: 0);
            var ofLevels = new Noise(new Random(1_000 + seed), Variation, variants: 0);
            var fit = ScalabilityFit.From(workers.SelectMany(n =>
            {
                var level = ofLevels.Measure(truth.RateAt(n));
                return Enumerable.Range(0, 5).Select(_ => new ScalabilityPoint(n, noise.Measure(level)));
            }));
            held += fit.IntervalOf(law => law.EfficiencyAt(16)).Contains(truth.EfficiencyAt(16)) ? 1 : 0;
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{workers.Length} levels: {held / (double)Experiments:P0}");
        Assert.InRange(held / (double)Experiments, 0.93, 1);
    }

    private static ScalabilityFit Fit(ScalabilityLaw truth, int seed)
    {
        var noise = new Noise(new Random(seed), Variation, variants: 0);
        return ScalabilityFit.From(
            new[] { 1, 2, 3, 4, 6, 8, 12, 16 }.SelectMany(n =>
                Enumerable.Range(0, 5).Select(_ => new ScalabilityPoint(n, noise.Measure(truth.RateAt(n))))));
    }
}
