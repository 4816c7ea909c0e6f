namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// What WHERE asks for, as conditions that all must hold: those that an index serves, and those for which documents have to be loaded.
/// </summary>
internal sealed class QueryCondition
{
    private readonly List<QueryFilter> _filters = [];
    private readonly List<QueryFilter> _scanned = [];
    private readonly List<Expression> _served = [];
    private readonly List<Expression> _loaded = [];

    private QueryCondition()
    {
    }

    /// <summary>Comparisons of a path with a scalar that an index serves.</summary>
    public IReadOnlyList<QueryFilter> Filters => _filters;

    /// <summary>Comparisons of a path with a scalar for which documents have to be loaded.</summary>
    public IReadOnlyList<QueryFilter> Scanned => _scanned;

    /// <summary>All else that an index serves.</summary>
    public IReadOnlyList<Expression> Served => _served;

    /// <summary>All else that is decided on the documents that the index finds.</summary>
    public IReadOnlyList<Expression> Loaded => _loaded;

    public bool IsEmpty => Filters.Count == 0 && !LoadsDocuments && Served.Count == 0;

    public bool HasExpressions => Served.Count > 0 || Loaded.Count > 0;

    /// <summary>Whether the index alone does not decide it.</summary>
    public bool LoadsDocuments => Scanned.Count > 0 || Loaded.Count > 0;

    /// <param name="where">What WHERE says; null for nothing.</param>
    /// <param name="index">What the index holds; null for one that holds everything.</param>
    public static QueryCondition From(Expression? where, QueryScope scope, IndexingPolicy? index)
    {
        var all = new QueryCondition();
        foreach (Expression condition in where is null ? [] : Operands(where))
        {
            if (Filter(condition, scope) is { } filter)
                (index?.Holds(filter.Path) != false ? all._filters : all._scanned).Add(filter);
            else
                (IndexUse.Serves(condition, index) ? all._served : all._loaded).Add(condition);
        }

        return all;
    }

    /// <summary>Whether a JSON object that the scope has entered meets all conditions.</summary>
    public bool Matches(ReadOnlySpan<byte> body, QueryScope scope) =>
        AreMet(Filters, body) && AreMet(Scanned, body) && AreTrue(Served, scope) && AreTrue(Loaded, scope);

    public static bool AreMet(IReadOnlyList<QueryFilter> filters, ReadOnlySpan<byte> body)
    {
        for (int i = 0; i < filters.Count; i++)
        {
            if (!filters[i].Matches(body))
                return false;
        }

        return true;
    }

    public static bool AreTrue(IReadOnlyList<Expression> conditions, QueryScope scope)
    {
        for (int i = 0; i < conditions.Count; i++)
        {
            if (!conditions[i].Evaluate(scope).IsTrue)
                return false;
        }

        return true;
    }

    /// <summary>The conditions of which all must hold.</summary>
    public static IEnumerable<Expression> Operands(Expression condition) =>
        condition is Junction { IsAnd: true } and ? and.Parts.SelectMany(Operands) : [condition];

    private static QueryFilter? Filter(Expression condition, QueryScope scope)
    {
        if (condition is not Binary { IsComparison: true } comparison)
            return null;
        return Filter(comparison.Left, comparison.Kind, comparison.Right, scope)
            ?? Filter(comparison.Right, Turned(comparison.Kind), comparison.Left, scope);
    }

    private static QueryFilter? Filter(Expression left, BinaryOperator kind, Expression right, QueryScope scope)
    {
        if (right is not (Constant or Parameter) || left.Path() is not { Count: > 0 } path || SystemProperties.Contains(path[0]))
            return null;
        return QueryValue.From(right.Evaluate(scope)) is { } value ? new QueryFilter(path, kind, value) : null;
    }

    private static BinaryOperator Turned(BinaryOperator kind) => kind switch
    {
        BinaryOperator.Less => BinaryOperator.Greater,
        BinaryOperator.LessOrEqual => BinaryOperator.GreaterOrEqual,
        BinaryOperator.Greater => BinaryOperator.Less,
        BinaryOperator.GreaterOrEqual => BinaryOperator.LessOrEqual,
        _ => kind,
    };
}
