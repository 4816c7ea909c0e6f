namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>The groups of a query's rows with their aggregates; without GROUP BY, one group of all.</summary>
internal sealed class Grouping
{
    private readonly QuerySyntax _syntax;
    private readonly Dictionary<UInt128, Group> _groups = [];

    public Grouping(QuerySyntax syntax)
    {
        _syntax = syntax;
        if (!HasKeys)
            _groups[0] = new Group(0, [], CreateAccumulators());
    }

    public bool HasKeys => _syntax.GroupBy.Count > 0;

    public bool IsOrdered => HasKeys && _syntax.OrderBy.Count > 0;

    /// <summary>Adds the row in the scope to its group.</summary>
    /// <param name="after">Groups up to this hash are left out; null for none.</param>
    public void Add(QueryScope scope, UInt128? after = null)
    {
        if (FindGroup(scope, after) is not { } group)
            return;
        var aggregates = _syntax.Aggregates;
        for (var i = 0; i < aggregates.Count; i++)
            group.Accumulators[i].Add(aggregates[i].Argument.Evaluate(scope));
    }

    /// <summary>Counts rows without looking at them.</summary>
    public void AddCount(long rows)
    {
        foreach (var accumulator in _groups[0].Accumulators)
            accumulator.AddCount(rows);
    }

    /// <summary>The groups by ORDER BY, or else by their hashes.</summary>
    public IEnumerable<Group> InOrder(QueryScope scope)
    {
        var groups = _groups.Values.OrderBy(group => group.Hash).ToList();
        if (!IsOrdered)
            return groups;
        var order = _syntax.OrderBy;
        Datum[] KeysOf(Group group)
        {
            Enter(group, scope);
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
        return groups.OrderBy(KeysOf, byKeys);
    }

    /// <summary>The result of a group. The scope's aggregates and substitutes are then those of the group.</summary>
    public Datum Value(Group group, QueryScope scope)
    {
        Enter(group, scope);
        return _syntax.Select.Projection.Evaluate(scope);
    }

    private void Enter(Group group, QueryScope scope)
    {
        foreach ((var part, var key) in _syntax.GroupParts)
            scope.Substitutes![part] = group.Keys[key];
        scope.Aggregates = [.. group.Accumulators.Select(accumulator => accumulator.Result())];
    }

    /// <summary>The row's group; null if it is left out.</summary>
    private Group? FindGroup(QueryScope scope, UInt128? after)
    {
        if (!HasKeys)
            return _groups[0];
        Datum[] keys = [.. _syntax.GroupBy.Select(key => key.Value.Evaluate(scope))];
        // Keys are wrapped in objects, since an array would leave out undefined ones.
        var hash = DatumHash.From(Datum.From([.. keys.Select(key => Datum.From(
            key.IsDefined ? [KeyValuePair.Create("item", key)] : Array.Empty<KeyValuePair<string, Datum>>()))]));
        if (hash <= after)
            return null;
        if (!_groups.TryGetValue(hash, out var group))
        {
            group = new Group(hash, [.. keys.Select(key => key.Detached())], CreateAccumulators());
            _groups.Add(hash, group);
        }

        return group;
    }

    private Accumulator[] CreateAccumulators() => [.. _syntax.Aggregates.Select(aggregate => new Accumulator(aggregate.Kind))];

    internal sealed record Group(UInt128 Hash, Datum[] Keys, Accumulator[] Accumulators);
}
