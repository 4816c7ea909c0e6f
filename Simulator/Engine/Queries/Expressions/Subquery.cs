namespace ScaleOut.Simulator.Engine.Queries.Expressions;

internal enum SubqueryKind
{
    /// <summary>The result, or undefined if there is none: <c>(SELECT VALUE ...)</c>.</summary>
    Scalar,

    /// <summary>Whether there is a result: <c>EXISTS(SELECT ...)</c>.</summary>
    Exists,

    /// <summary>All results: <c>ARRAY(SELECT ...)</c>.</summary>
    Array,

    /// <summary>A source of FROM or JOIN, which has no value as an expression.</summary>
    Source,
}

/// <summary>A query within another one. It has results for each row of the outer query, whose values it may use.</summary>
/// <param name="text">The subquery in its brackets.</param>
internal sealed class Subquery(SubqueryKind kind, QuerySyntax syntax, string text, TextPlace place)
    : Expression([.. syntax.AllExpressions()])
{
    public SubqueryKind Kind => kind;

    public QuerySyntax Syntax => syntax;

    public string Text => text;

    public TextPlace Place => place;

    protected override string Label => text;

    /// <summary>The defined results, in order.</summary>
    public IEnumerable<Datum> Results(QueryScope scope)
    {
        var results = syntax.IsAggregate ? Groups(scope) : syntax.Rows(scope).Select(_ => syntax.Select.Projection.Evaluate(scope));
        results = results.Where(result => result.IsDefined);
        if (!syntax.Select.IsDistinct)
            return results;
        // Of several documents, every result is one once; of one row of an outer query, it is so for each row.
        var known = scope.KnownResults(this) ?? [];
        return results.Where(result => known.Add(DatumHash.From(result)));
    }

    /// <summary>Whether an index that decides its condition also decides whether it has results.</summary>
    public bool IsDecidedBy(Func<Expression, bool> isServed) => kind == SubqueryKind.Exists && !syntax.IsAggregate
        && syntax.Sources.All(source => source.IsDocument || source.Path(withPositions: true) is not null)
        && (syntax.Where is not { } where || isServed(where.Value));

    protected override Datum EvaluateCore(QueryScope scope) => kind switch
    {
        SubqueryKind.Exists => Datum.From(Results(scope).Any()),
        SubqueryKind.Array => Datum.From([.. Results(scope).Select(result => Produced(result, scope))]),
        _ => Results(scope).FirstOrDefault(),
    };

    /// <summary>Counts a result with its text, because many rows may repeat a large value.</summary>
    private static Datum Produced(Datum result, QueryScope scope)
    {
        scope.Produce(result.Size());
        return result;
    }

    private List<Datum> Groups(QueryScope scope)
    {
        var grouping = new Grouping(syntax);
        foreach (var _ in syntax.Rows(scope))
            grouping.Add(scope);
        (var aggregates, var substitutes) = (scope.Aggregates, scope.Substitutes);
        scope.Substitutes = substitutes is null ? [] : new(substitutes);
        List<Datum> results = [.. grouping.InOrder(scope).Select(group => grouping.Value(group, scope))];
        (scope.Aggregates, scope.Substitutes) = (aggregates, substitutes);
        return results;
    }
}
