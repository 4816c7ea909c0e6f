namespace ScaleOut.Tests.Analysis.Comparisons;

public sealed class BatchMeansTests
{
    [Fact]
    public void From_NineSeconds_IsNull() => Assert.Null(BatchMeans.From([1, 2, 3, 4, 5, 6, 7, 8, 9]));

    [Fact]
    public void From_LongSeries_HasAtMostTwentyStretchesFromItsEnd()
    {
        var means = BatchMeans.From([.. Enumerable.Range(0, 101).Select(i => i % 2 == 0 ? 10.0 : 20.0)])!;
        Assert.Equal(6, means.SecondsPerBatch);
        Assert.Equal(16, means.Values.Count);
        Assert.All(means.Values, mean => Assert.Equal(15, mean));
    }

    [Fact]
    public void From_ConstantSeries_HasNoAutocorrelation()
    {
        var means = BatchMeans.From([.. Enumerable.Repeat(5.0, 40)])!;
        Assert.Equal((0, false), (means.Autocorrelation, means.Correlated));
    }

    [Fact]
    public void From_Drift_IsReported() => Assert.True(BatchMeans.From([.. Enumerable.Range(1, 200).Select(i => (double)i)])!.Correlated);

    [Theory]
    [InlineData(0.0)]
    [InlineData(0.5)]
    [InlineData(0.8)]
    public void From_CorrelatedSeconds_SeldomMakesTwoEqualRunsDiffer(double correlation)
    {
        var (wrong, naive) = (0, 0);
        const int Experiments = 1_000;
        for (var seed = 0; seed < Experiments; seed++)
        {
            var random = new Random(seed);
            var (a, b) = (Series(random, correlation), Series(random, correlation));
            wrong += BatchMeans.Ratio(BatchMeans.From(b)!, BatchMeans.From(a)!).At().Contains(1) ? 0 : 1;
            naive += RatioEffect.From(b, a)!.At().Contains(1) ? 0 : 1;
        }

        Assert.InRange(wrong, 0, Experiments * 0.06);
        if (correlation > 0.4)
            Assert.True(naive > 2 * wrong, $"single seconds {naive}, stretches {wrong}");
    }

    /// <summary>Two minutes around 1,000 per second, each second resembling the one before.</summary>
    private static List<double> Series(Random random, double correlation)
    {
        var values = new List<double>();
        var deviation = RunSample.Normal(random);
        for (var i = 0; i < 120; i++)
        {
            deviation = (correlation * deviation) + (Math.Sqrt(1 - (correlation * correlation)) * RunSample.Normal(random));
            values.Add(1_000 + (80 * deviation));
        }

        return values;
    }
}
