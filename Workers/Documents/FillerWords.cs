namespace ScaleOut.Workers.Documents;

/// <summary>Filling text.</summary>
internal static class FillerWords
{
    private static readonly byte[][] All =
    [
        .. ("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango "
            + "uniform victor whiskey yankee zulu")
            .Split(' ').Select(System.Text.Encoding.ASCII.GetBytes),
    ];

    /// <summary>Writes words of so many letters together, blanks included.</summary>
    public static void Write(ref JsonText json, ref StableRandom random, int letters)
    {
        var end = json.Length + letters;
        while (json.Length < end)
        {
            var word = random.Pick<byte[]>(All).AsSpan();
            json.Raw(word[..Math.Min(word.Length, end - json.Length)]);
            if (json.Length < end)
                json.Raw(" "u8);
        }
    }
}

/// <summary>Names of the states that airports of generated flights lie in.</summary>
internal static class StateNames
{
    private static readonly Dictionary<string, string> Names =
        ("AK Alaska|AL Alabama|AR Arkansas|AZ Arizona|CA California|CO Colorado|CT Connecticut|FL Florida|GA Georgia|HI Hawaii|IA Iowa|"
            + "ID Idaho|IL Illinois|IN Indiana|KS Kansas|KY Kentucky|"
        + "LA Louisiana|MA Massachusetts|MD Maryland|MI Michigan|MN Minnesota|MO Missouri|NC North Carolina|NE Nebraska|NJ New Jersey|"
        + "NM New Mexico|NV Nevada|NY New York|OH Ohio|OK Oklahoma|"
        + "OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|TN Tennessee|TX Texas|UT Utah|VA Virginia|VT Vermont|WA Washington|"
        + "WI Wisconsin")
        .Split('|').ToDictionary(entry => entry[..2], entry => entry[3..]);

    /// <exception cref="KeyNotFoundException">No airport of the list lies there.</exception>
    public static string From(string state) => Names[state];
}

/// <summary>
/// Random numbers that are a function of (run, purpose, document number): SplitMix64 (Steele, Lea, Flood 2014) from a seed of the three.
/// </summary>
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
