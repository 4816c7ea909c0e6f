using MathNet.Numerics.Distributions;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Quantiles of a sample with intervals that assume nothing of its distribution: between two order statistics the true quantile lies with a
/// probability that the binomial distribution gives.
/// </summary>
public static class OrderStatistics
{
    /// <summary>The values, ascending.</summary>
    public static IReadOnlyList<double> Sorted(IEnumerable<double> values)
    {
        double[] sorted = [.. values];
        Array.Sort(sorted);
        return sorted;
    }

    /// <summary>A quantile; null where the sample is too small for both ends of its interval.</summary>
    /// <param name="sorted">Ascending.</param>
    /// <param name="probability">Above 0, below 1.</param>
    public static MeasuredFigure? Quantile(IReadOnlyList<double> sorted, double probability)
    {
        ArgumentNullException.ThrowIfNull(sorted);
        var count = sorted.Count;
        if (count == 0)
            return null;
        // The true quantile is below as many values as are "successes": at least the r-th, and not the s-th.
        var low = Ranks(count, probability, Confidence.Tail);
        var high = Ranks(count, probability, 1 - Confidence.Tail) + 1;
        if (low < 1 || high > count)
            return null;
        return new MeasuredFigure(ValueAt(sorted, probability), sorted[low - 1], sorted[high - 1], count);
    }

    /// <summary>The value at a probability, linear between two order statistics.</summary>
    /// <param name="sorted">Ascending, not empty.</param>
    /// <param name="probability">0 to 1.</param>
    public static double ValueAt(IReadOnlyList<double> sorted, double probability)
    {
        ArgumentNullException.ThrowIfNull(sorted);
        var place = probability * (sorted.Count - 1);
        var below = (int)place;
        return below + 1 < sorted.Count ? sorted[below] + ((place - below) * (sorted[below + 1] - sorted[below])) : sorted[below];
    }

    /// <summary>Most values k with P(at most k values are below the quantile) up to, or just from, a level.</summary>
    private static int Ranks(int count, double probability, double level)
    {
        var spread = Math.Sqrt(count * probability * (1 - probability));
        var k = (int)Math.Clamp((count * probability) + (Normal.InvCDF(0, 1, level) * spread), 0, count);
        if (level < 0.5)
        {
            // Largest r with P(B <= r - 1) <= level.
            while (k > 0 && Binomial.CDF(probability, count, k - 1) > level)
                k--;
            while (k < count && Binomial.CDF(probability, count, k) <= level)
                k++;
            return k;
        }

        // Smallest k with P(B <= k) >= level.
        while (k > 0 && Binomial.CDF(probability, count, k - 1) >= level)
            k--;
        while (k < count && Binomial.CDF(probability, count, k) < level)
            k++;
        return k;
    }
}

/// <summary>The confidence of all intervals of a calibration.</summary>
internal static class Confidence
{
    /// <summary>What each side of a 95% interval leaves out.</summary>
    public const double Tail = 0.025;

    /// <summary>Reach of the 95% interval of a normal distribution, in standard errors.</summary>
    public static readonly double Normal95 = Normal.InvCDF(0, 1, 1 - Tail);

    /// <summary>Reach of the 95% interval of a mean, in standard errors.</summary>
    /// <param name="count">Values, at least 2.</param>
    public static double Student95(int count) => StudentQuantile.At(count - 1, 1 - (2 * Tail));
}
