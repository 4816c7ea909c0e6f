namespace ScaleOut.Charges;

/// <summary>
/// The published charges: those that the documented model is made from, and those that it is held against. <c>docs/charges.md</c> shows all
/// of them with what the model makes of each.
/// </summary>
public static class PublishedCharges
{
    private const long Kilobyte = 1_024;

    private const string Consumption = "Azure Cosmos DB documentation, Understand request units consumption, April 2026";
    private const string QueryMetrics = "Azure Cosmos DB documentation, SQL query metrics, example of a response of June 2017";
    private const string OptimizeCost = "Azure Cosmos DB documentation, Optimize request cost, example of query metrics";
    private const string Troubleshoot = "Azure Cosmos DB documentation, Troubleshoot query issues, January 2020";
    private const string IotKeys = "Azure Cosmos DB documentation, Choosing a partition key for IoT workloads, November 2024";
    private const string RequestUnits2017 = "Azure Cosmos DB documentation, Request Units, 2017";
    private const string CapacityPlanner = "capacity planner, in a write-up of one million inserts, 2018";
    private const string QueryTuning = "a step load of queries, in a write-up of 2018 (plans/published/query-tuning.csv)";
    private const string WriteUps = "measurements in public write-ups";

    private const string Cheaper =
        "The service has become cheaper: the documentation of 2026 names the binary encoding of stored documents as one cause.";

    private const string PointReadsOnly =
        "An illustration that prices each item as a point read; the measured 604.42 RU for 2,000 documents do not bear it out.";

    /// <summary>
    /// RU of an index look-up of a query: assumed to be what the documentation states for writing an index entry. No published point
    /// separates it from the base of a page, so only queries with several conditions depend on it.
    /// </summary>
    private const double AssumedLookup = 0.2;

    /// <summary>RU of each index entry that a write adds or removes, as the documentation states it.</summary>
    private const double IndexedTerm = 0.2;

    /// <summary>RU of each property that a patch modifies, as the documentation states it.</summary>
    private const double PatchedProperty = 0.4;

    /// <summary>A document of the data set that "Troubleshoot query issues" scans: 399,998,938 bytes in 60,951 documents.</summary>
    private const long NutritionBytes = 399_998_938 / 60_951;

    /// <summary>The published table by size: KB, RU of a point read, RU of a write without indexing.</summary>
    private static readonly (int Kilobytes, double Read, double Write)[] Table =
    [
        (1, 1.00, 4.95), (2, 1.04, 6.29), (4, 1.14, 6.67), (8, 1.33, 7.04), (16, 1.67, 9.52), (32, 2.19, 11.23), (64, 4.76, 22.67),
        (128, 9.95, 48.19), (256, 20.28, 98.29), (512, 40.95, 184.57), (1_024, 145.90, 625.00), (2_048, 291.80, 1_250.00),
    ];

    /// <summary>All points, fitted ones first.</summary>
    public static IReadOnlyList<ChargePoint> Points { get; } =
    [
        .. Table.Select(row => Fit($"point read, {row.Kilobytes:N0} KB", new ChargedRead(row.Kilobytes * Kilobyte), row.Read, Consumption)),
        .. Table.Select(row => Fit(
            $"create, {row.Kilobytes:N0} KB, no index", new ChargedCreate(row.Kilobytes * Kilobyte, 0), row.Write, Consumption)),
        Example("create, 1 KB, 10 indexed terms", new ChargedCreate(Kilobyte, 10), 7),
        Example("replace, 1 KB, 2 modified terms", new ChargedReplace(Kilobyte, 2), 10.8),
        Example("patch, 1 KB, 2 modified terms", new ChargedPatch(Kilobyte, 2, 2), 11.6),
        Example("delete, 1 KB, 10 indexed terms", new ChargedDelete(Kilobyte, 10), 7),
        Fit("feed, five documents of 1 KB", new ChargedFeed(5, Kilobyte), 5, Consumption),
        .. FittedQueries,
        .. HeldOutWrites,
        .. HeldOutReads,
        .. HeldOutQueries,
    ];

    private static IEnumerable<ChargePoint> FittedQueries =>
    [
        Fit("query, 2,000 documents of 563 bytes by an equality, one page",
            new ChargedQuery { Returned = 2_000, DocumentBytes = 1_125_600 / 2_000 }, 604.42, QueryMetrics),
        Fit("query, scan of 60,951 documents of 6.4 KB for 7 results, one page",
            new ChargedQuery { Lookups = 0, Returned = 7, Scanned = 60_951 - 7, DocumentBytes = NutritionBytes }, 4_059.95, Troubleshoot),
        Fit("query, one document of 9,963 bytes by an equality", new ChargedQuery { Returned = 1, DocumentBytes = 9_963 }, 3.19,
            OptimizeCost),
        Fit("query, one document of 6.4 KB by an equality", new ChargedQuery { Returned = 1, DocumentBytes = NutritionBytes }, 2.98,
            Troubleshoot, "the document has its data set's mean size"),
        Fit("query, a partition without a result", new ChargedQuery(), 2.5, IotKeys, "the middle of the stated 2 to 3 RU"),
    ];

    private static IEnumerable<ChargePoint> HeldOutWrites =>
    [
        HoldOut("create of a tiny document", new ChargedCreate(155, 4), 5.71, CapacityPlanner, "155 bytes, 4 indexed terms"),
        HoldOut("replace of a tiny document", new ChargedReplace(155, 1), 10.67, CapacityPlanner,
            "one modified term; with 0 to 4 of them the model says 9.90 to 11.50"),
        HoldOut("delete of a tiny document", new ChargedDelete(155, 4), 5.71, CapacityPlanner, "155 bytes, 4 indexed terms"),
        HoldOut("create, 4 KB, no index (older table)", new ChargedCreate(4 * Kilobyte, 0), 7, RequestUnits2017),
        HoldOut("create, 64 KB, no index (older table)", new ChargedCreate(64 * Kilobyte, 0), 48, RequestUnits2017) with
        {
            Reason = Cheaper,
        },
    ];

    private static IEnumerable<ChargePoint> HeldOutReads =>
    [
        HoldOut("point read, 4 KB (older table)", new ChargedRead(4 * Kilobyte), 1.3, RequestUnits2017),
        HoldOut("point read, 64 KB (older table)", new ChargedRead(64 * Kilobyte), 10, RequestUnits2017) with { Reason = Cheaper },
        HoldOut("point read, 100 KB", new ChargedRead(100 * Kilobyte), 10, Consumption),
    ];

    private static IEnumerable<ChargePoint> HeldOutQueries =>
    [
        HoldOut("query, one small document on one partition, lowest", new ChargedQuery { Returned = 1, DocumentBytes = 512 }, 2.35,
            WriteUps, "512 bytes"),
        HoldOut("query, one small document on one partition, highest", new ChargedQuery { Returned = 1, DocumentBytes = 512 }, 2.9,
            WriteUps, "512 bytes"),
        HoldOut("query by owner, 9 partitions", new ChargedQuery { Pages = 9, Returned = 1, DocumentBytes = 640 }, 29, QueryTuning,
            "one document of 640 bytes"),
        HoldOut("query by owner, one partition", new ChargedQuery { Returned = 1, DocumentBytes = 640 }, 3.4, QueryTuning,
            "one document of 640 bytes"),
        HoldOut("query, one item of 1 KB by id", new ChargedQuery { Returned = 1, DocumentBytes = Kilobyte }, 2.5, RequestUnits2017),
        HoldOut("query, 7 items of 1 KB by an equality", new ChargedQuery { Returned = 7, DocumentBytes = Kilobyte }, 7, RequestUnits2017),
        HoldOut("query, first 10 items of 1 KB", new ChargedQuery { Returned = 10, Scanned = 1, DocumentBytes = Kilobyte }, 10,
            RequestUnits2017, "TOP loads one more than it returns, as SQL query metrics says"),
        HoldOut("query, 100 ordered items of 1 KB", new ChargedQuery { Lookups = 2, Returned = 100, DocumentBytes = Kilobyte }, 70,
            RequestUnits2017),
        HoldOut("query, 1,000 items of 1 KB", new ChargedQuery { Pages = 10, Returned = 1_000, DocumentBytes = Kilobyte }, 1_000,
            OptimizeCost, "pages of 100") with { Reason = PointReadsOnly },
    ];

    /// <summary>The model of the fitted points.</summary>
    internal static ChargeModel CreateModel()
    {
        var fitted = Points.Where(point => point.Use == ChargeUse.Fit).ToList();
        List<SizeCharge> reads =
            [.. fitted.Where(point => point.Operation is ChargedRead)
                .Select(point => new SizeCharge(((ChargedRead)point.Operation).Bytes, point.RequestUnits))];
        List<SizeCharge> writes =
            [.. fitted.Where(point => point.Operation is ChargedCreate { Terms: 0 })
                .Select(point => new SizeCharge(((ChargedCreate)point.Operation).Bytes, point.RequestUnits))];
        return new ChargeModel(
            reads, writes, IndexedTerm, PatchedProperty, QueryCharges.Fit(fitted, new SizeCurve(reads), AssumedLookup));
    }

    private static ChargePoint Fit(
        string name, ChargedOperation operation, double requestUnits, string source, string? assumes = null) => new()
    {
        Name = name, Operation = operation, RequestUnits = requestUnits, Source = source, Use = ChargeUse.Fit, Assumes = assumes,
    };

    /// <summary>A worked example of the documentation, which rounds the 4.95 RU of its own table to 5.0.</summary>
    private static ChargePoint Example(string name, ChargedOperation operation, double requestUnits) =>
        Fit(name, operation, requestUnits, Consumption, "the example writes 5.0 for the table's 4.95");

    private static ChargePoint HoldOut(
        string name, ChargedOperation operation, double requestUnits, string source, string? assumes = null) =>
        Fit(name, operation, requestUnits, source, assumes) with { Use = ChargeUse.HoldOut };
}
