namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class IntervalTests
{
    private static readonly Interval Range = new(2, 8);

    [Fact]
    public void Contains_EndsAndWhatLiesBetween_AreIn()
    {
        Assert.All([2, 5, 8], value => Assert.True(Range.Contains(value)));
        Assert.All([1.999, 8.001], value => Assert.False(Range.Contains(value)));
    }

    [Fact]
    public void LiesAboveAndLiesBelow_AnEnd_AreFalse()
    {
        Assert.Equal((true, false), (Range.LiesAbove(1.999), Range.LiesAbove(2)));
        Assert.Equal((true, false), (Range.LiesBelow(8.001), Range.LiesBelow(8)));
    }

    [Fact]
    public void LiesWithin_CommonEnds_AreWithin()
    {
        Assert.All([Range, new(1.9, 8), new(2, 8.1)], other => Assert.True(Range.LiesWithin(other)));
        Assert.All([new Interval(2.1, 9), new(1, 7.9)], other => Assert.False(Range.LiesWithin(other)));
    }

    [Fact]
    public void TimesAndInverse_PositiveEnds_AreThoseOfTheValues()
    {
        Assert.Equal(new Interval(6, 24), Range.Times(3));
        Assert.Equal(new Interval(0.125, 0.5), Range.Inverse());
    }

    /// <summary>An interval of a positive value is too wide if its ends differ by more than a factor of 10.</summary>
    [Theory]
    [InlineData(1, 10, false)]
    [InlineData(1, 10.001, true)]
    [InlineData(5, 40, false)]
    [InlineData(0, 1, true)]
    [InlineData(0, 0, false)]
    [InlineData(-1, 100, false)]
    public void IsTooWide_AnyEnds_IsByTheirRatio(double low, double high, bool expected) =>
        Assert.Equal(expected, new Interval(low, high).IsTooWide);
}
