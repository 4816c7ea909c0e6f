namespace ScaleOut.Analysis.Comparisons;

/// <summary>
/// Means of consecutive stretches of a per-second series. Neighbouring seconds resemble each other, so their spread says too little of how
/// far the mean can be off; stretches long enough that their means hardly resemble each other say it, and what is left of the resemblance
/// widens the interval. What differs from run to run is not in them.
/// </summary>
public sealed record BatchMeans
{
    /// <summary>Fewest seconds that can be distinguished from chance.</summary>
    public const int MinSeconds = 10;

    /// <summary>Fewest stretches that an interval rests on.</summary>
    public const int MinBatches = 10;

    /// <summary>Most stretches: more of them would only be more alike.</summary>
    private const int MaxBatches = 20;

    /// <summary>One-sided 5% point of the normal distribution, for the test of what is left of the resemblance.</summary>
    private const double Significant = 1.645;

    /// <summary>Per second, in their order.</summary>
    public required IReadOnlyList<double> Values { get; init; }

    /// <summary>Length of a stretch.</summary>
    public required int SecondsPerBatch { get; init; }

    /// <summary>Factor by which neighbours that resemble each other enlarge the variance of the mean, 1 to 19: (1 + r) / (1 - r).</summary>
    public required double Inflation { get; init; }

    /// <summary>Correlation of neighbouring seconds, -1 to 1.</summary>
    public required double Autocorrelation { get; init; }

    /// <summary>Whether the means still resemble their neighbours, so that an interval from them may be too narrow.</summary>
    public required bool Correlated { get; init; }

    /// <summary>Cuts a series into the shortest stretches whose means do not resemble their neighbours.</summary>
    /// <param name="perSecond">One value for each second.</param>
    /// <returns>Null for fewer than 10 seconds.</returns>
    public static BatchMeans? From(IReadOnlyList<double> perSecond)
    {
        if (perSecond.Count < MinSeconds)
            return null;
        var shortest = (perSecond.Count + MaxBatches - 1) / MaxBatches;
        var longest = Math.Max(shortest, perSecond.Count / MinBatches);
        for (var seconds = shortest; ; seconds++)
        {
            var means = Means(perSecond, seconds);
            var left = AutocorrelationOf(means);
            var correlated = left > Significant / Math.Sqrt(means.Count);
            if (correlated && seconds < longest)
                continue;
            return new BatchMeans
            {
                Values = means,
                SecondsPerBatch = seconds,
                Autocorrelation = AutocorrelationOf(perSecond),
                Inflation = InflationBy(left + (1.0 / means.Count)),
                Correlated = correlated,
            };
        }
    }

    /// <summary>The ratio of two means with Welch's t on the logarithms of the stretches.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A stretch has a mean that is not above 0.</exception>
    public static RatioEffect Ratio(BatchMeans numerator, BatchMeans denominator)
    {
        return RatioEffect.From(
            LogSample.From(numerator.Values), LogSample.From(denominator.Values), numerator.Inflation, denominator.Inflation);
    }

    // A short series shows less of its correlation than there is, by about one over its length; that is added before.
    private static double InflationBy(double correlation)
    {
        var r = Math.Clamp(correlation, 0, 0.9);
        return (1 + r) / (1 - r);
    }

    /// <summary>Seconds beyond the last whole stretch are left out at the front, where a run still settles.</summary>
    private static List<double> Means(IReadOnlyList<double> perSecond, int seconds)
    {
        var batches = perSecond.Count / seconds;
        var first = perSecond.Count - (batches * seconds);
        return [.. Enumerable.Range(0, batches).Select(batch => perSecond.Skip(first + (batch * seconds)).Take(seconds).Average())];
    }

    private static double AutocorrelationOf(IReadOnlyList<double> values)
    {
        var mean = values.Average();
        var variance = values.Sum(value => (value - mean) * (value - mean));
        return variance > 0 ? values.Zip(values.Skip(1), (one, next) => (one - mean) * (next - mean)).Sum() / variance : 0;
    }
}
