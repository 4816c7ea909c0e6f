using System.Collections.Frozen;
using Superpower.Model;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Words that have a meaning of their own, and so name nothing.</summary>
internal static class Keywords
{
    private static readonly FrozenSet<string> Reserved = FrozenSet.Create(
        StringComparer.OrdinalIgnoreCase,
        "AND", "ARRAY", "AS", "ASC", "BETWEEN", "BY", "DESC", "DISTINCT", "ESCAPE", "EXISTS", "FALSE", "FROM", "GROUP", "IN", "JOIN",
        "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "OFFSET", "OR", "ORDER", "RANK", "RIGHT", "SELECT", "TOP", "TRUE", "UDF",
        "UNDEFINED", "VALUE", "WHERE");

    public static bool IsReserved(TextSpan word) => Reserved.Contains(word.ToStringValue());

    /// <summary>Keywords that are functions too.</summary>
    public static bool IsFunction(TextSpan word) => word.EqualsValueIgnoreCase("LEFT") || word.EqualsValueIgnoreCase("RIGHT");
}
