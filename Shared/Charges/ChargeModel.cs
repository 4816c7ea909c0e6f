namespace ScaleOut.Charges;

/// <summary>
/// What operations cost in request units. Two tables give the charge by document size, in steps; index entries, patched properties and
/// the parts of a query add to it. <see cref="Default"/> is made from <see cref="DocumentedCharges"/> and <see cref="MeasuredCharges"/>.
/// Other models come from charges that were measured on an account. Charges of whole operations are rounded to two decimals, as the
/// service states them.
/// </summary>
public sealed class ChargeModel
{
    /// <summary>
    /// Charge of a read at Strong or BoundedStaleness consistency over the charge at a weaker level (Azure Cosmos DB documentation,
    /// "Consistency levels" and "Optimize request cost").
    /// </summary>
    public const int StrongReadFactor = 2;

    /// <summary>RU of a 429 by its own header. Whether the service takes it from the budget is not documented; here it does not.</summary>
    public const double Throttled = MeasuredCharges.Throttled;

    private readonly SizeCurve _read;
    private readonly SizeCurve _write;
    private readonly SizeCurve _queried;

    /// <param name="readPoints">Charges of point reads, at least two, by ascending size.</param>
    /// <param name="writePoints">Charges of creates without index entries, at least two, by ascending size.</param>
    /// <exception cref="ArgumentException">A table has fewer than two points, or its sizes do not ascend.</exception>
    public ChargeModel(
        IReadOnlyList<SizeCharge> readPoints, IReadOnlyList<SizeCharge> writePoints, IndexCharges index, double patchedProperty,
        QueryCharges query)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(patchedProperty);
        (ReadPoints, WritePoints, Index, PatchedProperty, Query) = (readPoints, writePoints, index, patchedProperty, query);
        _read = new SizeCurve(readPoints);
        _write = new SizeCurve(writePoints);
        _queried = query.CurveFrom(readPoints);
    }

    /// <summary>The documented tables, with index entries and queries as published charges have them.</summary>
    public static ChargeModel Default { get; } = DocumentedCharges.CreateModel();

    /// <summary>Charges of point reads by size, at session or eventual consistency.</summary>
    public IReadOnlyList<SizeCharge> ReadPoints { get; }

    /// <summary>Charges of creates by size, without index entries.</summary>
    public IReadOnlyList<SizeCharge> WritePoints { get; }

    /// <summary>What the index entries of writes cost.</summary>
    public IndexCharges Index { get; }

    /// <summary>RU of each operation of a patch.</summary>
    public double PatchedProperty { get; }

    /// <summary>What the parts of a query cost.</summary>
    public QueryCharges Query { get; }

    /// <summary>Rounds to two decimals, halves away from zero.</summary>
    public static double Round(double charge) => Math.Round(charge * 100, MidpointRounding.AwayFromZero) / 100;

    /// <summary>A point read. A page of a feed costs the point reads of what it returns.</summary>
    /// <param name="bytes">The document's JSON in UTF-8.</param>
    public double Read(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return Round(_read.At(bytes));
    }

    /// <summary>A create.</summary>
    /// <param name="bytes">The document's JSON in UTF-8.</param>
    /// <param name="indexedTerms">Scalar values of the document that go into the index, <c>id</c> and system properties not counted; 0
    /// with indexing off or lazy.</param>
    public double Create(long bytes, int indexedTerms)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        ArgumentOutOfRangeException.ThrowIfNegative(indexedTerms);
        return Round(_write.At(bytes) + Index.Write(indexedTerms));
    }

    /// <summary>A delete costs as much as the create of the same document.</summary>
    public double Delete(long bytes, int indexedTerms) => Create(bytes, indexedTerms);

    /// <summary>
    /// A replace deletes the old document and inserts the new one. Only the index entries that differ are removed and added.
    /// </summary>
    /// <param name="changedEntries">Index entries removed and added, together: two for a value that was modified.</param>
    /// <param name="isIndexed">Whether the document has any index entries.</param>
    public double Replace(long oldBytes, long newBytes, int changedEntries, bool isIndexed)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(oldBytes);
        ArgumentOutOfRangeException.ThrowIfNegative(newBytes);
        ArgumentOutOfRangeException.ThrowIfNegative(changedEntries);
        return Round(_write.At(oldBytes) + _write.At(newBytes) + Index.Replace(changedEntries, isIndexed));
    }

    /// <summary>
    /// A patch costs a replace, and <see cref="PatchedProperty"/> for each of its operations, which is rounded before it is added.
    /// </summary>
    /// <param name="replace">RU of replacing the document by its patched form, see <see cref="Replace"/>.</param>
    public double Patch(double replace, int properties) => Round(replace + Round(PatchedProperty * properties));

    /// <summary>The part of a query's page that does not depend on documents; not rounded.</summary>
    /// <param name="lookups">Conditions and ORDER BY that the index serves.</param>
    public double QueryPage(int lookups) => Query.Page + (Query.Lookup * lookups);

    /// <summary>What a query adds for a document that it loads; not rounded.</summary>
    public double QueryLoaded(long bytes) => Query.LoadedShare * _queried.Smooth(bytes);

    /// <summary>What a query adds for a result of some size, beside its loading; not rounded.</summary>
    public double QueryReturned(long bytes) => Query.ReturnedShare * _queried.Smooth(bytes);
}
