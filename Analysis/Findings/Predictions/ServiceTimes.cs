using MathNet.Numerics.Distributions;

namespace ScaleOut.Analysis.Findings.Predictions;

/// <summary>The random factor of a service time. Its median is 1, see <see cref="LatencyProfile"/>.</summary>
internal static class ServiceTimes
{
    private const int Halvings = 60;

    /// <summary>The factor that a share of the requests does not exceed. Requests of the tail are included.</summary>
    /// <param name="write">True for writes and batches, false for reads and query pages.</param>
    /// <param name="share">Above 0 and below 1.</param>
    public static double FactorAt(LatencyProfile profile, bool write, double share)
    {
        var plain = PlainFactorAt(profile, write, share);
        return profile.TailShare > 0
            ? Halving.Find(plain, plain * profile.TailFactor, Halvings, factor => ShareWithin(factor) < share)
            : plain;

        double ShareWithin(double factor) =>
            ((1 - profile.TailShare) * PlainShareWithin(factor)) + (profile.TailShare * PlainShareWithin(factor / profile.TailFactor));

        double PlainShareWithin(double factor) => Halving.Find(0, 1, Halvings, below => PlainFactorAt(profile, write, below) <= factor);
    }

    /// <summary>The same factor without the tail.</summary>
    internal static double PlainFactorAt(LatencyProfile profile, bool write, double share) =>
        profile.QuantilesOf(write) is { } quantiles
            ? LatencyQuantile.At(quantiles, share) / LatencyQuantile.At(quantiles, 0.5)
            : Math.Exp(profile.LogStandardDeviation * Normal.InvCDF(0, 1, share));
}
