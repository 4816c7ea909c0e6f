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
    private const double MaxShare = 100;

    [SpecField("RU of point reads by size, ascending; the documented table when left out.", MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? ReadPoints { get; init; }

    [SpecField("RU of creates without index by size, ascending; the documented table when left out.",
        MinItems = MinPoints, MaxItems = MaxPoints)]
    public IReadOnlyList<SizeCharge>? WritePoints { get; init; }

    [SpecField("What index entries cost unless perIndexedTerm says it.")]
    public IndexCharging Index { get; init; }

    [SpecField("RU of each index entry that a write adds or removes; by index when left out.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerIndexedTerm { get; init; }

    [SpecField("Least RU of the index entries of a create or delete that has any; 0 beside perIndexedTerm, otherwise by index.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? MinIndexedWrite { get; init; }

    [SpecField("Least RU of the index entries of a replace or patch, even if none changes; 0 beside perIndexedTerm, otherwise by index.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? MinIndexedReplace { get; init; }

    [SpecField("RU of each operation of a patch; as documented when left out.", Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerPatchedProperty { get; init; }

    [SpecField("RU of each page of a query from each physical partition; as documented when left out.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerQueryPage { get; init; }

    [SpecField("RU of each condition or ORDER BY of a query that the index serves, on each page; as documented when left out.",
        Min = 0, Max = SizeCharge.MaxRequestUnits)]
    public double? PerIndexLookup { get; init; }

    [SpecField("Part of its charge by size that each document costs that a query loads; as documented when left out.",
        Min = 0, Max = MaxShare)]
    public double? LoadedShare { get; init; }

    [SpecField("Part of its charge by size that each document costs besides that a query returns; as documented when left out.",
        Min = 0, Max = MaxShare)]
    public double? ReturnedShare { get; init; }

    [SpecField("Exponent of a read's growth with the size that a query's documents have: 1 for all of it; 0.82 when left out.",
        Min = 0, Max = 1)]
    public double? QuerySizeExponent { get; init; }

    /// <summary>The charges of a simulated account: those of <paramref name="spec"/>, and the documented ones for the rest.</summary>
    public static ChargeModel ModelOf(ChargeSpec? spec)
    {
        var defaults = ChargeModel.Default;
        return spec is null ? defaults : new ChargeModel(
            spec.ReadPoints is null ? defaults.ReadPoints : SizeCurve.FromMeasured(defaults.ReadPoints, spec.ReadPoints),
            spec.WritePoints is null ? defaults.WritePoints : SizeCurve.FromMeasured(defaults.WritePoints, spec.WritePoints),
            IndexOf(spec),
            spec.PerPatchedProperty ?? defaults.PatchedProperty,
            new QueryCharges
            {
                Page = spec.PerQueryPage ?? defaults.Query.Page,
                Lookup = spec.PerIndexLookup ?? defaults.Query.Lookup,
                LoadedShare = spec.LoadedShare ?? defaults.Query.LoadedShare,
                ReturnedShare = spec.ReturnedShare ?? defaults.Query.ReturnedShare,
                SizeExponent = spec.QuerySizeExponent ?? defaults.Query.SizeExponent,
            });
    }

    private static IndexCharges IndexOf(ChargeSpec spec)
    {
        var named = spec.Index == IndexCharging.Documented ? IndexCharges.Documented : ChargeModel.Default.Index;
        // A charge of each entry without a least one means the whole charge, as the documentation does.
        var otherwise = spec.PerIndexedTerm is { } term ? new IndexCharges { Term = term } : named;
        return otherwise with
        {
            LeastOfWrite = spec.MinIndexedWrite ?? otherwise.LeastOfWrite,
            LeastOfReplace = spec.MinIndexedReplace ?? otherwise.LeastOfReplace,
        };
    }
}

/// <summary>Named charges of index entries.</summary>
public enum IndexCharging
{
    /// <summary>0.265 RU for each entry, and at least 0.96 RU (0.41 RU for a replace).</summary>
    Measured,

    /// <summary>0.2 RU for each entry.</summary>
    Documented,
}
