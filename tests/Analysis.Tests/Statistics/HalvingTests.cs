namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class HalvingTests
{
    [Theory]
    [InlineData(0, 1, 0.3)]
    [InlineData(1, 0, 0.3)]
    [InlineData(-4, 4, -3.7)]
    public void Find_BoundBetweenTwoValues_IsOnTheSideThatHolds(double low, double high, double bound)
    {
        bool Holds(double value) => low < high ? value <= bound : value >= bound;

        var found = Halving.Find(low, high, steps: 40, Holds);

        Assert.Equal(bound, found, 9);
        Assert.True(Holds(found));
    }

    [Fact]
    public void Find_NoSteps_IsTheValueThatHolds() => Assert.Equal(2, Halving.Find(2, 3, steps: 0, _ => true));
}
