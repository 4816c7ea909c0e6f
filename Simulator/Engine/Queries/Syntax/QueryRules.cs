using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries.Expressions;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>What a query must keep to beyond the grammar.</summary>
internal static class QueryRules
{
    /// <summary>The query with what is known of it as a whole.</summary>
    /// <exception cref="RequestException">400: names nothing, or mixes clauses that do not go together.</exception>
    public static QuerySyntax Check(QuerySyntax query)
    {
        CheckNames(query);
        CheckOrder(query);
        if (query.Select.Top is not null && query.Offset is not null)
            throw Rejected("'TOP' cannot be used together with 'OFFSET' and 'LIMIT'.");

        IEnumerable<Expression> elsewhere = query.Expressions().Skip(query.Select.Items.Count);
        if (elsewhere.Any(expression => expression.All().Any(part => part is Aggregate)))
            throw Rejected("Aggregates are allowed in SELECT only.");
        Aggregate[] aggregates = [.. query.Select.Items.SelectMany(item => item.Item.Value.All()).OfType<Aggregate>()];
        for (int slot = 0; slot < aggregates.Length; slot++)
        {
            if (aggregates[slot].Argument.All().Any(part => part is Aggregate))
                throw Rejected("An aggregate cannot be the argument of an aggregate.");
            aggregates[slot].Slot = slot;
        }

        if (query.Source is null && (query.Select.Kind == SelectKind.All || aggregates.Length > 0 || query.GroupBy.Count > 0))
            throw Rejected("'SELECT *', 'GROUP BY' and aggregates are not valid if FROM clause is omitted.");
        query = query with
        {
            Aggregates = aggregates,
            Parameters = [.. query.Expressions().SelectMany(one => one.All()).OfType<Parameter>().Select(one => one.Name).Distinct()],
            SeesSystemProperties = query.Select.Kind == SelectKind.All || query.Expressions().Any(SystemProperties.AreUsedBy),
        };
        return query.IsAggregate ? query with { GroupParts = CheckGroups(query) } : query;
    }

    private static void CheckNames(QuerySyntax query)
    {
        Root? unknown = query.Expressions().SelectMany(expression => expression.All()).OfType<Root>()
            .FirstOrDefault(root => root.Name != query.Alias);
        if (unknown is not null)
        {
            throw Rejected($"Identifier '{unknown.Name}' could not be resolved: "
                + (query.Alias is null ? "the query has no FROM." : $"the document's name is '{query.Alias}'."));
        }
    }

    private static void CheckOrder(QuerySyntax query)
    {
        if (query.OrderBy.Any(item => item.Item.Value.Path() is not { Count: > 0 }))
            throw Rejected("Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.");
    }

    private static List<(Expression Part, int Key)> CheckGroups(QuerySyntax query)
    {
        if (query.OrderBy.Count > 0)
            throw Rejected("'ORDER BY' is not supported together with 'GROUP BY' or aggregates.");
        if (query.Select.Kind == SelectKind.All)
            throw Rejected("'SELECT *' is not supported together with 'GROUP BY': name what is selected.");
        if (query.Select.IsDistinct && query.GroupBy.Count > 0)
            throw Rejected("'DISTINCT' is not supported together with 'GROUP BY'.");
        var parts = new List<(Expression, int)>();
        foreach (SelectItem item in query.Select.Items)
        {
            if (!IsOfGroup(query, item.Item.Value, parts))
                throw Rejected($"'{item.Item.Text}' is invalid in SELECT because it is neither an aggregate nor in GROUP BY.");
        }

        return parts;
    }

    /// <summary>Whether a value is the same for all documents of a group; adds what the group was made by.</summary>
    private static bool IsOfGroup(QuerySyntax query, Expression value, List<(Expression Part, int Key)> parts)
    {
        if (value is Aggregate)
            return true;
        for (int key = 0; key < query.GroupBy.Count; key++)
        {
            if (query.GroupBy[key].Value.IsSame(value))
            {
                parts.Add((value, key));
                return true;
            }
        }

        return value is not Root && value.Parts.All(part => IsOfGroup(query, part, parts));
    }

    private static RequestException Rejected(string message) => RequestException.Rejected(ServiceStatus.BadRequest, message);
}
