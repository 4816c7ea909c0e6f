namespace ScaleOut.Workers.Documents;

/// <summary>
/// The state of a device: about 640 bytes, under 1 KB, the id a guid. Every device has its own owner, who can be the partition key.
/// </summary>
/// <param name="keyIsOwner">Whether the partition key is <c>/ownerId</c> instead of <c>/id</c>.</param>
internal sealed class DeviceDocuments(string runId, bool keyIsOwner) : IDocumentSource
{
    private const long FirstSeen = 1_767_225_600;
    private const int SecondsOfAYear = 31_536_000;

    private static readonly string[] Models = ["TX-100", "TX-200", "MX-7 outdoor", "Gateway 3", "Probe mini"];
    private static readonly string[] States = ["online", "offline", "degraded", "maintenance"];
    private static readonly string[] Tags = ["indoor", "outdoor", "battery", "mains", "leased", "trial", "critical", "metering"];

    private readonly DocumentIdentity _ids = new(runId, "id");
    private readonly DocumentIdentity _owners = new(runId, "owner");
    private readonly ulong _seed = new DocumentIdentity(runId, "device").Seed;

    public int MaxBytes => 1_023;

    public string IdOf(long number) => _ids.From(number).ToString();

    public string KeyOf(long number) => (keyIsOwner ? _owners : _ids).From(number).ToString();

    public string KeyOfBatch(long batch) => throw new NotSupportedException("No two devices share a key.");

    public int Write(long number, string key, Span<byte> buffer)
    {
        var random = new StableRandom(_seed, number);
        var json = new JsonText(buffer);
        json.Raw("{\"id\":\""u8);
        json.Guid(_ids.From(number));
        json.Raw("\",\"ownerId\":\""u8);
        json.Guid(_owners.From(number));
        json.Raw("\",\"number\":"u8);
        json.Number(number);
        json.Raw(",\"model\":\""u8);
        json.Text(random.Pick<string>(Models));
        json.Raw("\",\"firmware\":\""u8);
        json.Number(random.Range(1, 9));
        json.Raw("."u8);
        json.Number(random.Range(0, 99));
        json.Raw("\",\"status\":\""u8);
        json.Text(random.Pick<string>(States));
        json.Raw("\",\"lastSeen\":"u8);
        json.Number(FirstSeen + random.Range(0, SecondsOfAYear));
        json.Raw(",\"location\":{\"latitude\":"u8);
        json.Number((random.Share() * 180) - 90, 5);
        json.Raw(",\"longitude\":"u8);
        json.Number((random.Share() * 360) - 180, 5);
        json.Raw(",\"site\":\"site "u8);
        json.Number(random.Range(1, 9_999));
        json.Raw("\"},\"readings\":{\"temperature\":"u8);
        json.Number((random.Share() * 60) - 20, 2);
        json.Raw(",\"humidity\":"u8);
        json.Number(random.Share() * 100, 1);
        json.Raw(",\"battery\":"u8);
        json.Number(random.Range(0, 100));
        json.Raw(",\"signal\":"u8);
        json.Number(random.Range(-120, -30));
        json.Raw("},\"tags\":[\""u8);
        json.Text(random.Pick<string>(Tags));
        json.Raw("\",\""u8);
        json.Text(random.Pick<string>(Tags));
        json.Raw("\",\""u8);
        json.Text(random.Pick<string>(Tags));
        json.Raw("\"],\"note\":\""u8);
        FillerWords.Write(ref json, ref random, 257);
        json.Raw("\"}"u8);
        return json.Length;
    }
}

internal static class FillerWords
{
    private static readonly byte[][] All =
    [
        .. ("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango "
            + "uniform victor whiskey yankee zulu")
            .Split(' ').Select(System.Text.Encoding.ASCII.GetBytes),
    ];

    /// <summary>Writes words until the text has the given length, blanks included.</summary>
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

    /// <exception cref="KeyNotFoundException">No airport of the list lies in that state.</exception>
    public static string From(string state) => Names[state];
}

/// <summary>
/// Random numbers that are a function of (run, purpose, document number): <see cref="SplitMix64"/> from a seed of the three.
/// </summary>
internal struct StableRandom
{
    private ulong _state;

    /// <param name="seed">Seed of a <see cref="DocumentIdentity"/>, which stands for the run and the purpose.</param>
    public StableRandom(ulong seed, long number)
    {
        _state = seed ^ ((ulong)number * 0xD1342543DE82EF95);
        Next();
    }

    /// <summary>The next 64 bits.</summary>
    public ulong Next() => SplitMix64.At(_state += SplitMix64.Gamma);

    /// <summary>Both ends are included.</summary>
    public long Range(long minimum, long maximum) => minimum + (long)Math.BigMul(Next(), (ulong)(maximum - minimum) + 1, out _);

    /// <summary>A number from 0 (inclusive) to 1 (exclusive).</summary>
    public double Share() => SplitMix64.ShareOf(Next());

    public T Pick<T>(ReadOnlySpan<T> values) => values[(int)Range(0, values.Length - 1)];
}
