namespace ScaleOut.Specs;

/// <summary>
/// Charges of the simulated account, measured on another account. Fields that are left out default to those of
/// <see cref="ChargeModel.Documented"/>.
/// </summary>
public sealed record ChargeSpec
{
    /// <summary>Minimum number of points of a table by size.</summary>
    public const int MinPoints = 2;

    private const int MaxPoints = 100;
    private const double MaxShare = 100;

    [SpecField("RU of point reads by size, ascending; the documented table when left out.", MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? ReadPoints { get; init; }

    [SpecField("RU of creates without index by size, ascending; the documented table when left out.",
        MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? WritePoints { get; init; }

    [SpecField("RU of each index entry that a write adds or removes; as documented when left out.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerIndexedTerm { get; init; }

    [SpecField("RU of each operation of a patch; as documented when left out.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerPatchedProperty { get; init; }

    [SpecField("RU of each page of a query from each physical partition; as documented when left out.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerQueryPage { get; init; }

    [SpecField("RU of each condition or ORDER BY of a query that the index serves, on each page; as documented when left out.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerIndexLookup { get; init; }

    [SpecField("Part of its read charge that each document costs that a query loads; as documented when left out.",
        Min = 0, Max = MaxShare)]
    public double? LoadedShare { get; init; }

    [SpecField("Part of its read charge that each document costs besides that a query returns; as documented when left out.",
        Min = 0, Max = MaxShare)]
    public double? ReturnedShare { get; init; }

    /// <summary>The charges of a simulated account: those of <paramref name="spec"/>, and the documented ones for the rest.</summary>
    public static ChargeModel ModelOf(ChargeSpec? spec)
    {
        var documented = ChargeModel.Documented;
        return spec is null ? documented : new ChargeModel(
            spec.ReadPoints is null ? documented.ReadPoints : SizeCurve.FromMeasured(documented.ReadPoints, spec.ReadPoints),
            spec.WritePoints is null ? documented.WritePoints : SizeCurve.FromMeasured(documented.WritePoints, spec.WritePoints),
            spec.PerIndexedTerm ?? documented.IndexedTerm,
            spec.PerPatchedProperty ?? documented.PatchedProperty,
            new QueryCharges
            {
                Page = spec.PerQueryPage ?? documented.Query.Page,
                Lookup = spec.PerIndexLookup ?? documented.Query.Lookup,
                LoadedShare = spec.LoadedShare ?? documented.Query.LoadedShare,
                ReturnedShare = spec.ReturnedShare ?? documented.Query.ReturnedShare,
            });
    }
}
