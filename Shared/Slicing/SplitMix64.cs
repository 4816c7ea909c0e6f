namespace ScaleOut.Slicing;

/// <summary>
/// SplitMix64 (Steele, Lea and Flood, 2014): random numbers from a counter. Different counters give different numbers of 64 bits.
/// </summary>
public static class SplitMix64
{
    /// <summary>Step from one counter to the next.</summary>
    public const ulong Gamma = 0x9E3779B97F4A7C15;

    /// <summary>Returns the random number of a counter.</summary>
    public static ulong At(ulong counter)
    {
        counter = (counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9;
        counter = (counter ^ (counter >> 27)) * 0x94D049BB133111EB;
        return counter ^ (counter >> 31);
    }

    /// <summary>A random number as a share from 0 to below 1, with all bits that a double has.</summary>
    public static double ShareOf(ulong random) => (random >> 11) * (1.0 / (1UL << 53));
}
