namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class EquivalenceTests
{
    [Fact]
    public void NegligibleBand_EitherWay_IsFivePercent()
    {
        Assert.Equal(0.95, Equivalence.NegligibleBand.Low, 4);
        Assert.Equal(1.0526, Equivalence.NegligibleBand.High, 12);
    }

    [Theory]
    [InlineData(1.00, 0.02, true, false)]
    [InlineData(1.00, 0.03, false, false)]
    [InlineData(1.03, 0.005, true, false)]
    [InlineData(1.0526, 0.00001, false, false)]
    [InlineData(1.10, 0.015, false, true)]
    [InlineData(1.10, 0.02, false, false)]
    [InlineData(0.90, 0.02, false, true)]
    [InlineData(2.00, 0.0, false, true)]
    public void IsShownAndIsRefuted_IntervalAndBand_NeverBoth(double ratio, double error, bool shown, bool refuted)
    {
        Assert.Equal(shown, Equivalence.IsShown(Effect(ratio, error), Equivalence.NegligibleBand));
        Assert.Equal(refuted, Equivalence.IsRefuted(Effect(ratio, error), Equivalence.NegligibleBand));
    }

    [Fact]
    public void BandOf_NoFactor_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => Equivalence.BandOf(1));

    private static RatioEffect Effect(double ratio, double error) => new() { Ratio = ratio, StandardError = error, DegreesOfFreedom = 8 };
}
