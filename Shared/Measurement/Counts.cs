namespace ScaleOut.Measurement;

/// <summary>
/// Counts of a period: documents and attempts by their outcome, RU and bytes. Every type with such figures has them in this form. JSON
/// leaves zeros out, because not every place counts all of them.
/// </summary>
public readonly record struct Counts
{
    /// <summary>Documents written, read, queried or deleted.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Inserted { get; init; }

    /// <summary>Documents that a lost leg had already written. For deletes, documents that were already gone.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long AlreadyPresent { get; init; }

    /// <summary>Documents that failed for good, because no retry can help.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Failed { get; init; }

    /// <summary>Operations passed to the SDK, with each retry counted. For queries, the requested pages.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Attempts { get; init; }

    /// <summary>Attempts that got a 429. For tables, attempts that met a busy server.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Throttled { get; init; }

    /// <summary>Attempts that ended in anything but success, 409 or 429.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Errors { get; init; }

    /// <summary>RU charged to the workload, without those of 429s.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public RequestUnits RequestUnits { get; init; }

    /// <summary>RU that 429s were charged by their headers.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public RequestUnits ThrottledRequestUnits { get; init; }

    /// <summary>All RU: <see cref="RequestUnits"/> and <see cref="ThrottledRequestUnits"/>.</summary>
    [JsonIgnore]
    public RequestUnits Charged => RequestUnits + ThrottledRequestUnits;

    /// <summary>Bytes of the inserted documents, without system properties; 0 for other workloads.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Bytes { get; init; }

    /// <summary>Finished documents, with any outcome.</summary>
    [JsonIgnore]
    public long Done => Inserted + AlreadyPresent + Failed;

    /// <summary>Throttled / attempts; null without attempts.</summary>
    [JsonIgnore]
    public double? ThrottledShare => Attempts > 0 ? Throttled / (double)Attempts : null;

    public static Counts operator +(Counts left, Counts right) => Add(left, right, 1);

    public static Counts operator -(Counts left, Counts right) => Add(left, right, -1);

    private static Counts Add(Counts left, Counts right, int times) => new()
    {
        Inserted = left.Inserted + (times * right.Inserted),
        AlreadyPresent = left.AlreadyPresent + (times * right.AlreadyPresent),
        Failed = left.Failed + (times * right.Failed),
        Attempts = left.Attempts + (times * right.Attempts),
        Throttled = left.Throttled + (times * right.Throttled),
        Errors = left.Errors + (times * right.Errors),
        RequestUnits = left.RequestUnits + (right.RequestUnits * times),
        ThrottledRequestUnits = left.ThrottledRequestUnits + (right.ThrottledRequestUnits * times),
        Bytes = left.Bytes + (times * right.Bytes),
    };

    public static Counts Sum(IEnumerable<Counts> parts) => parts.Aggregate(default(Counts), (sum, part) => sum + part);

    /// <summary>Rounds the RU to 0.01.</summary>
    public Counts Rounded() => this with
    {
        RequestUnits = RequestUnits.Rounded(),
        ThrottledRequestUnits = ThrottledRequestUnits.Rounded(),
    };
}

/// <param name="Documents">Finished documents, with any outcome.</param>
/// <param name="Throttled">Attempts that got a 429.</param>
public readonly record struct Rates(double Documents, double Throttled, double RequestUnits)
{
    public static Rates operator +(Rates left, Rates right) =>
        new(left.Documents + right.Documents, left.Throttled + right.Throttled, left.RequestUnits + right.RequestUnits);

    public static Rates operator -(Rates left, Rates right) =>
        new(left.Documents - right.Documents, left.Throttled - right.Throttled, left.RequestUnits - right.RequestUnits);

    public static Rates operator *(Rates rates, double factor) =>
        new(rates.Documents * factor, rates.Throttled * factor, rates.RequestUnits * factor);

    /// <summary>The mean rates over a time; zeros if the time is 0.</summary>
    public static Rates From(Counts counts, double seconds) =>
        seconds > 0 ? new(counts.Done / seconds, counts.Throttled / seconds, counts.RequestUnits.Value / seconds) : default;

    /// <summary>Rounds the rates to 0.01.</summary>
    public Rates Rounded() => new(Math.Round(Documents, 2), Math.Round(Throttled, 2), Math.Round(RequestUnits, 2));
}
