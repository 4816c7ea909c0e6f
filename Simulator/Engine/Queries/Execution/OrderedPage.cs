namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>
/// A page of ORDER BY: the first documents after the continuation. While the page is built, about twice as many results are buffered as it
/// may have, and not many more bytes than fit it and are skipped before it. Equal documents are ordered by resource id, as the SDK expects.
/// </summary>
internal sealed class OrderedPage : QueryPage, IComparer<OrderedPage.Item>
{
    /// <summary>Largest number of characters of values in a continuation token. With more, the token only counts the results.</summary>
    private const int MaxOrder = 1_024;

    /// <summary>Bytes of buffered results from which those are dropped that do not fit the page.</summary>
    private const long MinToCut = 4L * ResultWriter.MaxBytes;

    private readonly IReadOnlyList<OrderItem> _order;
    private readonly bool _isDistinct;
    private readonly List<Item> _items = [];
    private readonly Item? _after;
    private readonly bool _isFirst;

    /// <summary>Number of results before those of the page.</summary>
    private readonly long _before;
    private readonly int _kept;
    private Item? _worst;
    private long _cutAt = MinToCut;
    private bool _isCut;

    public OrderedPage(
        ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
        : base(query, from, pageSize, reader, results, charge)
    {
        _order = query.Syntax.OrderBy;
        _isDistinct = query.Syntax.Select.IsDistinct;
        _after = from.Order is { Length: > 0 } order ? Item.Read(order, _order.Count) : null;
        _isFirst = from == default && query.Resume is null;
        _before = Math.Max(0, query.Skip - from.Passed) + (_after is null ? from.Passed : 0);
        // One result more than the page may have shows whether there is another page.
        _kept = (int)Math.Min(_before + pageSize + 1, int.MaxValue / 2);
    }

    public override bool StartsAtBeginning => true;

    /// <summary>Bytes of the buffered results and of what orders them.</summary>
    public long HeldBytes { get; private set; }

    public override bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var match = Reader.Match(in record, body);
        if (match == DocumentMatch.Rejected && _isFirst)
            Charge.Load(body.Length, isMet: false);
        if (match != DocumentMatch.Met)
            return true;
        Reader.Enter(in record, body);
        for (var row = 0; Reader.NextRow(); row++)
            VisitRow(record.Number, row, body.Length);
        return true;
    }

    private void VisitRow(long number, int row, int bodyBytes)
    {
        var keys = new Datum[_order.Count];
        for (var i = 0; i < keys.Length; i++)
            keys[i] = _order[i].Item.Value.Evaluate(Reader.Scope).Detached();
        var item = new Item(keys, number, row);
        if (!IsAfterStart(item) || (_worst is not null && Compare(item, _worst) >= 0))
            return;
        var value = Query.Syntax.Select.Projection.Evaluate(Reader.Scope);
        if (!value.IsDefined)
            return;
        item.Value = Query.ReturnsDocuments ? Datum.Undefined : value.Detached();
        item.Json = Query.ReturnsDocuments ? Reader.Json.ToArray() : [];
        item.Hash = _isDistinct ? DatumHash.From(value) : 0;
        item.Bytes = bodyBytes;
        _items.Add(item);
        HeldBytes += item.Held;
        if (_items.Count >= _kept * 2L || HeldBytes >= _cutAt)
            Cut();
    }

    public override void Complete()
    {
        IsLast = true;
        _items.Sort(this);
        var distinct = new HashSet<UInt128>();
        // Without the last result's values, the results of all earlier pages are found again and skipped.
        var toPass = _after is null ? From.Passed : 0;
        var passed = From.Passed;
        var last = _after;
        foreach (var item in _items)
        {
            if (_isDistinct && !distinct.Add(item.Hash))
                continue;
            if (toPass-- > 0)
                continue;
            if (passed >= Query.End)
                return;
            if (Results.IsFull(PageSize))
            {
                End();
                return;
            }

            if (item.Number != last?.Number)
                Charge.Load(item.Bytes, isMet: true);
            last = item;
            Charge.Row();
            if (passed++ < Query.Skip)
                continue;
            if (Query.ReturnsDocuments)
            {
                Results.Begin().Write(item.Json);
                Charge.ReturnDocument(item.Bytes);
            }
            else
            {
                WriteValue(item.Value, ofDocument: true);
            }
        }

        if (_isCut && passed < Query.End)
            End();

        void End() =>
            Next = new QueryContinuation(From.Partition, From.AfterSequence, passed, _isDistinct ? "" : last?.ToText() ?? "");
    }

    /// <summary>Compares by the values in their directions, then by resource id in the first direction, then by row.</summary>
    public int Compare(Item? x, Item? y)
    {
        for (var i = 0; i < _order.Count; i++)
        {
            var order = DatumComparison.CompareAll(x!.Keys[i], y!.Keys[i]);
            if (order != 0)
                return _order[i].IsDescending ? -order : order;
        }

        var byNumber = CompareNumbers(x!.Number, y!.Number);
        return byNumber != 0 ? byNumber : x.Row.CompareTo(y.Row);
    }

    private int CompareNumbers(long left, long right) => _order[0].IsDescending ? right.CompareTo(left) : left.CompareTo(right);

    private bool IsAfterStart(Item item)
    {
        if (_after is not null && Compare(item, _after) <= 0)
            return false;
        if (Query.Resume is not { } resume)
            return true;
        for (var i = 0; i < _order.Count; i++)
        {
            var order = resume.Values[i].CompareTo(item.Keys[i]);
            if (order != 0)
                return _order[i].IsDescending ? order > 0 : order < 0;
        }

        return resume.Document is { } document ? CompareNumbers(item.Number, document) >= 0 : !resume.IsExcluded;
    }

    /// <summary>Drops repeated results of DISTINCT, and those for which the page has no place.</summary>
    private void Cut()
    {
        _items.Sort(this);
        var distinct = new HashSet<UInt128>();
        if (_isDistinct)
            _items.RemoveAll(item => !distinct.Add(item.Hash));
        (var kept, var page) = (0, 0L);
        HeldBytes = 0;
        for (var isFull = false; kept < Math.Min(_kept, _items.Count) && !isFull; kept++)
        {
            // One more than fits the page stays here, too.
            isFull = page >= ResultWriter.MaxBytes;
            page += kept < _before ? 0 : _items[kept].Returned;
            HeldBytes += _items[kept].Held;
        }

        _cutAt = Math.Max(MinToCut, 2 * HeldBytes);
        if (kept == _items.Count)
            return;
        _items.RemoveRange(kept, _items.Count - kept);
        _worst = _items[^1];
        _isCut = true;
    }

    /// <summary>A result and the values that order it.</summary>
    /// <param name="Row">Its place among the results of the document.</param>
    internal sealed record Item(Datum[] Keys, long Number, int Row)
    {
        public Datum Value { get; set; }

        public byte[] Json { get; set; } = [];

        public UInt128 Hash { get; set; }

        public int Bytes { get; set; }

        /// <summary>About as many bytes as the result has on a page.</summary>
        public long Returned => Json.Length + Value.Size();

        /// <summary>About as many bytes as it has in memory.</summary>
        public long Held => Returned + Keys.Sum(key => key.Size());

        /// <summary>Null for a text that <see cref="ToText"/> did not make.</summary>
        public static Item? Read(string text, int count)
        {
            try
            {
                Datum[] parts = [.. DatumJson.Parse(text).Items()];
                return parts.Length == count + 2
                    ? new Item([.. parts.Skip(2).Select(one => one.Item(0))], (long)parts[0].Number, (int)parts[1].Number)
                    : null;
            }
            catch (Exception e) when (e is JsonException or InvalidCastException or NullReferenceException)
            {
                // A continuation of another query or program; the caller rejects it.
                return null;
            }
        }

        /// <summary>The number, the row, and each value in its own array, which is empty for undefined. Null if it is too long.</summary>
        public string? ToText()
        {
            var values = Keys.Select(key => key.IsDefined ? $"[{DatumJson.ToText(key)}]" : "[]");
            var text = string.Create(CultureInfo.InvariantCulture, $"[{Number},{Row},{string.Join(',', values)}]");
            return text.Length <= MaxOrder ? text : null;
        }
    }
}
