namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// The precision of a mean of runs if each run is correlated with the one before it (AR(1)). The variance of the mean is then larger than
/// with independent runs, the sample's variance is too small, and it has fewer degrees of freedom.
/// </summary>
internal static class CorrelatedMean
{
    /// <summary>Correlation of neighbouring runs that intervals of a single variant's figures allow for.</summary>
    public const double AllowedFor = 0.5;

    /// <summary>
    /// The factor by which the variance of the mean exceeds the sample's variance over the count, and the degrees of freedom with which
    /// the sample's variance is known (Satterthwaite).
    /// </summary>
    /// <param name="count">2 and more.</param>
    /// <param name="correlation">Correlation of neighbouring runs, 0 and more, below 1.</param>
    public static (double Factor, double Freedom) From(int count, double correlation)
    {
        // The covariance of the runs' distances from their mean.
        var rows = Enumerable.Range(0, count)
            .Select(i => Enumerable.Range(0, count).Average(j => Math.Pow(correlation, Math.Abs(i - j)))).ToArray();
        var all = rows.Average();
        double trace = 0, squares = 0;
        for (var i = 0; i < count; i++)
        {
            for (var j = 0; j < count; j++)
            {
                var covariance = Math.Pow(correlation, Math.Abs(i - j)) - rows[i] - rows[j] + all;
                squares += covariance * covariance;
                trace += i == j ? covariance : 0;
            }
        }

        return (count * all * (count - 1) / trace, trace * trace / squares);
    }
}
