namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class CorrelatedMeanTests
{
    [Fact]
    public void From_NoCorrelation_IsAMeanOfIndependentRuns()
    {
        var (factor, freedom) = CorrelatedMean.From(7, 0);
        Assert.Equal(1, factor, 12);
        Assert.Equal(6, freedom, 12);
    }

    /// <summary>
    /// Two runs with a correlation of one half: the variance of their mean is 3/4 of a run's. The variance of the sample is expected to be
    /// 1/2, and half of that is 1/4.
    /// </summary>
    [Fact]
    public void From_TwoCorrelatedRuns_IsTheRatioOfTheirVariances()
    {
        var (factor, freedom) = CorrelatedMean.From(2, 0.5);
        Assert.Equal(3, factor, 12);
        Assert.Equal(1, freedom, 12);
    }

    /// <summary>The variances of 40,000 seeded series of five runs each.</summary>
    [Fact]
    public void From_FiveCorrelatedRuns_IsWhatSeriesOfSuchRunsShow()
    {
        const int Count = 5;
        const int Series = 40_000;
        const double Correlation = 0.5;
        var random = new Random(11);
        double Draw() => MathNet.Numerics.Distributions.Normal.Sample(random, 0, 1);
        double ofMeans = 0, ofSamples = 0, squares = 0;
        for (var series = 0; series < Series; series++)
        {
            var runs = new double[Count];
            runs[0] = Draw();
            for (var i = 1; i < Count; i++)
                runs[i] = (Correlation * runs[i - 1]) + (Math.Sqrt(1 - (Correlation * Correlation)) * Draw());
            var mean = runs.Average();
            var variance = runs.Sum(run => (run - mean) * (run - mean)) / (Count - 1);
            (ofMeans, ofSamples, squares) = (ofMeans + (mean * mean), ofSamples + variance, squares + (variance * variance));
        }

        var (expected, spread) = (ofSamples / Series, (squares / Series) - Math.Pow(ofSamples / Series, 2));
        var (factor, freedom) = CorrelatedMean.From(Count, Correlation);
        Assert.InRange(ofMeans / Series / (expected / Count) / factor, 0.95, 1.05);
        Assert.InRange(2 * expected * expected / spread / freedom, 0.95, 1.05);
    }
}
