using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Analysis.Charts;

namespace ScaleOut.Tests.Analysis.Reports.Svg;

public sealed class TicksTests
{
    [Theory]
    [InlineData(6_270, new[] { 0.0, 2_000, 4_000, 6_000, 8_000 })]
    [InlineData(1_000, new[] { 0.0, 200, 400, 600, 800, 1_000 })]
    [InlineData(0.3, new[] { 0, 0.1, 0.2, 0.3 })]
    [InlineData(0, new[] { 0.0, 1 })]
    [InlineData(double.NaN, new[] { 0.0, 1 })]
    public void Linear_Largest_GivesRoundStepsThatReachIt(double max, double[] ticks) => Assert.Equal(ticks, Ticks.Linear(max, most: 5));

    [Fact]
    public void Linear_AnyLargest_EnclosesItInFewSteps() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).Select(i => i / 1_000.0).ToArbitrary(),
        max => Ticks.Linear(max, most: 5) is var ticks && ticks[^1] >= max * 0.999_999 && ticks.Count <= 6 && ticks[^2] < max));

    [Theory]
    [InlineData(7.3, 24.9, new[] { 5.0, 10, 20, 50 })]
    [InlineData(10, 10, new[] { 10.0, 20 })]
    [InlineData(0.5, 900, new[] { 0.1, 1, 10, 100, 1_000 })]
    public void Log_Values_AreEnclosedByRoundOnes(double min, double max, double[] ticks) => Assert.Equal(ticks, Ticks.Log(min, max));

    [Theory]
    [InlineData(180, 8, new[] { 0, 30, 60, 90, 120, 150, 180 })]
    [InlineData(3, 10, new[] { 0, 1, 2, 3 })]
    [InlineData(0, 10, new[] { 0 })]
    public void Time_Seconds_UsesStepsThatPeopleCountIn(int seconds, int most, int[] ticks) =>
        Assert.Equal(ticks, Ticks.Time(seconds, most));

    [Fact]
    public void Time_AnyLength_StaysFew() => Properties.Holds(Prop.ForAll(
        Gen.Choose(0, 10_000_000).ToArbitrary(),
        seconds => Ticks.Time(seconds, most: 8) is { Count: <= 17 } ticks && ticks[^1] <= seconds));
}
