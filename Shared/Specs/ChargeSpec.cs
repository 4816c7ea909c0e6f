namespace ScaleOut.Specs;

/// <summary>
/// Charges of the simulated account, measured on another account. Fields that are left out default to those of
/// <see cref="ChargeModel.Default"/>.
/// </summary>
public sealed record ChargeSpec
{
    /// <summary>Minimum number of points of a table by size.</summary>
    public const int MinPoints = 2;

    private const int MaxPoints = 100;
    private const int MaxSystemBytes = 4_096;

    [SpecField("RU of point reads by size, ascending; the standard table when left out.", MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? ReadPoints { get; init; }

    [SpecField("RU of creates without index by size, ascending; the standard table when left out.",
        MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? WritePoints { get; init; }

    [SpecField("RU of each index entry that a write adds or removes; 4/21 when left out.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerIndexEntry { get; init; }

    [SpecField("Bytes that the system properties of a document add to its stored size; {0} when left out.",
        ChargeModel.SystemPropertyBytes, Min = 0, Max = MaxSystemBytes)]
    public int? SystemPropertyBytes { get; init; }

    [SpecField("RU of each operation of a patch; {0} when left out.", ChargeModel.PatchedProperty,
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerPatchedProperty { get; init; }

    [SpecField("RU of the parts of a query's page.")]
    public QueryCharges? Query { get; init; }

    /// <summary>The charges of a simulated account: those of <paramref name="spec"/>, and the standard ones for the rest.</summary>
    public static ChargeModel ModelOf(ChargeSpec? spec)
    {
        var standard = ChargeModel.Default;
        if (spec is null)
            return standard;
        var systemBytes = spec.SystemPropertyBytes ?? ChargeModel.SystemPropertyBytes;
        return new ChargeModel(
            RowsOf(standard.ReadRows, spec.ReadPoints),
            RowsOf(standard.WriteRows, spec.WritePoints),
            spec.PerIndexEntry ?? ChargeModel.IndexEntry,
            spec.PerPatchedProperty ?? ChargeModel.PatchedProperty,
            systemBytes,
            spec.Query ?? standard.Query);

        IReadOnlyList<SizeCharge> RowsOf(IReadOnlyList<SizeCharge> rows, IReadOnlyList<SizeCharge>? measured) =>
            measured is null ? rows : SizeCurve.FromMeasured(rows, measured, systemBytes);
    }
}
