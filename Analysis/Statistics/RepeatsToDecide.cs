using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// How many repeats a comparison that decided nothing would take, if what it measured is the truth and the noise stays as it was.
/// </summary>
public static class RepeatsToDecide
{
    /// <summary>Share of such experiments that the number of repeats is to decide.</summary>
    public const double Power = 0.8;

    /// <summary>More than these are not worth naming: the effect lies on a limit.</summary>
    public const int Most = 100;

    /// <summary>The least number of repeats per variant for which an interval clears a limit so far away.</summary>
    /// <param name="effect">What the repeats so far measured.</param>
    /// <param name="repeats">How many those were, at least 2.</param>
    /// <param name="distance">Between the logarithms of the ratio and of the limit, 0 and more.</param>
    /// <param name="confidence">Of the interval, two-sided.</param>
    /// <returns>Null when over <see cref="Most"/> repeats would be needed.</returns>
    public static int? From(RatioEffect effect, int repeats, double distance, double confidence)
    {
        ArgumentNullException.ThrowIfNull(effect);
        ArgumentOutOfRangeException.ThrowIfLessThan(repeats, 2);
        var noise = effect.StandardError * Math.Sqrt(repeats);
        var least = (Normal.InvCDF(0, 1, 0.5 + (confidence / 2)) + Normal.InvCDF(0, 1, Power)) * noise / distance;
        // Student's t is wider than the normal distribution, so fewer repeats than by that cannot do.
        for (var count = Math.Max(2, (int)Math.Min(Math.Ceiling(least * least), Most + 1)); count <= Most; count++)
        {
            var reach = StudentQuantile.At(2 * (count - 1), confidence) + Normal.InvCDF(0, 1, Power);
            if (reach * noise / Math.Sqrt(count) <= distance)
                return count;
        }

        return null;
    }
}
