using MathNet.Numerics.LinearAlgebra;
using ScaleOut.Tests.Analysis.Findings;

namespace ScaleOut.Tests.Analysis.Statistics;

/// <summary>How often the 95% intervals of a fit contain the truth, and how far its resamples spread.</summary>
public sealed class ScalabilityResamplingTests
{
    /// <summary>Seeded experiments, each with 5 repeats.</summary>
    private const int Experiments = 300;

    /// <summary>Noise of a rate, as a share of it.</summary>
    private const double Variation = 0.03;

    private static readonly ScalabilityLaw Truth = new(0.05, 0.002, 1_000);

    private static readonly int[] Workers = [1, 2, 3, 4, 6, 8, 12, 16];

    /// <summary>The estimate is biased on a constraint (no coherency cost), so the test asks for less there.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
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
            Count("X(16)", fit.IntervalOf(law => law.RateAt(16)).Contains(truth.RateAt(16)));
            Count("X(24)", fit.IntervalOf(law => law.RateAt(24)).Contains(truth.RateAt(24)));
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
        var held = 0;
        for (var seed = 1; seed <= Experiments; seed++)
        {
            var noise = new Noise(new Random(seed), 0.003, variants: 0);
            var ofLevels = new Noise(new Random(1_000 + seed), Variation, variants: 0);
            var fit = ScalabilityFit.From(workers.SelectMany(n =>
            {
                var level = ofLevels.Measure(Truth.RateAt(n));
                return Enumerable.Range(0, 5).Select(_ => new ScalabilityPoint(n, noise.Measure(level)));
            }));
            held += fit.IntervalOf(law => law.EfficiencyAt(16)).Contains(Truth.EfficiencyAt(16)) ? 1 : 0;
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{workers.Length} levels: {held / (double)Experiments:P0}");
        Assert.InRange(held / (double)Experiments, 0.93, 1);
    }

    /// <summary>
    /// Small noise spreads the parameters as the theory of linear least squares says: covariance = (noise of a rate, as a share)^2 x
    /// (J'J)^-1, where J has the derivatives of ln X at each measured rate. t / 1.959964 turns the normal distribution into Student's.
    /// </summary>
    /// <param name="scatter">Each rate of a pair is above and below its level by this share.</param>
    /// <param name="miss">Levels are above and below the law by this share, in turn.</param>
    /// <param name="students">Student's t of a printed table for the degrees of freedom: 8 of the repeats, or 5 of the levels.</param>
    [Theory]
    [InlineData(0.004, 0, 2.306004)]
    [InlineData(0.004, 0.001, 2.306004)]
    [InlineData(0.0005, 0.003, 2.570582)]
    [InlineData(0, 0, 2.306004)]
    public void Draw_SmallNoise_SpreadsAsLinearLeastSquares(double scatter, double miss, double students)
    {
        var points = Workers.SelectMany((n, i) =>
        {
            var rate = Truth.RateAt(n) * (1 + (i % 2 == 0 ? miss : -miss));
            return new[] { new ScalabilityPoint(n, rate * (1 + scatter)), new ScalabilityPoint(n, rate * (1 - scatter)) };
        }).ToList();
        AssertSpread(ScalabilityFit.From(points), NoiseOfPairs(scatter, miss, points), students);
    }

    /// <summary>Two levels have one rate each and one has six, so that the weights differ; their noise is that of the repeats.</summary>
    [Fact]
    public void Draw_UnequalRepeats_WeighsLevelsByTheirNumber()
    {
        const double Scatter = 0.004;
        var points = new[] { (1, 6), (2, 1), (4, 2), (8, 2), (12, 4), (16, 1) }.SelectMany(level => Enumerable.Range(0, level.Item2)
            .Select(i => new ScalabilityPoint(level.Item1, Truth.RateAt(level.Item1)
                * (level.Item2 == 1 ? 1 : i % 2 == 0 ? 1 + Scatter : 1 - Scatter)))).ToList();
        // 14 rates of the four levels with repeats have 10 degrees of freedom, and each is off by the scatter.
        AssertSpread(ScalabilityFit.From(points), Scatter * Math.Sqrt(14 / 10.0), 2.228139);
    }

    /// <summary>Without repeats the noise is the levels' distance from the law, with 3 degrees of freedom fewer than levels.</summary>
    [Fact]
    public void Draw_NoRepeats_TakesTheDistanceFromTheLaw()
    {
        var fit = ScalabilityFit.From(Workers.Select((n, i) =>
            new ScalabilityPoint(n, Truth.RateAt(n) * (i % 2 == 0 ? 1.004 : 0.996))));
        AssertSpread(fit, DistanceOf(fit, repeats: 1), 2.570582);
    }

    /// <summary>Rates that are known exactly count as known to 0.1%.</summary>
    [Fact]
    public void Draw_ExactRatesWithoutRepeats_SpreadsByATenthOfAPercent()
    {
        AssertSpread(
            ScalabilityFit.From(Workers.Select(n => new ScalabilityPoint(n, Truth.RateAt(n)))), 0.001, 2.570582);
    }

    /// <summary>Two rates that differ by a factor of 30 make noise that would carry many resampled rates below 0.</summary>
    [Fact]
    public void Draw_NoiseLargerThanTheRates_GivesLawsWithPositiveRates()
    {
        var fit = ScalabilityFit.From(new[] { 1, 2, 4, 8, 16 }.SelectMany(n =>
            new[] { new ScalabilityPoint(n, 10 * n), new ScalabilityPoint(n, 300 * n) }));
        Assert.All(fit.Resamples, law =>
        {
            Assert.True(law.Alpha >= 0 && law.Beta >= 0 && law.Gamma > 0, law.ToString());
            Assert.True(double.IsFinite(law.RateAt(16)) && law.RateAt(16) > 0, law.ToString());
        });
    }

    [Theory]
    [InlineData(1, 100)]
    [InlineData(8, 100)]
    [InlineData(33, 100)]
    [InlineData(40, 120)]
    public void From_Columns_HaveTheVarianceOneAndNoCorrelation(int columns, int rows)
    {
        var table = NoiseTable.From(columns);
        Assert.Equal((rows, columns), (table.Length, table[0].Length));
        for (var i = 0; i < columns; i++)
        {
            for (var j = 0; j <= i; j++)
                Assert.Equal(i == j ? 1 : 0, table.Average(row => row[i] * row[j]), 1e-9);
        }
    }

    private static double NoiseOfPairs(double scatter, double miss, List<ScalabilityPoint> points)
    {
        // A pair of logarithms, the scatter above and below their mean, has the variance 2 x scatter^2.
        var ofRepeats = Math.Max(scatter * Math.Sqrt(2), 0.001);
        return miss > scatter ? DistanceOf(ScalabilityFit.From(points), repeats: 2) : ofRepeats;
    }

    private static double DistanceOf(ScalabilityFit fit, int repeats)
    {
        var squares = fit.Points.GroupBy(point => point.Workers).Select(level => (Mean: level.Average(point => point.Rate), level.Key))
            .Select(level => repeats * Math.Pow((level.Mean - fit.Law!.RateAt(level.Key)) / level.Mean, 2)).ToList();
        return Math.Sqrt(squares.Sum() / (squares.Count - 3));
    }

    private static void AssertSpread(ScalabilityFit fit, double noise, double students)
    {
        var law = fit.Law!;
        var rows = fit.Points.Select(point => (double)point.Workers)
            .Select(n => new[] { 1 / law.Gamma, -(n - 1) * law.EfficiencyAt(n), -n * (n - 1) * law.EfficiencyAt(n) });
        var derivatives = Matrix<double>.Build.DenseOfRows(rows);
        var covariance = derivatives.TransposeThisAndMultiply(derivatives).Inverse() * Math.Pow(noise * students / 1.959964, 2);
        Func<ScalabilityLaw, double>[] parameters = [any => any.Gamma, any => any.Alpha, any => any.Beta];
        for (var i = 0; i < parameters.Length; i++)
        {
            var spread = Math.Sqrt(fit.Resamples.Average(any => Math.Pow(parameters[i](any) - parameters[i](law), 2)));
            Assert.Equal(1, spread / Math.Sqrt(covariance[i, i]), 0.02);
            Assert.Equal(0, (fit.Resamples.Average(parameters[i]) - parameters[i](law)) / spread, 0.02);
        }
    }

    private static ScalabilityFit Fit(ScalabilityLaw truth, int seed)
    {
        var noise = new Noise(new Random(seed), Variation, variants: 0);
        return ScalabilityFit.From(
            Workers.SelectMany(n =>
                Enumerable.Range(0, 5).Select(_ => new ScalabilityPoint(n, noise.Measure(truth.RateAt(n))))));
    }
}
