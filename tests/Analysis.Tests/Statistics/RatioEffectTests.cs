using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class RatioEffectTests
{
    /// <summary>Five values whose logarithms are spread evenly: variance 2.5 x step^2.</summary>
    private static double[] Five(double center, double step) => [.. Enumerable.Range(-2, 5).Select(i => center * Math.Exp(i * step))];

    [Fact]
    public void At_EqualVariances_IsStudentsIntervalWithEightDegreesOfFreedom()
    {
        var effect = RatioEffect.From(Five(150, 0.01), Five(100, 0.01))!;
        Assert.Equal(1.5, effect.Ratio, 12);
        Assert.Equal(0.01, effect.StandardError, 12);
        Assert.Equal(8, effect.DegreesOfFreedom, 9);
        // Quantiles of Student's t with 8 degrees of freedom: 2.306004 (97.5%) and 1.859548 (95%).
        Assert.Equal(1.5 * Math.Exp(0.02306004), effect.At().High, 7);
        Assert.Equal(1.5 * Math.Exp(-0.02306004), effect.At().Low, 7);
        Assert.Equal(1.5 * Math.Exp(0.01859548), effect.At(0.90).High, 7);
    }

    [Fact]
    public void At_OneSideDoesNotVary_HasTheOthersDegreesOfFreedom()
    {
        var effect = RatioEffect.From([200, 200, 200], Five(100, 0.02))!;
        // Equal values are known to a tenth of a percent at best, which adds a little.
        Assert.InRange(effect.DegreesOfFreedom, 4, 4.02);
        // 97.5% quantile with 4 degrees of freedom: 2.776445; the standard error is sqrt(2.5 x 0.02^2 / 5).
        Assert.Equal(2 * Math.Exp(2.776445 * 0.02 * Math.Sqrt(0.5)), effect.At().High, 2e-4);
    }

    [Fact]
    public void DegreesOfFreedom_UnequalVariances_FollowWelchAndSatterthwaite()
    {
        // (a + b)^2 / (a^2 / 4 + b^2 / 4) with a = 4 b: 25 x 4 / 17.
        Assert.Equal(100.0 / 17, RatioEffect.From(Five(1, 0.02), Five(1, 0.01))!.DegreesOfFreedom, 9);
    }

    /// <summary>What changes both values of a pair cancels out: the ratios have the logarithms ln 2 - 0.02 to ln 2 + 0.02.</summary>
    [Fact]
    public void FromPairs_PairsOfDriftingRuns_IsStudentsIntervalOfTheirRatios()
    {
        double[] drifting = [100, 130, 90, 200, 160];
        var effect = RatioEffect.FromPairs([.. drifting.Zip(Five(2, 0.01), (value, ratio) => value * ratio)], drifting)!;
        Assert.Equal(2, effect.Ratio, 12);
        Assert.Equal(0.01 * Math.Sqrt(2.5 / 5), effect.StandardError, 12);
        Assert.Equal(4, effect.DegreesOfFreedom);
        Assert.Null(RatioEffect.FromPairs([1], [1]));
    }

    /// <summary>The ratios are 2 and 4: the standard error of the mean of their logarithms is ln 2 / 2.</summary>
    [Fact]
    public void FromPairs_TwoPairs_HasOneDegreeOfFreedom()
    {
        var effect = RatioEffect.FromPairs([2, 8], [1, 2])!;
        Assert.Equal(Math.Sqrt(8), effect.Ratio, 12);
        Assert.Equal(Math.Log(2) / 2, effect.StandardError, 12);
        Assert.Equal(1, effect.DegreesOfFreedom);
    }

    /// <summary>The variance of each mean is 2.5 x 0.01^2 / 5, times 4 and times 9.</summary>
    [Fact]
    public void From_CorrelatedValues_HasTheInflatedVariances()
    {
        var effect = RatioEffect.From(LogSample.From(Five(3, 0.01)), LogSample.From(Five(2, 0.01)), 4, 9);
        Assert.Equal(1.5, effect.Ratio, 12);
        Assert.Equal(Math.Sqrt(0.00005 * (4 + 9)), effect.StandardError, 12);
        Assert.Equal(13.0 * 13 / ((16 + 81) / 4.0), effect.DegreesOfFreedom, 9);
        Assert.Equal(4.5, effect.Times(3).Ratio, 12);
        Assert.Equal(effect.StandardError, effect.Times(3).StandardError, 12);
    }

    /// <summary>Charges can be the same in every repeat; that does not make them known beyond their last digit.</summary>
    [Fact]
    public void From_NothingVaries_IsKnownToATenthOfAPercentAtBest()
    {
        var effect = RatioEffect.From([29, 29, 29], [3.4, 3.4, 3.4])!;
        // 97.5% quantile of Student's t with 4 degrees of freedom: 2.776445; the standard error is 0.001 x sqrt(2 / 3).
        var reach = Math.Exp(2.776445 * 0.001 * Math.Sqrt(2.0 / 3));
        Assert.Equal(29 / 3.4, effect.Ratio, 12);
        Assert.Equal(29 / 3.4 * reach, effect.At().High, 6);
        Assert.Equal(29 / 3.4 / reach, effect.At().Low, 6);
    }

    [Fact]
    public void From_SingleValue_IsNull()
    {
        Assert.Null(RatioEffect.From([1], [1, 2]));
        Assert.Null(RatioEffect.From([1, 2], []));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void From_ValueWithoutLogarithm_Throws(double value) => Assert.StartsWith(
        "a ratio needs values above 0",
        Assert.Throws<ArgumentOutOfRangeException>(() => RatioEffect.From([1, value], [1, 2])).Message,
        StringComparison.Ordinal);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-0.5)]
    public void At_NoConfidence_Throws(double confidence) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => RatioEffect.From(Five(1, 0.1), Five(1, 0.1))!.At(confidence));

    [Fact]
    public void From_RandomSamples_SwapsScalesAndNests() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            double[] Sample() => [.. Enumerable.Range(0, random.Next(2, 8)).Select(_ => Math.Exp((random.NextDouble() - 0.5) * 2))];
            var (first, second) = (Sample(), Sample());
            var effect = RatioEffect.From(first, second)!;
            var swapped = RatioEffect.From(second, first)!.At().Inverse();
            var scaled = RatioEffect.From([.. first.Select(value => value * 7)], second)!;
            Assert.Equal(effect.At().Low, swapped.Low, 1e-9 * effect.At().Low);
            Assert.Equal(effect.At().High * 7, scaled.At().High, 1e-9 * scaled.At().High);
            Assert.True(effect.At(0.90).LiesWithin(effect.At()));
            Assert.True(effect.At().Contains(effect.Ratio));
            Assert.InRange(effect.DegreesOfFreedom, Math.Min(first.Length, second.Length) - 1.0001, first.Length + second.Length - 1.9999);
        }));
}
