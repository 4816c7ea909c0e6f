namespace ScaleOut.Slicing;

/// <summary>SplitMix64 (Steele, Lea and Flood, 2014): random numbers from a counter, each a bijection of the counter's 64 bits.</summary>
public static class SplitMix64
{
    /// <summary>The step of the counter.</summary>
    public const ulong Gamma = 0x9E3779B97F4A7C15;

    /// <summary>The number at a counter.</summary>
    public static ulong At(ulong counter)
    {
        counter = (counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9;
        counter = (counter ^ (counter >> 27)) * 0x94D049BB133111EB;
        return counter ^ (counter >> 31);
    }
}
