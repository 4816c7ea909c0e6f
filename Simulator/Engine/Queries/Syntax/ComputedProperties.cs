namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Reads a container's computed properties: a name, and a query for the value of each document, which is not stored.</summary>
internal static class ComputedProperties
{
    /// <summary>Largest number of a container's, as on the service.</summary>
    private const int Max = 20;

    /// <returns>The query of each, by name.</returns>
    /// <exception cref="RequestException">400: a name or a query that the service does not accept.</exception>
    public static IReadOnlyDictionary<string, QuerySyntax> Read(JsonElement list)
    {
        var all = new Dictionary<string, QuerySyntax>(StringComparer.Ordinal);
        foreach (var property in list.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null ? default : list.EnumerateArray())
        {
            var name = property.GetProperty("name").GetString() ?? "";
            var query = QueryGrammar.Parse(property.GetProperty("query").GetString() ?? "");
            var error = name is "" or "id" || SystemProperties.Contains(name) ? "has a name that it cannot have"
                : !all.TryAdd(name, query) ? "is there more than once"
                : all.Count > Max ? $"is one too many: a container has at most {Max}"
                : WhyNotServed(query);
            if (error is not null)
                throw RequestException.BadRequest($"The computed property '{name}' {error}.");
        }

        return all;
    }

    private static string? WhyNotServed(QuerySyntax query) =>
        query.Sources is not [{ IsDocument: true }] ? "must have the whole document in FROM, without JOIN"
        : query is not { Select: { Kind: SelectKind.Value, IsDistinct: false, Top: null }, Where: null, GroupBy.Count: 0 }
            || query.OrderBy.Count > 0 || query.Offset is not null ? "must have no clauses but SELECT VALUE and FROM"
        : query.Select.Projection.All().Any(part => part is Subquery or Aggregate or Parameter or UserCall)
            ? "must have no subqueries, aggregates, parameters or user-defined functions"
        : query.Select.Projection.All().Any(part => part is Call { Function: var function } && IsOfTheMoment(function))
            ? "must have no functions of time or chance"
        : null;

    /// <summary>Whether the value can be another one for the same document.</summary>
    private static bool IsOfTheMoment(Function function) =>
        function.Name == "RAND" || function.Name.StartsWith("GETCURRENT", StringComparison.Ordinal);
}
