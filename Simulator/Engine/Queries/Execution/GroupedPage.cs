namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>
/// Aggregates all documents of the partition, or each group of them. Groups are in the order of their hashes, which splits do not change.
/// </summary>
internal sealed class GroupedPage : QueryPage
{
    private readonly Dictionary<UInt128, Group> _groups = [];
    private readonly bool _hasGroups;
    private readonly bool _isFirst;
    private readonly bool _isOrdered;
    private readonly UInt128? _after;

    public GroupedPage(
        ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
        : base(query, from, pageSize, reader, results, charge)
    {
        _hasGroups = query.Syntax.GroupBy.Count > 0;
        _isOrdered = _hasGroups && query.Syntax.OrderBy.Count > 0;
        _isFirst = from == default;
        var isAfter = UInt128.TryParse(from.Order, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var after);
        _after = isAfter ? after : null;
        if (!_hasGroups)
            _groups[0] = new Group(0, [], CreateAccumulators());
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
        if (FindGroup() is not { } group)
            return true;
        var aggregates = Query.Syntax.Aggregates;
        for (var i = 0; i < aggregates.Count; i++)
            group.Accumulators[i].Add(aggregates[i].Argument.Evaluate(Reader.Scope));
        return true;
    }

    /// <summary>Counts documents without visiting them.</summary>
    public void CountDocuments(long documents)
    {
        foreach (var accumulator in _groups[0].Accumulators)
            accumulator.AddCount(documents);
    }

    public override void Complete()
    {
        IsLast = true;
        var passed = From.Passed;
        var last = _after;
        var scope = Reader.Scope;
        scope.Substitutes = [];
        foreach (var group in InOrder(scope))
        {
            if (passed >= Query.End)
                return;
            if (Results.IsFull(PageSize))
            {
                var place = _isOrdered ? null : last?.ToString("x32", CultureInfo.InvariantCulture);
                Next = new QueryContinuation(From.Partition, From.AfterSequence, passed, place);
                return;
            }

            last = group.Hash;
            if (passed++ < Query.Skip)
                continue;
            EnterGroup(scope, group);
            scope.Aggregates = [.. group.Accumulators.Select(accumulator => accumulator.Result())];
            var value = ResultWriter.Project(Query.Syntax.Select, scope);
            if (value.IsDefined)
                WriteValue(value, ofDocument: false);
        }
    }

    /// <summary>
    /// The groups after those of earlier pages: by ORDER BY, or by their hashes. The place among ordered groups is their number.
    /// </summary>
    private IEnumerable<Group> InOrder(QueryScope scope)
    {
        var groups = _groups.Values.OrderBy(group => group.Hash).ToList();
        if (!_isOrdered)
            return groups;
        var order = Query.Syntax.OrderBy;
        Datum[] KeysOf(Group group)
        {
            EnterGroup(scope, group);
            return [.. order.Select(item => item.Item.Value.Evaluate(scope))];
        }

        var byKeys = Comparer<Datum[]>.Create((left, right) =>
        {
            for (var i = 0; i < order.Count; i++)
            {
                var difference = DatumComparison.CompareAll(left[i], right[i]);
                if (difference != 0)
                    return order[i].IsDescending ? -difference : difference;
            }

            return 0;
        });
        return groups.OrderBy(KeysOf, byKeys).Skip((int)Math.Min(From.Passed, int.MaxValue));
    }

    private void EnterGroup(QueryScope scope, Group group)
    {
        foreach ((var part, var key) in Query.Syntax.GroupParts)
            scope.Substitutes![part] = group.Keys[key];
    }

    /// <summary>The document's group; null if it was on an earlier page.</summary>
    private Group? FindGroup()
    {
        if (!_hasGroups)
            return _groups[0];
        Datum[] keys = [.. Query.Syntax.GroupBy.Select(key => key.Value.Evaluate(Reader.Scope))];
        // Keys are wrapped in objects, since an array would leave out undefined ones.
        var hash = DatumHash.From(Datum.From([.. keys.Select(key => Datum.From(
            key.IsDefined ? [KeyValuePair.Create("item", key)] : Array.Empty<KeyValuePair<string, Datum>>()))]));
        if (hash <= _after)
            return null;
        if (!_groups.TryGetValue(hash, out var group))
        {
            group = new Group(hash, [.. keys.Select(key => key.Detached())], CreateAccumulators());
            _groups.Add(hash, group);
        }

        return group;
    }

    private Accumulator[] CreateAccumulators() => [.. Query.Syntax.Aggregates.Select(aggregate => new Accumulator(aggregate.Kind))];

    private sealed record Group(UInt128 Hash, Datum[] Keys, Accumulator[] Accumulators);
}
