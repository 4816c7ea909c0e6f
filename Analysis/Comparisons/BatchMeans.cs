namespace ScaleOut.Analysis.Comparisons;

/// <summary>
/// Means of consecutive stretches of a per-second series, for the interval of the series' mean. Neighbouring seconds are correlated, so an
/// interval from single seconds is too narrow. The stretches are long enough that their means are nearly independent; the correlation that
/// is left widens the interval. Differences from run to run are not included.
/// </summary>
public sealed record BatchMeans
{
    /// <summary>Smallest number of seconds for an interval.</summary>
    public const int MinSeconds = 10;

    /// <summary>Smallest number of stretches for an interval.</summary>
    public const int MinBatches = 10;

    /// <summary>Largest number of stretches. More of them would be shorter, and more correlated.</summary>
    private const int MaxBatches = 20;

    /// <summary>One-sided 5% point of the normal distribution, for the test of the correlation that is left.</summary>
    private const double Significant = 1.645;

    /// <summary>The mean of each stretch, per second, in their order.</summary>
    public required IReadOnlyList<double> Values { get; init; }

    /// <summary>Length of a stretch.</summary>
    public required int SecondsPerBatch { get; init; }

    /// <summary>Factor by which correlated neighbours enlarge the variance of the mean, 1 to 19: (1 + r) / (1 - r).</summary>
    public required double Inflation { get; init; }

    /// <summary>Correlation of neighbouring seconds, -1 to 1.</summary>
    public required double Autocorrelation { get; init; }

    /// <summary>Whether the means are still correlated, so that an interval from them may be too narrow.</summary>
    public required bool Correlated { get; init; }

    /// <summary>Cuts a series into the shortest stretches whose means are not correlated.</summary>
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
    public static RatioEffect Ratio(BatchMeans numerator, BatchMeans denominator) => RatioEffect.From(
        LogSample.From(numerator.Values), LogSample.From(denominator.Values), numerator.Inflation, denominator.Inflation);

    // The estimated correlation of a short series is too low by about one over its length, so the caller adds that.
    private static double InflationBy(double correlation)
    {
        var r = Math.Clamp(correlation, 0, 0.9);
        return (1 + r) / (1 - r);
    }

    /// <summary>Seconds that fill no whole stretch are left out at the front, where a run is still settling.</summary>
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
