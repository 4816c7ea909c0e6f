using ScaleOut.Simulator.Engine.Queries.Expressions;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// What WHERE asks for, as conditions that all must hold: those that an index serves, and those for which documents have to be loaded.
/// </summary>
internal sealed class QueryCondition
{
    private QueryCondition(IReadOnlyList<QueryFilter> filters, IReadOnlyList<Expression> served, IReadOnlyList<Expression> loaded)
    {
        Filters = filters;
        Served = served;
        Loaded = loaded;
    }

    /// <summary>Comparisons of a path with a scalar.</summary>
    public IReadOnlyList<QueryFilter> Filters { get; }

    /// <summary>All else that an index serves.</summary>
    public IReadOnlyList<Expression> Served { get; }

    /// <summary>What is decided on the documents that the index finds.</summary>
    public IReadOnlyList<Expression> Loaded { get; }

    public bool IsEmpty => Filters.Count == 0 && !HasExpressions;

    public bool HasExpressions => Served.Count > 0 || Loaded.Count > 0;

    public static QueryCondition From(Expression? where, QueryScope scope)
    {
        var filters = new List<QueryFilter>();
        var served = new List<Expression>();
        var loaded = new List<Expression>();
        foreach (Expression condition in where is null ? [] : Operands(where))
        {
            if (Filter(condition, scope) is { } filter)
                filters.Add(filter);
            else
                (IndexUse.Serves(condition) ? served : loaded).Add(condition);
        }

        return new QueryCondition(filters, served, loaded);
    }

    /// <summary>Whether the index finds a document.</summary>
    public bool Finds(ReadOnlySpan<byte> body)
    {
        foreach (QueryFilter filter in Filters)
        {
            if (!filter.Matches(body))
                return false;
        }

        return true;
    }

    /// <summary>Whether a JSON object that the scope has entered meets all conditions.</summary>
    public bool Matches(ReadOnlySpan<byte> body, QueryScope scope) => Finds(body) && AreTrue(Served, scope) && AreTrue(Loaded, scope);

    public static bool AreTrue(IReadOnlyList<Expression> conditions, QueryScope scope)
    {
        for (int i = 0; i < conditions.Count; i++)
        {
            if (!conditions[i].Evaluate(scope).IsTrue)
                return false;
        }

        return true;
    }

    private static IEnumerable<Expression> Operands(Expression condition) =>
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
