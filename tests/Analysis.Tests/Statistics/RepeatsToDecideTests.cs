using ScaleOut.Tests.Analysis.Findings;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class RepeatsToDecideTests
{
    [Theory]
    // s = 0.05 a run, 10% against a band that ends at 5.26%: (t + 0.8416) x 0.05 x sqrt(2 / n) <= 0.0441, t at 95% one-sided with 2 (n - 1)
    // degrees of freedom.
    [InlineData(0.05, 5, 0.0441, 0.90, 17)]
    [InlineData(0.025, 5, 0.0441, 0.90, 5)]
    [InlineData(0.05, 3, 0.0953, 0.95, 6)]
    [InlineData(0.001, 3, 0.05, 0.95, 2)]
    public void From_NoiseAndDistance_IsTheNumberThatDecides(double noise, int repeats, double distance, double confidence, int expected) =>
        Assert.Equal(expected, RepeatsToDecide.From(Effect(noise, repeats), repeats, distance, confidence));

    [Theory]
    [InlineData(0.0)]
    [InlineData(0.001)]
    public void From_EffectOnTheLimit_IsNull(double distance) => Assert.Null(RepeatsToDecide.From(Effect(0.05, 5), 5, distance, 0.95));

    [Fact]
    public void From_SingleRepeat_Throws() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => RepeatsToDecide.From(Effect(0.05, 5), 1, 0.1, 0.95));

    [Fact]
    public void From_ThatManyRepeats_DecideFourOfFiveExperiments()
    {
        const double Noise = 0.04;
        var distance = Math.Log(1.1 / Equivalence.NegligibleFactor);
        var repeats = RepeatsToDecide.From(Effect(Noise, 5), 5, distance, RatioEffect.DefaultConfidence)!.Value;
        var random = new Random(7);
        var decided = Enumerable.Range(0, 2_000)
            .Count(_ => Equivalence.IsRefuted(RatioEffect.From(Sample(1.1), Sample(1))!, Equivalence.NegligibleBand));

        Assert.InRange(decided / 2_000.0, 0.77, 0.87);

        double[] Sample(double truth) => [.. Enumerable.Range(0, repeats)
            .Select(_ => truth * Math.Exp(Noise * MathNet.Numerics.Distributions.Normal.Sample(random, 0, 1)))];
    }

    private static RatioEffect Effect(double noise, int repeats) =>
        new() { Ratio = 1.1, StandardError = noise * Math.Sqrt(2.0 / repeats), DegreesOfFreedom = 2 * (repeats - 1) };
}
