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

/// <summary>
/// A stream of random numbers that many threads draw from without a lock; the same seed gives the same numbers in the order of drawing.
/// The seed is hashed first: SplitMix64 only counts, so the streams of neighbouring seeds would else be one stream, moved by one.
/// </summary>
internal sealed class SeededNoise(ulong seed)
{
    private const ulong GoldenGamma = 0x9E3779B97F4A7C15;

    private ulong _state = Mix(seed + GoldenGamma);

    /// <summary>Uniform in [0, 1).</summary>
    public double NextUniform() => (NextBits() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Normal with mean 0 and standard deviation 1.</summary>
    public double NextNormal()
    {
        // Both halves of one draw, so that a value is one step of the stream.
        ulong bits = NextBits();
        double radius = ((bits >> 32) + 1) * (1.0 / (1UL << 32));
        double angle = (uint)bits * (1.0 / (1UL << 32));
        return Math.Sqrt(-2 * Math.Log(radius)) * Math.Cos(2 * Math.PI * angle);
    }

    // SplitMix64: the state is a counter, so one atomic addition draws.
    private ulong NextBits() => Mix(Interlocked.Add(ref _state, GoldenGamma));

    private static ulong Mix(ulong z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
