namespace ScaleOut.Profiles;

/// <summary>
/// The measured behaviour of an account: what operations cost, how long they take, how the account throttles and how many physical
/// partitions containers get. A figure that was not measured is null or missing in its list, and <see cref="Notes"/> says why.
/// </summary>
public sealed record AccountProfile
{
    /// <summary>Name of the profile in reports: the account's name and the day.</summary>
    public required string Name { get; init; }

    /// <summary>When it was measured, in UTC.</summary>
    public required DateTimeOffset MeasuredAt { get; init; }

    /// <summary>Host of the account's endpoint.</summary>
    public required string Account { get; init; }

    /// <summary>The region that the account reports; null if it reports none.</summary>
    public string? Region { get; init; }

    public string? Consistency { get; init; }

    /// <summary>Version of the Cosmos SDK; null if the reports do not have it.</summary>
    public string? SdkVersion { get; init; }

    /// <summary>Id of the experiment that the profile was made from.</summary>
    public required string Experiment { get; init; }

    /// <summary>RU charged for measuring the profile.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>What operations cost.</summary>
    public required ChargeFigures Charges { get; init; }

    /// <summary>How long operations take.</summary>
    public required LatencyFigures Latency { get; init; }

    public required ThrottlingFigures Throttling { get; init; }

    /// <summary>Physical partitions of new containers, by ascending throughput.</summary>
    public required IReadOnlyList<LayoutFigure> Layout { get; init; }

    /// <summary>Notes on figures that were not measured, and on limits of the others.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>Charges in RU. The charges by size are of documents without index entries.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record ChargeFigures
{
    /// <summary>Point reads, by ascending size.</summary>
    public IReadOnlyList<SizeFigure> Reads { get; init; } = [];

    /// <summary>Creates, by ascending size.</summary>
    public IReadOnlyList<SizeFigure> Writes { get; init; } = [];

    /// <summary>For each index entry that a write adds.</summary>
    public MeasuredFigure? PerIndexEntry { get; init; }

    /// <summary>Whether the charges are those that docs/charges.md counts; null if none was measured.</summary>
    public LawCheck? Law { get; init; }

    /// <summary>Measured operations that only check the other figures, with the predicted charges.</summary>
    public IReadOnlyList<ChargeCheck> Checks { get; init; } = [];
}

/// <summary>Measured charges of inserts, deletes and point reads beside the law of the charges.</summary>
/// <param name="Charges">Number of charges, one for each size, number of index entries and kind of operation.</param>
/// <param name="Whole">Those that are whole 21sts of a RU on each replica, within their rounding.</param>
/// <param name="Counted">Those that are what the law counts for the operation, within their rounding.</param>
public sealed record LawCheck(int Charges, int Whole, int Counted)
{
    public bool IsKept => Whole == Charges && Counted == Charges;
}

/// <summary>The charge of a document of some size.</summary>
/// <param name="Bytes">The document's JSON in UTF-8.</param>
public sealed record SizeFigure(long Bytes, MeasuredFigure RequestUnits);

/// <summary>A measured charge beside the one that the other figures predict.</summary>
/// <param name="Name">The charged operation, in a few words.</param>
/// <param name="Measured">In RU.</param>
/// <param name="Predicted">In RU.</param>
public sealed record ChargeCheck(string Name, double Measured, double Predicted);

/// <summary>Times in ms. The round trip includes the time that a request spends in the client and its SDK.</summary>
public sealed record LatencyFigures
{
    /// <summary>Network round trip in Direct mode.</summary>
    public MeasuredFigure? RoundTripMs { get; init; }

    /// <summary>Time that a request in Gateway mode takes longer than in Direct mode.</summary>
    public MeasuredFigure? GatewayHopMs { get; init; }

    /// <summary>Service time of the create of one small document on an idle partition.</summary>
    public ServiceFigures? Write { get; init; }

    /// <summary>Service time of a point read of one small document on an idle partition.</summary>
    public ServiceFigures? Read { get; init; }

    /// <summary>Service time of each KB beyond the first.</summary>
    public MeasuredFigure? PerKilobyteMs { get; init; }

    /// <summary>Service time of each operation of a TransactionalBatch beyond the first.</summary>
    public MeasuredFigure? PerBatchOperationMs { get; init; }
}

/// <summary>The distribution of a service time.</summary>
public sealed record ServiceFigures
{
    public required MeasuredFigure MedianMs { get; init; }

    /// <summary>Quantiles by ascending probability. Only those with enough samples for an interval are listed.</summary>
    public IReadOnlyList<QuantileFigure> Quantiles { get; init; } = [];
}

/// <summary>A quantile of a service time.</summary>
/// <param name="Probability">Above 0, below 1.</param>
public sealed record QuantileFigure(double Probability, MeasuredFigure Ms);

/// <summary>How the account responds to more load than its RU/s.</summary>
public sealed record ThrottlingFigures
{
    /// <summary>Shortest <c>retry-after</c>.</summary>
    public MeasuredFigure? RetryAfterMinMs { get; init; }

    /// <summary>Longest <c>retry-after</c>.</summary>
    public MeasuredFigure? RetryAfterMaxMs { get; init; }

    /// <summary>RU that one overloaded partition admits in a second, once its burst credit is spent.</summary>
    public MeasuredFigure? AdmittedPerSecond { get; init; }

    /// <summary>
    /// RU beyond <see cref="AdmittedPerSecond"/> that one partition admits after <see cref="IdleSeconds"/> without load.
    /// </summary>
    public MeasuredFigure? BurstRequestUnits { get; init; }

    public double IdleSeconds { get; init; }
}

/// <summary>Physical partitions of a new container.</summary>
/// <param name="Throughput">RU/s of the container.</param>
public sealed record LayoutFigure(int Throughput, int Partitions);

/// <summary>A figure with its 95% interval.</summary>
/// <param name="Value">In the unit that the property's name gives.</param>
/// <param name="Low">Lower end of the 95% interval.</param>
/// <param name="High">Upper end of the 95% interval.</param>
/// <param name="Count">Number of runs that the figure comes from, at least 2.</param>
public sealed record MeasuredFigure(double Value, double Low, double High, long Count)
{
    /// <summary>Whether the interval contains a value.</summary>
    public bool Covers(double value) => value >= Low && value <= High;
}

/// <summary>
/// Reads and writes <c>profile.json</c>: a profile in the form of a <see cref="StoredItem"/>, with a version and a checksum.
/// </summary>
public static class ProfileFile
{
    /// <summary>The file's name if the user gives none.</summary>
    public const string DefaultName = "profile.json";

    /// <summary>Item name in the file. It does not depend on the file's path.</summary>
    private const string Item = "account-profile";

    public static byte[] Write(AccountProfile profile) => StoredItem.Write(Item, profile, ScaleOutJson.Indented);

    /// <summary>Reads a profile. Ignores a line break at the end, which editors and consoles add.</summary>
    /// <exception cref="EvidenceException">The content is damaged, no profile, or of another version of this program.</exception>
    public static AccountProfile Read(ReadOnlyMemory<byte> content) =>
        StoredItem.Read<AccountProfile>(Item, content.TrimEnd("\r\n"u8), ScaleOutJson.Indented);
}
