namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class PeakSearchTests
{
    private static PeakLevel Level(double level, double rate, double spread) =>
        new(level, [.. Enumerable.Range(-2, 5).Select(i => rate * Math.Exp(i * spread))]);

    private static int IndexOf(double spread, params double[] rates) =>
        PeakSearch.Over([.. rates.Select((rate, i) => Level(i + 1, rate, spread))]).Index;

    [Theory]
    [InlineData(0.01, 2, 100.0, 150.0, 180.0, 170.0, 160.0)]
    [InlineData(0.01, 0, 100.0, 100.0, 100.0)]
    [InlineData(0.01, 0, 100.0, 90.0, 80.0)]
    [InlineData(0.01, 3, 100.0, 110.0, 120.0, 130.0)]
    [InlineData(0.10, 0, 100.0, 101.0, 102.0)]
    public void Over_Levels_StopsWhereNoStepIsShownToBeBetter(double spread, int peak, params double[] rates) =>
        Assert.Equal(peak, IndexOf(spread, rates));

    [Fact]
    public void Over_GainOfHalfAPercent_IsNoStepHoweverCertain()
    {
        Assert.Equal(0, IndexOf(0.00001, 1_000, 1_004.9));
        Assert.Equal(1, IndexOf(0.00001, 1_000, 1_005.1));
    }

    [Fact]
    public void Over_StepNotTaken_ComparesTheNextOneWithTheBestSoFar()
    {
        var search = PeakSearch.Over([Level(10, 100, 0.01), Level(20, 100.5, 0.01), Level(40, 120, 0.01)]);
        Assert.Equal([(10, 20, false), (10, 40, true)], search.Steps.Select(step => ((int)step.From, (int)step.To, step.Accepted)));
    }

    [Fact]
    public void Over_SingleMeasurements_TakesNoStep()
    {
        var search = PeakSearch.Over([new PeakLevel(1, [100]), new PeakLevel(2, [200])]);
        Assert.Equal(0, search.Index);
        var step = Assert.Single(search.Steps);
        Assert.Equal(2, step.Ratio, 12);
        Assert.Null(step.Interval95);
    }

    [Fact]
    public void Over_NoLevels_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => PeakSearch.Over([]));
}
