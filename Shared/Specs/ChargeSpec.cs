namespace ScaleOut.Specs;

/// <summary>
/// Charges of the simulated account, as they were measured on another one. What is left out is as <see cref="ChargeModel.Documented"/>
/// has it.
/// </summary>
public sealed record ChargeSpec
{
    /// <summary>Fewest points of a table by size.</summary>
    public const int FewestPoints = 2;

    /// <summary>Most points of a table by size.</summary>
    public const int MostPoints = 100;

    /// <summary>Largest size of a point, in bytes: twice what a document may have.</summary>
    public const int LargestBytes = 4 * 1_024 * 1_024;

    /// <summary>Largest charge that can be given, in RU.</summary>
    public const double MostRequestUnits = 100_000;

    /// <summary>Largest part of a read charge that a document of a query can cost.</summary>
    public const double LargestShare = 100;

    /// <summary>Point reads by size, ascending in size and not falling in charge.</summary>
    public IReadOnlyList<SizeCharge>? ReadPoints { get; init; }

    /// <summary>Creates without index entries by size, ascending in size and not falling in charge.</summary>
    public IReadOnlyList<SizeCharge>? WritePoints { get; init; }

    /// <summary>RU of each index entry that a write adds or removes.</summary>
    public double? PerIndexedTerm { get; init; }

    /// <summary>RU of each operation of a patch.</summary>
    public double? PerPatchedProperty { get; init; }

    /// <summary>RU of each page of a query from each physical partition.</summary>
    public double? PerQueryPage { get; init; }

    /// <summary>RU of each condition or ORDER BY of a query that the index serves, on each page.</summary>
    public double? PerIndexLookup { get; init; }

    /// <summary>Part of its read charge that each document costs that a query loads.</summary>
    public double? LoadedShare { get; init; }

    /// <summary>Part of its read charge that each document costs that a query returns, beside <see cref="LoadedShare"/>.</summary>
    public double? ReturnedShare { get; init; }

    /// <summary>The charges of a simulated account: the documented ones with what <paramref name="spec"/> says instead.</summary>
    public static ChargeModel ModelOf(ChargeSpec? spec)
    {
        var documented = ChargeModel.Documented;
        return spec is null ? documented : new ChargeModel(
            spec.ReadPoints ?? documented.ReadPoints,
            spec.WritePoints ?? documented.WritePoints,
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
