namespace ScaleOut.Tests.Shared.Charges;

public sealed class SizeCurveTests
{
    /// <summary>From 1,000 to 8,000 bytes the size doubles three times, and the charge grows by 6 RU.</summary>
    private static readonly SizeCurve Curve = new([new(1_000, 1), new(8_000, 7)]);

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1_000, 1)]
    [InlineData(1_001, 7)]
    [InlineData(8_000, 7)]
    [InlineData(24_000, 21)]
    public void At_AnySize_IsTheNextPointUpOrInProportionBeyondTheTable(long bytes, double charge) =>
        Assert.Equal(charge, Curve.At(bytes), precision: 9);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(500, 0.5)]
    [InlineData(1_000, 1)]
    [InlineData(2_000, 3)]
    [InlineData(4_000, 5)]
    [InlineData(8_000, 7)]
    [InlineData(24_000, 21)]
    public void Smooth_AnySize_IsLinearInTheLogarithm(long bytes, double charge) => Assert.Equal(charge, Curve.Smooth(bytes), precision: 9);
}
