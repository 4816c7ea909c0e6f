using Superpower.Model;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>Rules of queries beyond the grammar.</summary>
internal static class QueryRules
{
    /// <summary>Largest number of JOINs of a statement, as on the service.</summary>
    private const int MaxJoins = 10;

    /// <summary>Largest number of calls of user-defined functions: the account's <c>maxUdfRefPerSqlQuery</c>, as on the service.</summary>
    public const int MaxUserCalls = 10;

    /// <summary>Adds what follows from the query itself: its aggregates, and which of its parts are keys of a group.</summary>
    public static QuerySyntax Complete(QuerySyntax query)
    {
        Aggregate[] aggregates = [.. query.Select.Items.SelectMany(item => item.Item.Value.All()).OfType<Aggregate>()];
        for (var slot = 0; slot < aggregates.Length; slot++)
            aggregates[slot].Slot = slot;
        query = query with { Aggregates = aggregates };
        var parts = new List<(Expression Part, int Key)>();
        foreach (var expression in query.GroupBy.Count == 0 ? [] : query.Expressions())
            AddKeys(query, expression, parts);
        return query with { GroupParts = parts };
    }

    /// <summary>Checks a statement with its subqueries, and adds what holds for it as a whole.</summary>
    /// <exception cref="RequestException">400: an unknown name, or clauses that do not go together.</exception>
    public static QuerySyntax Check(QuerySyntax query, string text)
    {
        Subquery[] subqueries = [.. query.AllExpressions().SelectMany(one => one.All(withSubqueries: true)).OfType<Subquery>()];
        var resolver = new NameResolver();
        resolver.Resolve(query);
        var errors = new List<QueryError>();
        AddErrorsOfSubqueries(query, errors);
        if (errors.Count > 0)
            throw RequestException.InQuery(errors);
        var joins = subqueries.Select(one => one.Syntax).Prepend(query).Sum(one => Math.Max(one.Sources.Count - 1, 0));
        if (joins > MaxJoins)
        {
            throw RequestException.InQuery(
                "SC3002", new TextPlace(0, text.Length),
                $"The SQL query exceeded the maximum number of joins. The allowed limit is {MaxJoins}.");
        }

        foreach (var subquery in subqueries)
            CheckOne(subquery.Syntax, text, isSubquery: true);
        CheckOne(query, text, isSubquery: false);
        CheckOrder(query);
        if (subqueries.FirstOrDefault(one => one.Kind == SubqueryKind.Scalar && !HasOneRow(one.Syntax)) is not null)
            throw RequestException.Rejected("The cardinality of a scalar subquery result set cannot be greater than one.");
        UserCall[] calls = [.. query.AllExpressions().SelectMany(one => one.All(withSubqueries: true)).OfType<UserCall>()];
        if (calls.Length > MaxUserCalls)
        {
            throw RequestException.OfQuery(
                $"The query exceeded the maximum number of calls of user-defined functions. The allowed limit is {MaxUserCalls}.");
        }

        return query with
        {
            UserCalls = calls,
            Slots = resolver.Slots,
            ReadsDocuments = resolver.ReadsDocuments,
            DistinctSources = resolver.ReadsDocuments ? [.. OverDocuments(query)] : [],
            Parameters =
            [
                .. query.AllExpressions().SelectMany(one => one.All(withSubqueries: true)).OfType<Parameter>()
                    .Select(one => one.Name).Distinct(),
            ],
            SeesSystemProperties = SystemProperties.AreUsedBy(query),
        };
    }

    private static void CheckOne(QuerySyntax query, string text, bool isSubquery)
    {
        if (query.Select.Top is not null && query.Offset is not null)
            throw RequestException.Rejected("'TOP' cannot be used together with 'OFFSET' and 'LIMIT'.");
        var elsewhere = query.Expressions().Skip(query.Select.Items.Count);
        if (elsewhere.Any(expression => expression.All().Any(part => part is Aggregate)))
            throw RequestException.Rejected("Aggregates are allowed in SELECT only.");
        // Tests of Entity Framework have a sum of subqueries' aggregates in a subquery.
        var nested = query.Aggregates
            .FirstOrDefault(one => one.Argument.All().Any(part => part is Aggregate || (part is Subquery && !isSubquery)));
        if (nested is not null)
        {
            throw RequestException.InQuery(
                "SC2101", nested.Place, "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.");
        }

        if (query.Select.Items.Any(item => !Compositions.AreAllowed(item.Item.Value)))
            throw Compositions.Rejection();
        if (query.Sources.Count == 0 && (query.Select.Kind == SelectKind.All || query.IsAggregate))
            throw RequestException.Rejected("'SELECT *', 'GROUP BY' and aggregates are not valid if FROM clause is omitted.");
        if (query.Select.Kind == SelectKind.All && query.Sources.Count > 1)
            throw RequestException.Rejected("'SELECT *' is only valid with a single input set.");
        if (query.IsAggregate)
            CheckGroups(query, text);
    }

    /// <summary>Adds the clauses that the service does not accept in subqueries, those of inner ones first.</summary>
    private static void AddErrorsOfSubqueries(QuerySyntax query, List<QueryError> errors)
    {
        var inner = query.Sources.Select(source => source.Collection.Value).Concat(query.Expressions())
            .SelectMany(expression => expression.All()).OfType<Subquery>().OrderBy(one => one.Place.Start);
        foreach (var syntax in inner.Select(one => one.Syntax))
        {
            AddErrorsOfSubqueries(syntax, errors);
            if (syntax.OrderBy.Count > 0)
                errors.Add(new QueryError("SC2202", syntax.OrderPlace, "'ORDER BY' is not supported in subqueries."));
            if (syntax.Select.Top is not null)
                errors.Add(new QueryError("SC2203", syntax.Select.TopPlace, "'TOP' is not supported in subqueries."));
            if (syntax.Offset is not null)
                errors.Add(new QueryError("SC2204", syntax.OffsetPlace, "'OFFSET LIMIT' clause is not supported in subqueries."));
        }
    }

    private static void CheckOrder(QuerySyntax query)
    {
        if (query.OrderBy.Any(item => item.Item.Value.Path(withPositions: true) is not { Count: > 0 }))
            throw RequestException.NotOrdered();
    }

    /// <summary>Whether a subquery has at most one result.</summary>
    private static bool HasOneRow(QuerySyntax query) => query.IsAggregate
        ? query.GroupBy.Count == 0
        : query.Sources.All(source => !source.Iterates && (source.Collection.Value is not Subquery inner || HasOneRow(inner.Syntax)));

    /// <summary>The subqueries with DISTINCT whose rows are those of all documents.</summary>
    /// <exception cref="RequestException">400: there is an aggregate or GROUP BY in such a subquery.</exception>
    private static IEnumerable<Subquery> OverDocuments(QuerySyntax query)
    {
        while (query.Sources[0].Collection.Value is Subquery subquery)
        {
            query = subquery.Syntax;
            if (query.IsAggregate)
                throw RequestException.Rejected("Aggregates and GROUP BY of all documents are not simulated in subqueries.");
            if (query.Select.IsDistinct && query.Select.Projection is not Root { IsDocument: true })
                yield return subquery;
        }
    }

    private static void CheckGroups(QuerySyntax query, string text)
    {
        if (query.Select.Kind == SelectKind.All)
        {
            var star = ((Root)query.Select.Projection).Start;
            throw RequestException.InQuery("SC2041", new TextPlace(star, star + 1), "'SELECT *' is not allowed with GROUP BY.");
        }

        if (query.Select.IsDistinct && query.GroupBy.Count > 0)
            throw RequestException.Rejected("'DISTINCT' is not supported together with 'GROUP BY'.");
        QueryError[] errors = [.. query.Select.Items.SelectMany(item => OutsideGroup(query, item.Item.Value, [])).Select(place =>
            new QueryError(
                "SC2102", place, $"Property reference '{text[place.Start..place.End]}' is invalid in the select list because it is not "
                + "contained in either an aggregate function or the GROUP BY clause."))];
        if (errors.Length > 0)
            throw RequestException.InQuery(errors);
        foreach (var item in query.GroupBy.Count > 0 ? query.OrderBy : [])
        {
            if (OutsideGroup(query, item.Item.Value, []).Any())
                throw RequestException.Rejected($"'{item.Item.Text}' is invalid in ORDER BY because it is not in GROUP BY.");
        }
    }

    /// <summary>Adds the keys of the group that the expression has.</summary>
    private static void AddKeys(QuerySyntax query, Expression value, List<(Expression Part, int Key)> parts)
    {
        if (KeyOf(query, value) is >= 0 and var key)
            parts.Add((value, key));
        else if (!query.Aggregates.Contains(value) && !(value is Subquery subquery && subquery.Syntax.Sources.Any(IsNamedInKeys)))
            value.Parts.ToList().ForEach(part => AddKeys(query, part, parts));

        bool IsNamedInKeys(FromSource source) =>
            query.GroupBy.Any(key => key.Value.All().Any(part => part is Root root && root.Name == source.Name));
    }

    /// <summary>Paths in the expression that may differ within a group.</summary>
    /// <param name="inner">Sources of subqueries of the expression.</param>
    private static IEnumerable<TextPlace> OutsideGroup(QuerySyntax query, Expression value, IReadOnlyList<FromSource> inner)
    {
        if (query.Aggregates.Contains(value) || HasKey(value))
            return [];
        if (value is Subquery subquery)
            inner = [.. inner, .. subquery.Syntax.Sources];
        return value switch
        {
            Root root => inner.Contains(root.Source) ? [] : [new TextPlace(root.Start, root.Start + root.Name.Length)],
            Member member when FromSource.PathOrigin(member) is { } origin => inner.Contains(origin.Source) ? [] : [member.Place],
            _ => value.Parts.SelectMany(part => OutsideGroup(query, part, inner)),
        };

        // A property of a key is one, too.
        bool HasKey(Expression path) => KeyOf(query, path) >= 0 || (path is Member member && HasKey(member.Owner));
    }

    private static int KeyOf(QuerySyntax query, Expression value)
    {
        for (var key = 0; key < query.GroupBy.Count; key++)
        {
            if (query.GroupBy[key].Value.IsSame(value))
                return key;
        }

        return -1;
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
        RequestException.OfQuery("Compositions of aggregates and other expressions are not allowed.");

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
            if (Is(token, "RANK") && Is(before, "BY"))
                throw RequestException.Rejected("ORDER BY RANK (full-text and hybrid search) is not simulated.");
            before = token;
        }
    }

    private static bool Is(Token<QueryToken> token, string word) =>
        token is { HasValue: true, Kind: QueryToken.Word } && token.Span.EqualsValueIgnoreCase(word);
}
