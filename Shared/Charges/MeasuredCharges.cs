using static ScaleOut.Charges.ChargeSources;

namespace ScaleOut.Charges;

/// <summary>
/// Charges that others measured on accounts and published. The charges of index entries and of a query's documents are fitted to one half
/// of them; the other half shows the model's error.
/// </summary>
internal static class MeasuredCharges
{
    /// <summary>A 429 by its own header, in three public logs.</summary>
    public const double Throttled = 0.38;

    private static readonly int[] Sizes = [1_109, 5_109, 10_109, 50_109, 100_109, 200_109, 400_109];

    public static IReadOnlyList<ChargePoint> Points { get; } =
    [
        .. Half("create", [7, 8, 10, 24, 49, 99, 186], bytes => new ChargedCreate(bytes, 1)),
        .. Half("replace", [13, 14, 19, 46, 97, 197, 370], bytes => new ChargedReplace(bytes, 0)),
        .. HeldOut("delete", [7, 8, 10, 24, 49, 99, 186], bytes => new ChargedDelete(bytes, 1)),
        .. HeldOut("point read, Session", [1, 1, 2, 5, 10, 20, 41], bytes => new ChargedRead(bytes)),
        .. HeldOut("point read, Strong", [2, 3, 3, 10, 20, 41, 82], bytes => new ChargedRead(bytes) { Strong = true }),
        .. Half("query by key, Eventual", [3, 3, 3, 4, 5, 6, 10], OneDocument),
        .. Half("query by key, Session", [3, 3, 3, 4, 7, 10, 17], OneDocument),
        Point(ChargeUse.Fit, "create, 6,481 bytes, all 156 values indexed", new ChargedCreate(6_481, 156), 48.38, 0.01, Lab),
        Point(ChargeUse.HoldOut, "create, 6,481 bytes, two values indexed", new ChargedCreate(6_481, 2), 8.38, 0.01, Lab),
        Point(ChargeUse.HoldOut, "create, 6,481 bytes, no index", new ChargedCreate(6_481, 0), 7.05, 0.01, Lab),
        Point(ChargeUse.HoldOut, "create, 1,100 bytes", new ChargedCreate(1_100, 1), 7.05, 0.01, BulkExecutor) with
        {
            Assumes = "the size is about 1 KB; one to three indexed values",
        },
        Point(ChargeUse.HoldOut, "point read, 40,000 bytes", new ChargedRead(40_000), 4.76, 0.01, Lab) with
        {
            Assumes = "the size is not stated",
        },
        Point(ChargeUse.HoldOut, "create, 1 KB, no index", new ChargedCreate(Kilobyte, 0), 5, 1, OlderConsumption),
        Point(ChargeUse.HoldOut, "create, 100 KB, no index", new ChargedCreate(100 * Kilobyte, 0), 50, 1, OlderConsumption),
    ];

    private static ChargedQuery OneDocument(int bytes) => new() { Returned = 1, DocumentBytes = bytes };

    /// <summary>Every other size is fitted, beginning with the smallest.</summary>
    private static IEnumerable<ChargePoint> Half(string name, int[] charges, Func<int, ChargedOperation> operation) =>
        Sizes.Select((bytes, i) => OfSize(i % 2 == 0 ? ChargeUse.Fit : ChargeUse.HoldOut, name, bytes, charges[i], operation));

    private static IEnumerable<ChargePoint> HeldOut(string name, int[] charges, Func<int, ChargedOperation> operation) =>
        Sizes.Select((bytes, i) => OfSize(ChargeUse.HoldOut, name, bytes, charges[i], operation));

    private static ChargePoint OfSize(ChargeUse use, string name, int bytes, int charge, Func<int, ChargedOperation> operation) =>
        Point(use, $"{name}, {bytes.ToString("N0", CultureInfo.InvariantCulture)} bytes", operation(bytes), charge, 1, Payloads);

    private static ChargePoint Point(
        ChargeUse use, string name, ChargedOperation operation, double requestUnits, double roundedTo, string source) =>
        ChargePoint.Create(use, name, operation, requestUnits, source, null) with { RoundedTo = roundedTo };
}
