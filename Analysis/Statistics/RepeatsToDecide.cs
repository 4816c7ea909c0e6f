using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Statistics;

/// <summary>
/// Estimates how many repeats an undecided comparison needs, if the measured ratio is the true one and the noise stays the same.
/// </summary>
internal static class RepeatsToDecide
{
    /// <summary>Probability that an experiment with this number of repeats decides.</summary>
    public const double Power = 0.8;

    /// <summary>Largest number that is named. If more would be needed, the effect lies on a limit.</summary>
    public const int Max = 100;

    /// <summary>The smallest number of repeats per variant for which the interval excludes a limit at this distance.</summary>
    /// <param name="repeats">Repeats per variant that were measured, at least 2.</param>
    /// <param name="distance">Between the logarithms of the ratio and of the limit, 0 and more.</param>
    /// <returns>Null when over <see cref="Max"/> repeats would be needed.</returns>
    public static int? From(RatioEffect effect, int repeats, double distance, double confidence)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(repeats, 2);
        var noise = effect.StandardError * Math.Sqrt(repeats);
        var least = (Normal.InvCDF(0, 1, 0.5 + (confidence / 2)) + Normal.InvCDF(0, 1, Power)) * noise / distance;
        // Student's t is wider than the normal distribution, so at least as many repeats are needed as the normal distribution gives.
        for (var count = Math.Max(2, (int)Math.Min(Math.Ceiling(least * least), Max + 1)); count <= Max; count++)
        {
            var reach = StudentQuantile.At(2 * (count - 1), confidence) + Normal.InvCDF(0, 1, Power);
            if (reach * noise / Math.Sqrt(count) <= distance)
                return count;
        }

        return null;
    }
}
