namespace ScaleOut.Simulator.Engine.Physics;

/// <param name="IsWrite">A write or batch; else a read or query page.</param>
/// <param name="Operations">0 for a request that was rejected (429 or a fault) and took no service time.</param>
/// <param name="Bytes">Bytes of the documents that were written or returned.</param>
/// <param name="Utilization">Share of the partition's budget in use, 0 to 1.</param>
internal readonly record struct ServiceDemand(bool IsWrite, int Operations, long Bytes, double Utilization);

/// <summary>
/// Draws latencies by a <see cref="LatencyProfile"/>: the network's round trip, in Gateway mode the gateway's hop, and a random service
/// time.
/// </summary>
internal sealed class LatencyModel(LatencyProfile profile, SeededNoise noise)
{
    /// <summary>How long the gateway waits before it sends a request again that a split rejected. Assumed.</summary>
    public const double RerouteMs = 5;

    private const double BytesPerKilobyte = 1024;

    private readonly double _writeMedianMs = profile.SmallestMedianMs(write: true);
    private readonly double _readMedianMs = profile.SmallestMedianMs(write: false);

    /// <summary>Round trip and hop, for a request that never became an operation.</summary>
    public double NetworkMs(ConnectionMode mode) => profile.NetworkMs(mode);

    public double NextMs(in ServiceDemand demand, ConnectionMode mode)
    {
        var networkMs = profile.NetworkMs(mode);
        if (demand.Operations == 0)
            return networkMs;
        var smallestMs = demand.IsWrite ? _writeMedianMs : _readMedianMs;
        var medianMs = profile.MedianServiceMs(smallestMs, demand.Operations, demand.Bytes / BytesPerKilobyte);
        return medianMs > 0 ? networkMs + (medianMs * NextFactor(demand, smallestMs)) : networkMs;
    }

    private double NextFactor(in ServiceDemand demand, double smallestMs)
    {
        var factor = profile.QuantilesOf(demand.IsWrite) is { } quantiles
            ? LatencyQuantile.At(quantiles, noise.NextUniform()) / smallestMs
            : Math.Exp(profile.LogStandardDeviation * noise.NextNormal());
        var utilization = Math.Clamp(demand.Utilization, 0, 1);
        factor *= 1 + (profile.LoadFactor * utilization * utilization);
        return profile.TailShare > 0 && noise.NextUniform() < profile.TailShare ? factor * profile.TailFactor : factor;
    }
}

/// <summary>
/// A stream of random numbers for many threads, without a lock. The same seed gives the same numbers in the order of drawing. The seed is
/// hashed, because SplitMix64 only counts: adjacent seeds would give the same stream, shifted by one.
/// </summary>
internal sealed class SeededNoise(ulong seed)
{
    private ulong _state = SplitMix64.At(seed + SplitMix64.Gamma);

    /// <summary>Uniform in [0, 1).</summary>
    public double NextUniform() => SplitMix64.ShareOf(NextBits());

    /// <summary>Normal with mean 0 and standard deviation 1.</summary>
    public double NextNormal()
    {
        // Uses both halves of one draw, so that a value is one step of the stream.
        var bits = NextBits();
        var radius = ((bits >> 32) + 1) * (1.0 / (1UL << 32));
        var angle = (uint)bits * (1.0 / (1UL << 32));
        return Math.Sqrt(-2 * Math.Log(radius)) * Math.Cos(2 * Math.PI * angle);
    }

    // The state is a counter, so a draw is one atomic addition.
    private ulong NextBits() => SplitMix64.At(Interlocked.Add(ref _state, SplitMix64.Gamma));
}
