namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class RepeatIntervalsTests
{
    /// <summary>
    /// The 97.5% quantile of Student's t with 4 degrees of freedom is 2.776445, and the variance of the logarithms is 2.5 x 0.01^2.
    /// </summary>
    [Fact]
    public void OfMean_FiveValues_IsStudentsIntervalOfTheirGeometricMean()
    {
        var interval = RepeatIntervals.OfMean([.. Enumerable.Range(-2, 5).Select(i => 100 * Math.Exp(i * 0.01))])!.Value;
        var reach = Math.Exp(2.776445 * 0.01 * Math.Sqrt(2.5 / 5));
        Assert.Equal(100 / reach, interval.Low, 5);
        Assert.Equal(100 * reach, interval.High, 5);
    }

    /// <summary>With 1 degree of freedom the quantile is 12.7062; the standard error of the logarithms of 1 and 4 is ln 2.</summary>
    [Fact]
    public void OfMean_TwoValues_IsTheirWideInterval()
    {
        var interval = RepeatIntervals.OfMean([1, 4])!.Value;
        Assert.Equal(Math.Log(2) * 12.7062, Math.Log(interval.High / 2), 3);
        Assert.Equal(2, Math.Sqrt(interval.Low * interval.High), 9);
    }

    [Fact]
    public void OfMean_SingleValue_IsNull() => Assert.Null(RepeatIntervals.OfMean([1]));
}
