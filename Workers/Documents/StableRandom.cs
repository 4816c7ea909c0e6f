namespace ScaleOut.Workers.Documents;

/// <summary>Random numbers that are a function of (run, purpose, document number): SplitMix64 (Steele, Lea, Flood 2014) from a seed of the three.</summary>
internal struct StableRandom
{
    private const ulong Step = 0x9E3779B97F4A7C15;

    private ulong _state;

    /// <param name="seed">Of a <see cref="DocumentIdentity"/>, for run and purpose.</param>
    /// <param name="number">Document number.</param>
    public StableRandom(ulong seed, long number)
    {
        _state = seed ^ ((ulong)number * 0xD1342543DE82EF95);
        Next();
    }

    /// <summary>The next 64 bits.</summary>
    public ulong Next()
    {
        _state += Step;
        var value = _state;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }

    /// <summary>A whole number of a range, both ends included.</summary>
    public long Range(long minimum, long maximum) => minimum + (long)Math.BigMul(Next(), (ulong)(maximum - minimum) + 1, out _);

    /// <summary>From 0 on, below 1.</summary>
    public double Share() => (Next() >> 11) * (1.0 / (1UL << 53));

    public T Pick<T>(ReadOnlySpan<T> values) => values[(int)Range(0, values.Length - 1)];
}
