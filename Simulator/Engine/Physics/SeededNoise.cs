namespace ScaleOut.Simulator.Engine.Physics;

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
