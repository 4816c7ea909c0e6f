using static ScaleOut.Charges.ChargeSources;

namespace ScaleOut.Tests.Shared.Charges;

/// <summary>
/// Published figures that only check the model. Some are documented examples, which repeat the figures that the model is made from. The
/// model never sees the others, so they show its error, as does one half of <see cref="MeasuredCharges"/>.
/// </summary>
internal static class HeldOutCharges
{
    /// <summary>
    /// The sizes of the older table are assumed to be those of the content, without about 200 bytes of id, key and system properties.
    /// </summary>
    private const long Envelope = 200;

    private const string CapacityPlanner = "capacity planner, in a write-up of one million inserts, 2018";
    private const string QueryTuning = "a step load of queries, in a write-up of 2018 (plans/published/query-tuning.csv)";
    private const string WriteUps = "measurements in public write-ups";

    private const string WithEnvelope = "content, with 200 bytes of id, key and system properties";

    private const string Rounded = "the example writes 5.0 for the table's 4.95";

    private const string PointReadsOnly =
        "An illustration that prices each item as a point read; the measured 604.42 RU for 2,000 documents do not bear it out.";

    /// <summary>The documented examples come first.</summary>
    public static IReadOnlyList<ChargePoint> Points { get; } =
    [
        Example("create, 1 KB, 10 indexed terms", new ChargedCreate(Kilobyte, 10), 7, Rounded),
        Example("replace, 1 KB, 2 modified terms", new ChargedReplace(Kilobyte, 2), 10.8, Rounded),
        Example("patch, 1 KB, 2 modified terms", new ChargedPatch(Kilobyte, 2, 2), 11.6, Rounded),
        Example("delete, 1 KB, 10 indexed terms", new ChargedDelete(Kilobyte, 10), 7, Rounded),
        Example("feed, five documents of 1 KB", new ChargedFeed(5, Kilobyte), 5, null),
        HeldOut("create of a tiny document", new ChargedCreate(155, 4), 5.71, CapacityPlanner, "155 bytes, 4 indexed terms"),
        HeldOut("replace of a tiny document", new ChargedReplace(155, 1), 10.67, CapacityPlanner,
            "one modified term; with 0 to 3 of them the model says 10.31 to 11.49"),
        HeldOut("delete of a tiny document", new ChargedDelete(155, 4), 5.71, CapacityPlanner, "155 bytes, 4 indexed terms"),
        HeldOut("create, 4 KB, no index, older table", new ChargedCreate((4 * Kilobyte) + Envelope, 0), 7, RequestUnits2017, WithEnvelope),
        HeldOut("create, 64 KB, no index, older table", new ChargedCreate((64 * Kilobyte) + Envelope, 0), 48, RequestUnits2017,
            WithEnvelope),
        HeldOut("point read, 4 KB, older table", new ChargedRead((4 * Kilobyte) + Envelope), 1.3, RequestUnits2017, WithEnvelope),
        HeldOut("point read, 64 KB, older table", new ChargedRead((64 * Kilobyte) + Envelope), 10, RequestUnits2017, WithEnvelope),
        HeldOut("point read, 100 KB", new ChargedRead(100 * Kilobyte), 10, Consumption),
        HeldOut("query, one small document on one partition, lowest", new ChargedQuery { Returned = 1, DocumentBytes = 512 }, 2.35,
            WriteUps, "512 bytes"),
        HeldOut("query, one small document on one partition, highest", new ChargedQuery { Returned = 1, DocumentBytes = 512 }, 2.9,
            WriteUps, "512 bytes"),
        HeldOut("query by owner, 9 partitions", new ChargedQuery { Pages = 9, Returned = 1, DocumentBytes = 640 }, 29, QueryTuning,
            "one document of 640 bytes"),
        HeldOut("query by owner, one partition", new ChargedQuery { Returned = 1, DocumentBytes = 640 }, 3.4, QueryTuning,
            "one document of 640 bytes"),
        HeldOut("query, one item of 1 KB by id", new ChargedQuery { Returned = 1, DocumentBytes = Kilobyte }, 2.5, RequestUnits2017),
        HeldOut("query, 7 items of 1 KB by an equality", new ChargedQuery { Returned = 7, DocumentBytes = Kilobyte }, 7, RequestUnits2017),
        HeldOut("query, first 10 items of 1 KB", new ChargedQuery { Returned = 10, Scanned = 1, DocumentBytes = Kilobyte }, 10,
            RequestUnits2017, "TOP loads one more than it returns, as SQL query metrics says"),
        HeldOut("query, 1,000 items of 1 KB", new ChargedQuery { Pages = 10, Returned = 1_000, DocumentBytes = Kilobyte }, 1_000,
            OptimizeCost, "pages of 100") with { Reason = PointReadsOnly },
    ];

    private static ChargePoint HeldOut(
        string name, ChargedOperation operation, double requestUnits, string source, string? assumes = null) =>
        ChargePoint.Create(ChargeUse.HoldOut, name, operation, requestUnits, source, assumes);

    /// <summary>A worked example of the documentation.</summary>
    private static ChargePoint Example(string name, ChargedOperation operation, double requestUnits, string? assumes) =>
        ChargePoint.Create(ChargeUse.Example, name, operation, requestUnits, Consumption, assumes);
}

/// <summary>A patch that leaves an indexed document as large.</summary>
internal sealed record ChargedPatch(long Bytes, int ModifiedTerms, int Properties) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) =>
        model.Patch(model.Replace(Bytes, Bytes, 2 * ModifiedTerms, isIndexed: true), Properties);
}

/// <summary>A page of a read feed or change feed.</summary>
internal sealed record ChargedFeed(int Documents, long DocumentBytes) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => Documents * model.Read(DocumentBytes);
}
