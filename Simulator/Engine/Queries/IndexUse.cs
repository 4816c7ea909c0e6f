using ScaleOut.Simulator.Engine.Queries.Expressions;

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

    public static bool Serves(Expression condition) => condition switch
    {
        Junction junction => junction.Parts.All(Serves),
        Unary { Kind: UnaryOperator.Not } not => Serves(not.Parts[0]),
        Binary { IsComparison: true } comparison => IsPathWithConstants(comparison.Parts)
            || IsPathWithConstants([comparison.Right, comparison.Left]),
        In or Between or Like => IsPathWithConstants(condition.Parts),
        Call call => Functions.Contains(call.Function.Name) && IsPathWithConstants(call.Parts),
        _ => IsPath(condition) || IsConstant(condition),
    };

    private static bool IsPathWithConstants(IReadOnlyList<Expression> parts) =>
        (IsPath(parts[0]) || IsConstant(parts[0])) && parts.Skip(1).All(IsConstant);

    /// <summary>A path of names and positions.</summary>
    private static bool IsPath(Expression expression) =>
        expression is Member { Name: Constant } member && (member.Owner is Root || IsPath(member.Owner));

    private static bool IsConstant(Expression expression) => !expression.All().Any(part => part is Root);
}
