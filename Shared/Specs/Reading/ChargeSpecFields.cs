using ScaleOut.Charges;

namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="ChargeSpec"/>.</summary>
internal static class ChargeSpecFields
{
    public static ChargeSpec Read(ISpecObject charges) => new()
    {
        ReadPoints = Points(charges, "readPoints", "RU of point reads by size, ascending; the documented table when left out."),
        WritePoints = Points(charges, "writePoints", "RU of creates without index by size, ascending; the documented table when left out."),
        PerIndexedTerm = RequestUnits(charges, "perIndexedTerm", "RU of each index entry that a write adds or removes"),
        PerPatchedProperty = RequestUnits(charges, "perPatchedProperty", "RU of each operation of a patch"),
        PerQueryPage = RequestUnits(charges, "perQueryPage", "RU of each page of a query from each physical partition"),
        PerIndexLookup = RequestUnits(charges, "perIndexLookup", "RU of each condition or ORDER BY of a query that the index serves"),
        LoadedShare = Share(charges, "loadedShare", "Part of its read charge that a document costs that a query loads"),
        ReturnedShare = Share(charges, "returnedShare", "Part of its read charge that a document costs besides that a query returns"),
    };

    private static IReadOnlyList<SizeCharge>? Points(ISpecObject charges, string name, string about) =>
        charges.Field(name, about).List(item => item.Nested(Point)!, ChargeSpec.FewestPoints, ChargeSpec.MostPoints);

    private static SizeCharge Point(ISpecObject point) => new(
        point.Required("bytes", "Size of the document.").Whole(1, ChargeSpec.LargestBytes) ?? 1,
        point.Required("requestUnits", "What it is charged.").Number(0, ChargeSpec.MostRequestUnits, aboveMinimum: true) ?? 1);

    private static double? RequestUnits(ISpecObject charges, string name, string about) =>
        charges.Field(name, $"{about}; as documented when left out.").Number(0, ChargeSpec.MostRequestUnits);

    private static double? Share(ISpecObject charges, string name, string about) =>
        charges.Field(name, $"{about}; as documented when left out.").Number(0, ChargeSpec.LargestShare);
}
