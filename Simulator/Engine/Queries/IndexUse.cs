namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>The conditions that an index decides, so that only documents that meet them are loaded.</summary>
internal static class IndexUse
{
    /// <param name="index">Null for an index of everything.</param>
    public static bool Serves(Expression condition, IndexingPolicy? index)
    {
        return condition switch
        {
            Junction or Unary { Kind: UnaryOperator.Not } => condition.Parts.All(part => Serves(part, index)),
            Binary { IsComparison: true } comparison => IsHeldWithConstants(comparison.Parts)
                || IsHeldWithConstants([comparison.Right, comparison.Left]),
            In or Between or Like => IsHeldWithConstants(condition.Parts),
            // The values of a constant array are looked up like those of IN.
            Call { Parts: [var values, var value] } call when IsListOfValues(call) => IsConstant(values) && IsHeldWithConstants([value]),
            Call call => call.Function.UsesIndex && IsHeldWithConstants(call.Parts, call.Function.Name),
            Subquery exists => exists.IsDecidedBy(part => Serves(part, index)),
            _ => IsHeldWithConstants([condition]),
        };

        bool IsHeldWithConstants(IReadOnlyList<Expression> parts, string function = "") =>
            (IsConstant(parts[0]) || IsHeld(parts[0], function)) && parts.Skip(1).All(IsConstant);

        bool IsHeld(Expression value, string function)
        {
            if (value.Path(withPositions: true) is not { Count: > 0 } path)
                return false;
            if (function.StartsWith("ARRAY_", StringComparison.Ordinal))
                path.Add("[]");
            return index?.Holds(path) != false;
        }
    }

    /// <summary>Whether the condition asks for a value of the document among constant ones.</summary>
    public static bool IsListOfValues(Expression condition) =>
        condition is Call { Function.Name: "ARRAY_CONTAINS", Parts: [var values, var value] } && IsConstant(values) && !IsConstant(value);

    private static bool IsConstant(Expression expression) => !expression.All(withSubqueries: true).Any(part => part is Root);
}

/// <summary>Counts a query's look-ups in a partition's index: one for each value that it compares with, and for each ORDER BY.</summary>
internal static class IndexLookups
{
    public static int Count(QueryCondition condition, QueryScope scope, int orderItems) =>
        condition.Filters.Count + condition.Served.Concat(condition.ServedOfRows).Sum(one => Count(one, scope)) + orderItems;

    private static int Count(Expression condition, QueryScope scope) => condition switch
    {
        Junction or Unary { Kind: UnaryOperator.Not } => condition.Parts.Sum(part => Count(part, scope)),
        In => condition.Parts.Count - 1,
        Call when IndexUse.IsListOfValues(condition) && condition.Parts[0].Evaluate(scope) is { Type: DatumType.Array } values =>
            values.Length,
        Subquery { Syntax.Where: { } where } => Count(where.Value, scope),
        Constant or Parameter => 0,
        _ => 1,
    };
}
