using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>Which conditions an index decides, so that only documents that meet them are loaded.</summary>
internal static class IndexUse
{
    /// <summary>Functions that an index serves when their first argument is a path and the others come with the query.</summary>
    private static readonly HashSet<string> Functions =
    [
        "IS_DEFINED", "IS_NULL", "IS_BOOL", "IS_BOOLEAN", "IS_NUMBER", "IS_STRING", "IS_ARRAY", "IS_OBJECT", "IS_PRIMITIVE", "CONTAINS",
        "STARTSWITH", "ENDSWITH", "STRINGEQUALS", "REGEXMATCH", "ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY", "ARRAY_CONTAINS_ALL",
    ];

    /// <param name="condition">The condition.</param>
    /// <param name="index">What the index holds; null for one that holds everything.</param>
    public static bool Serves(Expression condition, IndexingPolicy? index)
    {
        return condition switch
        {
            Junction or Unary { Kind: UnaryOperator.Not } => condition.Parts.All(part => Serves(part, index)),
            Binary { IsComparison: true } comparison => IsHeldWithConstants(comparison.Parts)
                || IsHeldWithConstants([comparison.Right, comparison.Left]),
            In or Between or Like => IsHeldWithConstants(condition.Parts),
            Call call => Functions.Contains(call.Function.Name) && IsHeldWithConstants(call.Parts, call.Function.Name),
            _ => IsHeldWithConstants([condition]),
        };

        bool IsHeldWithConstants(IReadOnlyList<Expression> parts, string function = "") =>
            (IsConstant(parts[0]) || IsHeld(parts[0], function)) && parts.Skip(1).All(IsConstant);

        bool IsHeld(Expression value, string function)
        {
            if (Segments(value) is not { Count: > 0 } path)
                return false;
            if (function.StartsWith("ARRAY_", StringComparison.Ordinal))
                path.Add("[]");
            return index?.Holds(path) != false;
        }
    }

    /// <summary>A path of names and positions as an indexing policy writes it; null for anything else.</summary>
    public static List<string>? Segments(Expression expression)
    {
        var segments = new List<string>();
        while (expression is Member { Name: Constant name } member)
        {
            segments.Add(name.Value.Type == DatumType.Text ? name.Value.Text : "[]");
            expression = member.Owner;
        }

        segments.Reverse();
        return expression is Root ? segments : null;
    }

    private static bool IsConstant(Expression expression) => !expression.All().Any(part => part is Root);
}
