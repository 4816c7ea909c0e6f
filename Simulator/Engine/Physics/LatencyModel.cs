using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>What a request asks of the service.</summary>
/// <param name="IsWrite">Whether it is a write or a batch; else a read or a query page.</param>
/// <param name="Operations">
/// Operations that were done; 0 for a request that was rejected (429 or a fault) and so took no service time.
/// </param>
/// <param name="Bytes">Of the documents written, or of what is given back.</param>
/// <param name="Utilization">Share of its budget that the partition uses, 0 to 1.</param>
internal readonly record struct ServiceDemand(bool IsWrite, int Operations, long Bytes, double Utilization);

/// <summary>
/// How long a request takes: the network's round trip, the gateway's hop in Gateway mode, and a random service time, as
/// <see cref="LatencyProfile"/> says.
/// </summary>
internal sealed class LatencyModel(LatencyProfile profile, SeededNoise noise)
{
    private const double BytesPerKilobyte = 1024;

    private readonly double _writeMedianMs = profile.SmallestMedianMs(write: true);
    private readonly double _readMedianMs = profile.SmallestMedianMs(write: false);

    /// <summary>The way alone, in ms, of a request that never became an operation.</summary>
    /// <param name="mode">Decides whether the gateway's hop is part of the way.</param>
    public double WayMs(ConnectionMode mode) => profile.WayMs(mode);

    /// <summary>Time from request to response, in ms.</summary>
    public double NextMs(in ServiceDemand demand, ConnectionMode mode)
    {
        double wayMs = profile.WayMs(mode);
        if (demand.Operations == 0)
            return wayMs;
        double smallestMs = demand.IsWrite ? _writeMedianMs : _readMedianMs;
        double medianMs = profile.MedianServiceMs(smallestMs, demand.Operations, demand.Bytes / BytesPerKilobyte);
        return medianMs > 0 ? wayMs + (medianMs * NextFactor(demand, smallestMs)) : wayMs;
    }

    private double NextFactor(in ServiceDemand demand, double smallestMs)
    {
        double factor = profile.QuantilesOf(demand.IsWrite) is { } quantiles
            ? LatencyQuantile.At(quantiles, noise.NextUniform()) / smallestMs
            : Math.Exp(profile.LogStandardDeviation * noise.NextNormal());
        double utilization = Math.Clamp(demand.Utilization, 0, 1);
        factor *= 1 + (profile.LoadFactor * utilization * utilization);
        return profile.TailShare > 0 && noise.NextUniform() < profile.TailShare ? factor * profile.TailFactor : factor;
    }
}
