using Superpower.Model;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Rules of queries beyond the grammar.</summary>
internal static class QueryRules
{
    /// <summary>Checks the query, and adds the properties of the query as a whole.</summary>
    /// <exception cref="RequestException">400: an unknown name, or clauses that do not go together.</exception>
    public static QuerySyntax Check(QuerySyntax query)
    {
        CheckNames(query);
        CheckOrder(query);
        if (query.Select.Top is not null && query.Offset is not null)
            throw RequestException.Rejected("'TOP' cannot be used together with 'OFFSET' and 'LIMIT'.");

        var elsewhere = query.Expressions().Skip(query.Select.Items.Count);
        if (elsewhere.Any(expression => expression.All().Any(part => part is Aggregate)))
            throw RequestException.Rejected("Aggregates are allowed in SELECT only.");
        Aggregate[] aggregates = [.. query.Select.Items.SelectMany(item => item.Item.Value.All()).OfType<Aggregate>()];
        for (var slot = 0; slot < aggregates.Length; slot++)
        {
            if (aggregates[slot].Argument.All().Any(part => part is Aggregate))
                throw RequestException.Rejected("An aggregate cannot be the argument of an aggregate.");
            aggregates[slot].Slot = slot;
        }

        if (query.Select.Items.Any(item => !Compositions.AreAllowed(item.Item.Value)))
            throw Compositions.Rejection();

        if (query.Source is null && (query.Select.Kind == SelectKind.All || aggregates.Length > 0 || query.GroupBy.Count > 0))
            throw RequestException.Rejected("'SELECT *', 'GROUP BY' and aggregates are not valid if FROM clause is omitted.");
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
        var unknown = query.Expressions().SelectMany(expression => expression.All()).OfType<Root>()
            .FirstOrDefault(root => root.Name != query.Alias);
        if (unknown is not null)
        {
            throw RequestException.InQuery(
                "SC2001", unknown.Start, unknown.Start + unknown.Name.Length, $"Identifier '{unknown.Name}' could not be resolved.");
        }
    }

    private static void CheckOrder(QuerySyntax query)
    {
        if (query.OrderBy.Any(item => item.Item.Value.Path() is not { Count: > 0 }))
            throw RequestException.Rejected(
                "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.");
    }

    private static List<(Expression Part, int Key)> CheckGroups(QuerySyntax query)
    {
        if (query.Select.Kind == SelectKind.All)
            throw RequestException.Rejected("'SELECT *' is not supported together with 'GROUP BY': name what is selected.");
        if (query.Select.IsDistinct && query.GroupBy.Count > 0)
            throw RequestException.Rejected("'DISTINCT' is not supported together with 'GROUP BY'.");
        var parts = new List<(Expression, int)>();
        foreach (var item in query.Select.Items)
        {
            if (!IsOfGroup(query, item.Item.Value, parts))
                throw RequestException.Rejected(
                    $"'{item.Item.Text}' is invalid in SELECT because it is neither an aggregate nor in GROUP BY.");
        }

        foreach (var item in query.GroupBy.Count > 0 ? query.OrderBy : [])
        {
            if (!IsOfGroup(query, item.Item.Value, parts))
                throw RequestException.Rejected($"'{item.Item.Text}' is invalid in ORDER BY because it is not in GROUP BY.");
        }

        return parts;
    }

    /// <summary>Whether all documents of a group have the same value. Adds the group's keys in the expression to the parts.</summary>
    private static bool IsOfGroup(QuerySyntax query, Expression value, List<(Expression Part, int Key)> parts)
    {
        if (value is Aggregate)
            return true;
        for (var key = 0; key < query.GroupBy.Count; key++)
        {
            if (query.GroupBy[key].Value.IsSame(value))
            {
                parts.Add((value, key));
                return true;
            }
        }

        return value is not Root && value.Parts.All(part => IsOfGroup(query, part, parts));
    }
}

/// <summary>
/// Aggregates within other expressions, which the service rejects. Only the queries that a plan makes of aggregates have them, for each
/// partition: in arrays and objects, as the values of certain names (<see cref="QueryRewriter"/>).
/// </summary>
internal static class Compositions
{
    private const string Combined = "item2";

    private static readonly string[] Parts = ["sum", "count", "min", "max"];

    public static RequestException Rejection() =>
        RequestException.Rejected("Compositions of aggregates and other expressions are not allowed.");

    public static bool AreAllowed(Expression value) => value is Aggregate || IsPartial(value, "");

    /// <param name="name">The property whose value it is; empty for none.</param>
    private static bool IsPartial(Expression value, string name) => value switch
    {
        ObjectLiteral literal => literal.Names.Zip(literal.Parts).All(property => property.Second is Aggregate
            ? property.First == "item" || (name == Combined && Parts.Contains(property.First))
            : IsPartial(property.Second, property.First)),
        ArrayLiteral => value.Parts.All(item => IsPartial(item, "")),
        _ => !value.All().Any(part => part is Aggregate),
    };
}

/// <summary>
/// Rejects features of the service that are not simulated. The error names the feature; without this check it would be a syntax error.
/// </summary>
internal static class UnsupportedSyntax
{
    /// <summary>Largest number of levels of brackets in a query.</summary>
    private const int MaxBrackets = 250;

    /// <exception cref="RequestException">400: not simulated.</exception>
    public static void Check(TokenList<QueryToken> tokens)
    {
        var depth = 0;
        Token<QueryToken> before = default;
        Token<QueryToken> twoBefore = default;
        foreach (var token in tokens)
        {
            depth += token.Kind switch
            {
                QueryToken.OpenParenthesis or QueryToken.OpenBracket or QueryToken.OpenBrace => 1,
                QueryToken.CloseParenthesis or QueryToken.CloseBracket or QueryToken.CloseBrace => -1,
                _ => 0,
            };
            if (depth > MaxBrackets)
                throw RequestException.Rejected($"The query has more than {MaxBrackets} levels of brackets.");
            if (Feature(twoBefore, before, token) is { } feature)
                throw RequestException.Rejected($"{feature} simulated.");
            (twoBefore, before) = (before, token);
        }
    }

    private static string? Feature(Token<QueryToken> twoBefore, Token<QueryToken> before, Token<QueryToken> token)
    {
        var isCall = token.Kind == QueryToken.OpenParenthesis && !Follows(twoBefore);
        if (isCall && Is(before, "EXISTS"))
            return "EXISTS is not";
        if (isCall && Is(before, "ARRAY"))
            return "ARRAY() is not";
        if (token.Kind == QueryToken.Dot && Is(before, "udf") && !Follows(twoBefore))
            return "User-defined functions (udf.) are not";
        if (token.Kind != QueryToken.Word || Follows(before))
            return null;
        if (Is(token, "JOIN"))
            return "JOIN is not";
        if (Is(token, "RANK") && Is(before, "BY"))
            return "ORDER BY RANK (full-text and hybrid search) is not";
        if (Is(token, "SELECT") && before.Kind == QueryToken.OpenParenthesis && before.HasValue)
            return "Subqueries are not";
        if (Is(token, "IN") && Is(twoBefore, "FROM"))
            return "Iteration over an array (FROM a IN b) is not";
        return null;
    }

    /// <summary>Whether the token is a dot, so that a property's name follows.</summary>
    private static bool Follows(Token<QueryToken> token) => token is { HasValue: true, Kind: QueryToken.Dot };

    private static bool Is(Token<QueryToken> token, string word) =>
        token is { HasValue: true, Kind: QueryToken.Word } && token.Span.EqualsValueIgnoreCase(word);
}
