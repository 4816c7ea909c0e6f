namespace ScaleOut.Workers.Documents;

/// <summary>
/// The state of a device: about 640 bytes, under 1 KB, the id a guid. Every device has an owner of its own, who can be the partition key
/// instead of the id.
/// </summary>
/// <param name="runId">Run id.</param>
/// <param name="keyIsOwner">Whether the partition key is <c>/ownerId</c> instead of <c>/id</c>.</param>
public sealed class DeviceDocuments(string runId, bool keyIsOwner) : IDocumentSource
{
    private const long FirstSeen = 1_767_225_600;
    private const int SecondsOfAYear = 31_536_000;

    private static readonly string[] Models = ["TX-100", "TX-200", "MX-7 outdoor", "Gateway 3", "Probe mini"];
    private static readonly string[] States = ["online", "offline", "degraded", "maintenance"];
    private static readonly string[] Tags = ["indoor", "outdoor", "battery", "mains", "leased", "trial", "critical", "metering"];

    private readonly DocumentIdentity _ids = new(runId, "id");
    private readonly DocumentIdentity _owners = new(runId, "owner");
    private readonly ulong _seed = new DocumentIdentity(runId, "device").Seed;

    /// <inheritdoc/>
    public int MaxBytes => 1_023;

    /// <inheritdoc/>
    public string IdOf(long number) => _ids.From(number).ToString();

    /// <inheritdoc/>
    public string KeyOf(long number) => (keyIsOwner ? _owners : _ids).From(number).ToString();

    /// <inheritdoc/>
    /// <exception cref="NotSupportedException">Always: no two devices share a key.</exception>
    public string KeyOfBatch(long batch) => throw new NotSupportedException("No two devices share a key.");

    /// <inheritdoc/>
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
