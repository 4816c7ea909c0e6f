namespace ScaleOut.Charges;

/// <summary>
/// The charge of the index entries of a write: a charge for each entry, and a minimum charge if there are any. Two parameters are fitted:
/// the charge of each entry to a document with many entries, the minimum charges to documents with one entry.
/// </summary>
public sealed record IndexCharges
{
    /// <summary>As the documentation states it: 0.2 RU for each entry, and no fixed charge.</summary>
    public static IndexCharges Documented { get; } = new() { Term = 0.2 };

    /// <summary>RU of each entry that a write adds or removes.</summary>
    public required double Term { get; init; }

    /// <summary>Minimum RU of the entries of a create or delete that has any.</summary>
    public double LeastOfWrite { get; init; }

    /// <summary>Minimum RU of the entries of a replace whose document has any, even if it changes none.</summary>
    public double LeastOfReplace { get; init; }

    /// <summary>RU of the entries of a create or delete.</summary>
    public double Write(int terms) => terms == 0 ? 0 : Math.Max(LeastOfWrite, Term * terms);

    /// <summary>RU of the entries that a replace removes and adds.</summary>
    /// <param name="isIndexed">Whether the document has any entries.</param>
    public double Replace(int changedEntries, bool isIndexed) =>
        changedEntries > 0 || isIndexed ? Math.Max(LeastOfReplace, Term * changedEntries) : 0;

    /// <summary>
    /// Fits the charges to creates of one entry and of many, and to replaces that change no entry. A rounded figure gives a range, so each
    /// charge is the middle of what all its figures permit.
    /// </summary>
    /// <param name="points">Points of <see cref="ChargeUse.Fit"/>.</param>
    internal static IndexCharges Fit(IEnumerable<ChargePoint> points, SizeCurve write)
    {
        List<(ChargePoint Point, double IndexPart)> few = [], many = [], replaces = [];
        foreach (var point in points)
        {
            if (point.Operation is ChargedCreate create)
                (create.Terms == 1 ? few : many).Add((point, point.RequestUnits - write.At(create.Bytes)));
            else if (point.Operation is ChargedReplace replace)
                replaces.Add((point, point.RequestUnits - (2 * write.At(replace.Bytes))));
        }

        var terms = ((ChargedCreate)many.Single().Point.Operation).Terms;
        return new IndexCharges
        {
            Term = Math.Round(Middle(many) / terms, 4), LeastOfWrite = Math.Round(Middle(few), 2),
            LeastOfReplace = Math.Round(Middle(replaces), 2),
        };
    }

    private static double Middle(List<(ChargePoint Point, double IndexPart)> figures) =>
        (figures.Max(figure => figure.IndexPart - (figure.Point.RoundedTo / 2))
            + figures.Min(figure => figure.IndexPart + (figure.Point.RoundedTo / 2))) / 2;
}
