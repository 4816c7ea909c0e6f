namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>
/// Aggregates all rows of the partition, or each group of them. Groups are in the order of their hashes, which splits do not change.
/// </summary>
internal sealed class GroupedPage : QueryPage
{
    private readonly Grouping _groups;
    private readonly bool _isFirst;
    private readonly UInt128? _after;

    public GroupedPage(
        ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
        : base(query, from, pageSize, reader, results, charge)
    {
        _groups = new Grouping(query.Syntax);
        _isFirst = from == default;
        var isAfter = UInt128.TryParse(from.Order, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var after);
        _after = isAfter ? after : null;
    }

    public override bool StartsAtBeginning => true;

    public override bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var match = Reader.Match(in record, body);
        var isLoaded = !Query.CountsDocuments || Query.Condition.LoadsDocuments;
        if (_isFirst && isLoaded && match != DocumentMatch.NotFound)
            Charge.Load(body.Length, match == DocumentMatch.Met);
        if (match != DocumentMatch.Met)
            return true;
        if (Query.CountsDocuments)
        {
            CountDocuments(1);
            return true;
        }

        Reader.Enter(in record, body);
        while (Reader.NextRow())
        {
            _groups.Add(Reader.Scope, _after);
            if (_isFirst)
                Charge.Row();
        }

        return true;
    }

    /// <summary>Counts documents without visiting them.</summary>
    public void CountDocuments(long documents) => _groups.AddCount(documents);

    public override void Complete()
    {
        IsLast = true;
        var hasRows = !Query.Syntax.ReadsDocuments && Query.Condition.Matches([], Reader.Scope) && Reader.FindRow();
        while (hasRows && Reader.NextRow())
            _groups.Add(Reader.Scope, _after);
        var passed = From.Passed;
        var last = _after;
        var scope = Reader.Scope;
        scope.Substitutes = [];
        // The place among ordered groups is their number.
        foreach (var group in _groups.InOrder(scope).Skip(_groups.IsOrdered ? (int)Math.Min(passed, int.MaxValue) : 0))
        {
            if (passed >= Query.End)
                return;
            if (Results.IsFull(PageSize))
            {
                var place = _groups.IsOrdered ? null : last?.ToString("x32", CultureInfo.InvariantCulture);
                Next = new QueryContinuation(From.Partition, From.AfterSequence, passed, place);
                return;
            }

            last = group.Hash;
            if (passed++ < Query.Skip)
                continue;
            var value = _groups.Value(group, scope);
            if (value.IsDefined)
                WriteValue(value, ofDocument: false);
        }
    }
}
