using static ScaleOut.Charges.ChargeSources;

namespace ScaleOut.Charges;

/// <summary>
/// The documented figures that the default model is made from, beside half of <see cref="MeasuredCharges"/>. A change here changes what
/// operations cost. The tests have figures that only check the model, in <c>HeldOutCharges</c>. <c>docs/charges.md</c> shows all, each with
/// the model's own charge.
/// </summary>
internal static class DocumentedCharges
{
    /// <summary>
    /// RU of an index look-up of a query. It is assumed to equal the documented charge for writing an index entry, because no published
    /// point separates it from the base charge of a page. Only queries with several conditions depend on it.
    /// </summary>
    private const double AssumedLookup = 0.2;

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

    public static IReadOnlyList<ChargePoint> Points { get; } =
    [
        .. Table.Select(row => Fit($"point read, {row.Kilobytes:N0} KB", new ChargedRead(row.Kilobytes * Kilobyte), row.Read, Consumption)),
        .. Table.Select(row => Fit(
            $"create, {row.Kilobytes:N0} KB, no index", new ChargedCreate(row.Kilobytes * Kilobyte, 0), row.Write, Consumption)),
        Fit("query, 2,000 documents of 563 bytes by an equality, one page",
            new ChargedQuery { Returned = 2_000, DocumentBytes = 1_125_600 / 2_000 }, 604.42, QueryMetrics),
        Fit("query, scan of 60,951 documents of 6.4 KB for 7 results, one page",
            new ChargedQuery { Lookups = 0, Returned = 7, Scanned = 60_951 - 7, DocumentBytes = NutritionBytes }, 4_059.95, Troubleshoot),
        Fit("query, one document of 9,963 bytes by an equality", new ChargedQuery { Returned = 1, DocumentBytes = 9_963 }, 3.19,
            OptimizeCost),
        Fit("query, one document of 6.4 KB by an equality", new ChargedQuery { Returned = 1, DocumentBytes = NutritionBytes }, 2.98,
            Troubleshoot, "the document has its data set's mean size"),
        Fit("query, a partition without a result", new ChargedQuery(), 2.5, IotKeys, "the middle of the stated 2 to 3 RU"),
        ChargePoint.Create(
            ChargeUse.Form, "query, 100 ordered items of 1 KB",
            new ChargedQuery { Lookups = 2, Returned = 100, DocumentBytes = Kilobyte }, 70, RequestUnits2017,
            "no parameter is fitted to it, but documents below 1 KB count in proportion because it is then met better"),
    ];

    /// <summary>Fits a model to these points.</summary>
    internal static ChargeModel CreateModel()
    {
        List<SizeCharge> reads =
            [.. Points.Where(point => point.Operation is ChargedRead)
                .Select(point => new SizeCharge(((ChargedRead)point.Operation).Bytes, point.RequestUnits))];
        List<SizeCharge> writes =
            [.. Points.Where(point => point.Operation is ChargedCreate)
                .Select(point => new SizeCharge(((ChargedCreate)point.Operation).Bytes, point.RequestUnits))];
        var measured = MeasuredCharges.Points.Where(point => point.Use == ChargeUse.Fit);
        return new ChargeModel(
            reads, writes, IndexCharges.Fit(measured, new SizeCurve(writes)), PatchedProperty,
            QueryCharges.Fit(Points.Where(point => point.Use == ChargeUse.Fit).Concat(measured), reads, AssumedLookup));
    }

    private static ChargePoint Fit(
        string name, ChargedOperation operation, double requestUnits, string source, string? assumes = null) =>
        ChargePoint.Create(ChargeUse.Fit, name, operation, requestUnits, source, assumes);
}
