namespace ScaleOut.Tests.Shared.Charges;

public sealed class SizeCurveTests
{
    private static readonly SizeCurve Curve = new([new(1_000, 1), new(8_000, 7)]);

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1_000, 1)]
    [InlineData(1_001, 7)]
    [InlineData(8_000, 7)]
    [InlineData(24_000, 21)]
    public void At_AnySize_IsTheNextRowUpOrInProportionBeyondTheTable(long bytes, double charge) =>
        Assert.Equal(charge, Curve.At(bytes).Value, precision: 9);
}
