namespace ScaleOut.Charges;

/// <summary>
/// What operations cost. A write costs its rows and index entries on each of four replicas, a read its row on one. The parts are whole
/// 21sts of a RU, which are added up and rounded once, at the end of a request. docs/charges.md has the evidence.
/// </summary>
public sealed class ChargeModel
{
    /// <summary>
    /// Charge of a read at Strong or BoundedStaleness consistency over the charge at a weaker level, because two replicas are asked.
    /// </summary>
    public const int StrongReadFactor = 2;

    /// <summary>Replicas that pay for a write.</summary>
    public const int WriteReplicas = 4;

    /// <summary>Bytes that the system properties of a document add to its stored size, with their quotes and commas.</summary>
    public const int SystemPropertyBytes = 205;

    /// <summary>RU of a 429 by its own header. Whether the service takes it from the budget is not documented; here it does not.</summary>
    public const double Throttled = 0.38;

    /// <summary>RU of a patch beside its replace.</summary>
    private const double Patching = 0.286;

    /// <summary>RU of each operation of a patch.</summary>
    public const double PatchedProperty = 0.029;

    /// <summary>RU of each unique key of the container, on each replica that looks for its values.</summary>
    public const double UniqueKey = 0.371;

    /// <summary>RU of an index entry that a write adds or removes: one 21st on each replica.</summary>
    public static readonly double IndexEntry = RequestUnits.FromTwentyFirsts(WriteReplicas).Value;

    /// <summary>Rows by stored size in KB, in 21sts: a read, and a write on each replica.</summary>
    private static readonly (int Kilobytes, int Read, int Write)[] Rows =
    [
        (1, 21, 26), (2, 22, 33), (4, 24, 35), (8, 28, 37), (16, 35, 50), (32, 46, 59), (64, 100, 119), (128, 209, 253), (256, 426, 516),
        (512, 860, 969),
    ];

    /// <summary>Rows that are only documented, in RU.</summary>
    private static readonly (int Kilobytes, double Read, double Write)[] DocumentedRows = [(1_024, 145.9, 625), (2_048, 291.8, 1_250)];

    private readonly SizeCurve _read;
    private readonly SizeCurve _write;
    private readonly RequestUnits _entry;
    private readonly double _patchedProperty;
    private readonly int _systemBytes;

    /// <param name="readRows">Charges of point reads by stored size, at least two, ascending.</param>
    /// <param name="writeRows">Charges of creates without index entries by stored size, at least two, ascending.</param>
    /// <exception cref="ArgumentException">A table has fewer than two rows, or its sizes do not ascend.</exception>
    public ChargeModel(
        IReadOnlyList<SizeCharge> readRows, IReadOnlyList<SizeCharge> writeRows, double indexEntry, double patchedProperty,
        int systemBytes, QueryCharges query)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(indexEntry);
        ArgumentOutOfRangeException.ThrowIfNegative(patchedProperty);
        (ReadRows, WriteRows, Query) = (readRows, writeRows, query);
        (_patchedProperty, _systemBytes, _entry) = (patchedProperty, systemBytes, RequestUnits.From(indexEntry));
        (_read, _write) = (new SizeCurve(readRows), new SizeCurve(writeRows));
        Rejected = new RequestUnits(_write.At(0).Parts / WriteReplicas);
        EmptyRead = _read.At(0);
    }

    public static ChargeModel Default { get; } = new(
        [
            .. Rows.Select(row => new SizeCharge(row.Kilobytes * 1_024, RequestUnits.FromTwentyFirsts(row.Read).Value)),
            .. DocumentedRows.Select(row => new SizeCharge(row.Kilobytes * 1_024, row.Read)),
        ],
        [
            .. Rows.Select(row => new SizeCharge(row.Kilobytes * 1_024, RequestUnits.FromTwentyFirsts(WriteReplicas * row.Write).Value)),
            .. DocumentedRows.Select(row => new SizeCharge(row.Kilobytes * 1_024, row.Write)),
        ],
        IndexEntry, PatchedProperty, SystemPropertyBytes, new QueryCharges());

    /// <summary>Charges of point reads by stored size, at session or eventual consistency.</summary>
    public IReadOnlyList<SizeCharge> ReadRows { get; }

    /// <summary>Charges of creates by stored size, without index entries.</summary>
    public IReadOnlyList<SizeCharge> WriteRows { get; }

    /// <summary>What the parts of a query cost.</summary>
    public QueryCharges Query { get; }

    /// <summary>
    /// A write that is refused once it is read (400, 404, 412): the smallest row, on one replica. Measured for documents of the first row.
    /// </summary>
    public RequestUnits Rejected { get; }

    /// <summary>A read or feed page that returns nothing (404, 304).</summary>
    public RequestUnits EmptyRead { get; }

    /// <summary>A point read. A page of a feed costs the point reads of what it returns.</summary>
    /// <param name="bytes">The document's JSON in UTF-8, minified.</param>
    public RequestUnits Read(long bytes) => _read.At(StoredBytes(bytes));

    /// <summary>A create, an upsert of a new document, or the delete of the same document.</summary>
    /// <param name="bytes">The document's JSON in UTF-8, minified.</param>
    /// <param name="entries">See <see cref="IndexEntries"/>.</param>
    public RequestUnits Create(long bytes, int entries)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(entries);
        return _write.At(StoredBytes(bytes)) + (_entry * entries);
    }

    /// <summary>A replace, or an upsert of an existing document: both documents are written, but only the entries that differ.</summary>
    /// <param name="changedEntries">Index entries that go or come, together: two for a value that was modified.</param>
    public RequestUnits Replace(long oldBytes, long newBytes, int changedEntries)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(changedEntries);
        return _write.At(StoredBytes(oldBytes)) + _write.At(StoredBytes(newBytes)) + (_entry * changedEntries);
    }

    /// <param name="replace">Charge of replacing the document by its patched form.</param>
    /// <param name="operations">Number of the patch's operations.</param>
    public RequestUnits Patch(RequestUnits replace, int operations) =>
        replace + RequestUnits.From(Patching + (_patchedProperty * operations));

    /// <summary>What the unique keys of a container add to each of its writes.</summary>
    /// <param name="keys">Number of keys, whatever their paths.</param>
    public static RequestUnits UniqueKeys(int keys) => RequestUnits.From(UniqueKey) * (WriteReplicas * keys);

    /// <summary>
    /// A create whose id exists, or whose unique values another document has (409): the smallest row, the entries and the unique keys, on
    /// one replica.
    /// </summary>
    public RequestUnits Conflict(int entries, int uniqueKeys = 0) =>
        new RequestUnits(Rejected.Parts + (_entry.Parts * entries / WriteReplicas)) + (RequestUnits.From(UniqueKey) * uniqueKeys);

    /// <summary>The size that decides about a document's row.</summary>
    /// <param name="bytes">The document's JSON in UTF-8, minified.</param>
    public long StoredBytes(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        return bytes + _systemBytes;
    }
}
