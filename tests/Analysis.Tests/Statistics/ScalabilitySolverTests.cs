using FsCheck;
using FsCheck.Fluent;
using MathNet.Numerics.LinearAlgebra;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class ScalabilitySolverTests
{
    /// <summary>At a minimum inside the constraints the residuals are orthogonal to the derivative by each parameter.</summary>
    [Fact]
    public void Solve_NoisyRatesInsideTheConstraints_LeavesNoSlope() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var truth = new ScalabilityLaw(0.05 + (random.NextDouble() * 0.1), 0.002 + (random.NextDouble() * 0.005), 1_000);
            var levels = new[] { 1, 2, 4, 8, 16, 32 }.Select(n => new ScalabilityLevel(
                n, truth.RateAt(n) * (0.97 + (0.06 * random.NextDouble())), 1 + random.Next(5))).ToArray();
            var law = ScalabilitySolver.Solve(levels);
            if (law.Alpha == 0 || law.Beta == 0)
                return;
            foreach (var derivative in Derivatives(law))
            {
                var (slope, residuals, derivatives) = (0.0, 0.0, 0.0);
                foreach (var level in levels)
                {
                    var (residual, part) = (level.Rate - law.RateAt(level.Workers), derivative(level.Workers));
                    slope += level.Weight * residual * part;
                    residuals += level.Weight * residual * residual;
                    derivatives += level.Weight * part * part;
                }

                Assert.InRange(Math.Abs(slope) / Math.Sqrt(residuals * derivatives), 0, 1e-7);
            }
        }));

    /// <summary>No law of a fine grid of alphas and betas is better. The rates of some rows ask for a negative alpha or beta.</summary>
    [Theory]
    [InlineData(new[] { 100.0, 205, 420, 860, 1_790 })]
    [InlineData(new[] { 100.0, 199, 390, 700, 900 })]
    [InlineData(new[] { 100.0, 160, 230, 300, 345 })]
    // Workers that first help each other: contention alone would be negative, coherency alone is not.
    [InlineData(new[] { 100.0, 222.2, 470.6, 941.2, 1_684.2 })]
    public void Solve_RatesBeyondAConstraint_GivesTheBestLawOfAGrid(double[] rates)
    {
        double[] workers = [1, 2, 4, 8, 16];
        ScalabilityLevel[] levels = [.. workers.Zip(rates, (n, rate) => new ScalabilityLevel(n, rate, 1 / (rate * rate)))];
        var law = ScalabilitySolver.Solve(levels);
        Assert.True(law.Alpha >= 0 && law.Beta >= 0, law.ToString());
        var error = ScalabilitySolver.ErrorOf(levels, law);

        var least = double.PositiveInfinity;
        for (var alpha = 0.0; alpha <= 0.3; alpha += 0.001)
        {
            for (var beta = 0.0; beta <= 0.02; beta += 0.0001)
                least = Math.Min(least, ErrorOfBestGamma(alpha, beta));
        }

        Assert.InRange(error, 0, least * (1 + 1e-9));

        // Gamma is linear, so its best value follows from alpha and beta.
        double ErrorOfBestGamma(double alpha, double beta)
        {
            var shape = new ScalabilityLaw(alpha, beta, 1);
            var (above, below) = (0.0, 0.0);
            foreach (var level in levels)
            {
                above += level.Weight * level.Rate * shape.RateAt(level.Workers);
                below += level.Weight * shape.RateAt(level.Workers) * shape.RateAt(level.Workers);
            }

            return levels.Sum(level => level.Weight * Math.Pow(level.Rate - (above / below * shape.RateAt(level.Workers)), 2));
        }
    }

    [Fact]
    public void Solve_WeightOfOneLevel_PullsTheLawToIt()
    {
        Assert.InRange(MissOf(weight: 1), 5, 50);
        Assert.InRange(MissOf(weight: 1e6), 0, 0.01);

        static double MissOf(double weight)
        {
            ScalabilityLevel[] levels =
            [
                new(1, 100, 1), new(2, 195, 1), new(4, 330, weight), new(8, 660, 1), new(16, 1_050, 1), new(32, 1_300, 1),
            ];
            return Math.Abs(ScalabilitySolver.Solve(levels).RateAt(4) - 330);
        }
    }

    /// <summary>Rates of the law are 100 and 800 / 8. Those that were measured are 10 above and 20 below.</summary>
    [Fact]
    public void ErrorOf_Law_IsTheSumOfTheWeightedSquares() =>
        Assert.Equal((2 * 10 * 10) + (3 * 20 * 20), ScalabilitySolver.ErrorOf([new(1, 110, 2), new(8, 80, 3)], new(1, 0, 100)), 9);

    [Theory]
    [InlineData(-1.0 / 7, 0)]
    [InlineData(-0.2, 0)]
    [InlineData(0.1, -0.1)]
    public void ErrorOf_LawWithoutAPositiveRate_IsInfinite(double alpha, double beta) =>
        Assert.Equal(double.PositiveInfinity, ScalabilitySolver.ErrorOf([new(1, 110, 2), new(8, 80, 3)], new(alpha, beta, 100)));

    /// <summary>Held against the same equations as matrices. Marquardt's damping raises the diagonal by a share of itself.</summary>
    [Theory]
    [InlineData(true, true, 0)]
    [InlineData(true, true, 0.3)]
    [InlineData(true, false, 0)]
    [InlineData(true, false, 0.3)]
    [InlineData(false, true, 0)]
    [InlineData(false, true, 2)]
    [InlineData(false, false, 0)]
    [InlineData(false, false, 0.5)]
    public void Solve_NormalEquations_GivesTheSolutionOfTheirMatrix(bool withAlpha, bool withBeta, double damping)
    {
        double[][] rows = [[1, 0.5, 2, 3], [2, 3, -1, 7], [0.5, 1, 4, -2], [1, -2, 0.3, 5], [3, 1, 1, 40]];
        double[] values = [3, -1, 4, 1, 5];
        var equations = new NormalEquations();
        for (var i = 0; i < rows.Length; i++)
            equations.Add(rows[i][0], values[i], rows[i][1], rows[i][2], rows[i][3]);

        List<int> columns = [1, .. withAlpha ? [2] : (int[])[], .. withBeta ? [3] : (int[])[]];
        var design = Matrix<double>.Build.Dense(rows.Length, columns.Count, (i, j) => Math.Sqrt(rows[i][0]) * rows[i][columns[j]]);
        var weighted = Vector<double>.Build.Dense(rows.Length, i => Math.Sqrt(rows[i][0]) * values[i]);
        var matrix = design.TransposeThisAndMultiply(design);
        matrix += damping * Matrix<double>.Build.DiagonalOfDiagonalVector(matrix.Diagonal());
        var expected = matrix.Solve(design.TransposeThisAndMultiply(weighted));

        var (gamma, alpha, beta) = equations.Solve(
            (withAlpha ? FreeParameters.Alpha : 0) | (withBeta ? FreeParameters.Beta : 0), damping);

        Assert.Equal(expected[0], gamma, 1e-12);
        Assert.Equal(withAlpha ? expected[1] : 0, alpha, 1e-12);
        Assert.Equal(withBeta ? expected[^1] : 0, beta, 1e-12);
    }

    private static Func<double, double>[] Derivatives(ScalabilityLaw law) =>
    [
        workers => law.RateAt(workers) / law.Gamma,
        workers => -law.RateAt(workers) * law.EfficiencyAt(workers) * (workers - 1),
        workers => -law.RateAt(workers) * law.EfficiencyAt(workers) * workers * (workers - 1),
    ];
}
