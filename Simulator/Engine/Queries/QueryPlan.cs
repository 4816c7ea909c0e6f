namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>The plan for clients without their own query engine: the rewritten query, its ranges, and how to combine the results.</summary>
internal static class QueryPlan
{
    private static readonly string[] None = [];

    /// <summary>The plan as an object to serialize.</summary>
    /// <exception cref="RequestException">400: the service has no plan for the query either.</exception>
    public static object Create(ContainerResource container, ParsedQuery query)
    {
        // One partition has the whole result of a query without documents, so that the client combines nothing.
        var combined = query.Syntax.ReadsDocuments ? query : ParsedQuery.Everything;
        var syntax = combined.Syntax;
        if (syntax.Select.Items.Any(item => item.Item.Value is not Aggregate && item.Item.Value.All().Any(part => part is Aggregate)))
            throw Compositions.Rejection();
        // Any one partition has the result of a query without FROM; the service's plan is for the first position.
        var hasSource = query.Syntax.ReadsDocuments;
        // A query that fixes the partition key needs one physical partition only.
        var only = query.FixedPartitionKey(container.Settings) is { } key ? container.Map.Find(key.Position).Range : null;
        if (syntax.DistinctSources.Count > 0 && syntax.CountedDistinct is null && only is null && container.Map.Live.Count > 1)
            throw RequestException.Rejected("DISTINCT of all documents in a subquery is not simulated over several partitions.");
        // The plan of aggregates has no order, though the rewritten query has it.
        var order = syntax.IsAggregate ? [] : syntax.OrderBy;
        if (order.Count > 0 && syntax.DistinctSources.Count > 0 && syntax.Sources[0].Path() is not { Count: 0 })
            throw RequestException.Rejected("ORDER BY of parts of documents is not simulated together with their DISTINCT in FROM.");
        var counted = syntax.CountedDistinct;
        var isList = syntax is { IsAggregate: true, Select.Kind: SelectKind.List } && counted is null;
        return new
        {
            partitionedQueryExecutionInfoVersion = 2,
            queryInfo = new
            {
                distinctType = DistinctType(counted?.Syntax ?? syntax),
                top = combined.Top,
                offset = combined.Offset,
                limit = combined.Limit,
                orderBy = order.Select(item => item.IsDescending ? "Descending" : "Ascending"),
                orderByExpressions = order.Select(item => item.Item.Text),
                groupByExpressions = syntax.GroupBy.Select(key => key.Text),
                groupByAliases = isList ? syntax.Select.Items.Select(item => item.Name) : None,
                aggregates = isList || counted is not null ? None : syntax.Aggregates.Select(aggregate => aggregate.Kind.ToString()),
                groupByAliasToAggregateType = isList
                    ? syntax.Select.Items.ToDictionary(item => item.Name, item => (item.Item.Value as Aggregate)?.Kind.ToString())
                    : [],
                // The client counts the distinct results of all partitions.
                rewrittenQuery = counted?.Text[1..^1].Trim() ?? QueryRewriter.Rewrite(combined),
                hasSelectValue = query.Syntax.Select.Kind == SelectKind.Value,
                dCountInfo = counted is null ? null : new { dCountAlias = syntax.Select.Items[0].Name },
                hasNonStreamingOrderBy = false,
            },
            queryRanges = new[]
            {
                new
                {
                    min = only?.MinInclusive ?? "",
                    max = hasSource ? only?.MaxExclusive ?? "FF" : "",
                    isMinInclusive = true,
                    isMaxInclusive = !hasSource,
                },
            },
            hybridSearchQueryInfo = (object?)null,
        };
    }

    /// <summary>Repeated results are adjacent only if they are ordered by all that is selected.</summary>
    private static string DistinctType(QuerySyntax syntax)
    {
        if (!syntax.Select.IsDistinct || syntax.IsAggregate)
            return "None";
        var isOrdered = syntax.OrderBy.Count > 0 && syntax.Select.Items.Count > 0
            && syntax.Select.Items.All(item => syntax.OrderBy.Any(order => order.Item.Value.IsSame(item.Item.Value)))
            && syntax.OrderBy.All(order => syntax.Select.Items.Any(item => order.Item.Value.IsSame(item.Item.Value)));
        return isOrdered ? "Ordered" : "Unordered";
    }
}

/// <summary>What a client of query plans must be able to combine.</summary>
internal static class QueryFeatures
{
    private const string Unsupported =
        "Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support the requested features:";

    /// <param name="supported">The client's features, separated by commas; null for none.</param>
    /// <exception cref="RequestException">400: the client lacks a feature.</exception>
    public static void Check(QuerySyntax query, string? supported)
    {
        var known = (supported ?? "").Split(',', StringSplitOptions.TrimEntries);
        string[] missing = [.. Of(query).Where(feature => !known.Contains(feature, StringComparer.OrdinalIgnoreCase))];
        if (missing.Length > 0)
        {
            throw RequestException.OfGateway(string.Join("\r\n", missing
                .Select(feature => $"Query contained {feature}, which the calling client does not support.").Prepend(Unsupported)));
        }
    }

    private static IEnumerable<string> Of(QuerySyntax query)
    {
        if (query.CountedDistinct is not null)
            yield return "DCount";
        else if (query.GroupBy.Count > 0)
            yield return "GroupBy";
        else if (query.Aggregates.Count > 0)
            yield return query.Select.Kind == SelectKind.Value ? "Aggregate" : "NonValueAggregate";
        if (query.Select.IsDistinct)
            yield return "Distinct";
        if (query.Select.Top is not null)
            yield return "Top";
        if (query.Offset is not null)
            yield return "OffsetAndLimit";
        if (query is { IsAggregate: false, OrderBy.Count: > 0 })
            yield return query.OrderBy.Count == 1 ? "OrderBy" : "MultipleOrderBy";
    }
}

/// <summary>
/// Writes the query for each partition, so that the client can combine the results: partial aggregates, the values of ORDER BY and GROUP BY
/// beside the selection, and the results that OFFSET skips.
/// </summary>
internal static class QueryRewriter
{
    /// <summary>SDKs replace this mark by their filter for resuming an ORDER BY, or by <c>true</c>.</summary>
    private const string FilterMark = "{documentdb-formattableorderbyquery-filter}";

    /// <summary>The rewritten query; empty if partitions get the original.</summary>
    public static string Rewrite(ParsedQuery query)
    {
        var syntax = query.Syntax;
        // A client combines the results of TOP and DISTINCT alone as they are.
        if (query.IsPlain || !(syntax.IsAggregate || syntax.OrderBy.Count > 0 || query.Offset is not null))
            return "";
        var owner = OwnerOf(syntax);
        var text = new StringBuilder("SELECT ");
        if (syntax.IsAggregate)
            text.Append(Aggregates(syntax));
        else if (syntax.OrderBy.Count > 0)
            text.Append(Top(query, syntax.Select.IsDistinct)).Append(Ordered(syntax, owner.Name));
        else
            text.Append(syntax.Select.IsDistinct ? "DISTINCT " : "").Append(Top(query, isLeftOut: false)).Append(Selection(syntax));
        text.Append($"\nFROM {string.Join("\nJOIN ", owner.Sources)}");
        AppendCondition(text, syntax);
        if (syntax.GroupBy.Count > 0)
            text.Append($"\nGROUP BY {string.Join(", ", syntax.GroupBy.Select(key => key.Text))}");
        if (syntax.OrderBy.Count > 0)
            text.Append($"\nORDER BY {string.Join(", ", syntax.OrderBy.Select(Direction))}");
        // The client drops repeated results before it skips any.
        if (query.Offset is not null && !syntax.IsAggregate && !(syntax.Select.IsDistinct && syntax.OrderBy.Count > 0))
            text.Append(CultureInfo.InvariantCulture, $"\nOFFSET 0 LIMIT {Math.Min(query.End, int.MaxValue)}");
        return text.ToString();

        static string Direction(OrderItem item) => item.IsDescending ? $"{item.Item.Text} DESC" : item.Item.Text;
    }

    /// <summary>
    /// The name of the documents that the rows are of, and the sources with it. A client merges ordered rows by the resource ids of their
    /// documents, so that documents of whose parts alone FROM speaks get a name.
    /// </summary>
    private static (string Name, IEnumerable<string> Sources) OwnerOf(QuerySyntax syntax)
    {
        var sources = syntax.Sources.Select(source => source.Text);
        var first = syntax.Sources[0];
        if (syntax.IsAggregate || syntax.OrderBy.Count == 0 || first.Path() is { Count: 0 })
            return (syntax.Alias ?? "", sources);
        var name = "document";
        while (syntax.Sources.Any(source => source.Name == name) || NamesOf(syntax).Any(root => root.Name == name))
            name += "_";
        var origin = first;
        while (origin.Collection.Value is Subquery subquery)
            origin = subquery.Syntax.Sources[0];
        var root = FromSource.PathOrigin(origin.Collection.Value)!;
        // A whole document keeps the name that other parts of its subquery know.
        var named = origin.Collection.Value == root && origin.Name == root.Name ? $"{name} {root.Name}" : name;
        var start = root.Start - first.Collection.Place.Start + (first.Iterates ? first.Text.Length - first.Collection.Text.Length : 0);
        return (name, sources.Skip(1).Prepend(first.Text[..start] + named + first.Text[(start + root.Name.Length)..]).Prepend(name));
    }

    private static IEnumerable<Root> NamesOf(QuerySyntax syntax) =>
        syntax.AllExpressions().SelectMany(one => one.All(withSubqueries: true)).OfType<Root>();

    private static string Top(ParsedQuery query, bool isLeftOut) => query.Top is { } top && !isLeftOut ? $"TOP {top} " : "";

    private static void AppendCondition(StringBuilder text, QuerySyntax syntax)
    {
        var conditions = new List<string>();
        if (syntax.Where is { } where)
            conditions.Add(where.Text);
        var isOrdered = syntax is { IsAggregate: false, OrderBy.Count: > 0 };
        if (isOrdered)
            conditions.Add(FilterMark);
        // In the list with the values of ORDER BY, an undefined result would count as a result.
        if (isOrdered && syntax.Select is { Kind: SelectKind.Value, Items: [{ Item: { Value: not Root } only }] })
            conditions.Add($"IS_DEFINED({only.Text})");
        if (conditions.Count > 0)
            text.Append($"\nWHERE ({string.Join(") AND (", conditions)})");
    }

    private static string Ordered(QuerySyntax syntax, string document)
    {
        var items = string.Join(", ", syntax.OrderBy.Select(item => $$"""{"item": {{item.Item.Text}}}"""));
        var payload = syntax.Select.Kind switch
        {
            SelectKind.All => syntax.Alias!,
            SelectKind.Value => syntax.Select.Items[0].Item.Text,
            _ => Properties(syntax.Select.Items, item => item.Item.Text),
        };
        return $"{document}._rid, [{items}] AS orderByItems, {payload} AS payload";
    }

    private static string Aggregates(QuerySyntax syntax)
    {
        if (syntax.Select.Kind == SelectKind.List)
        {
            var payload = Properties(syntax.Select.Items, item => Partial(item.Item));
            return syntax.GroupBy.Count > 0 ? $"{GroupItems(syntax)}, {payload} AS payload" : $"{payload} AS payload";
        }

        var only = syntax.Select.Items[0].Item;
        var value = only.Value is Aggregate ? $"[{Partial(only)}]" : only.Text;
        return syntax.GroupBy.Count > 0 ? $"{GroupItems(syntax)}, {value} AS payload" : $"VALUE {value}";
    }

    private static string GroupItems(QuerySyntax syntax) =>
        $"[{string.Join(", ", syntax.GroupBy.Select(key => $$"""{"item": {{key.Text}}}"""))}] AS groupByItems";

    /// <summary>A partition's aggregate, with what the client needs to combine several.</summary>
    private static string Partial(SourceExpression item)
    {
        if (item.Value is not Aggregate aggregate)
            return item.Text;
        var call = item.Text;
        while (call[0] == '(')
            call = call[1..^1].Trim();
        var argument = call[call.IndexOf('(', StringComparison.Ordinal)..];
        var more = aggregate.Kind switch
        {
            AggregateKind.Average => $$$""", "item2": {"sum": SUM{{{argument}}}, "count": COUNT{{{argument}}}}""",
            AggregateKind.Min => $$$""", "item2": {"min": {{{call}}}, "count": COUNT{{{argument}}}}""",
            AggregateKind.Max => $$$""", "item2": {"max": {{{call}}}, "count": COUNT{{{argument}}}}""",
            _ => "",
        };
        return $$$"""{"item": {{{call}}}{{{more}}}}""";
    }

    private static string Selection(QuerySyntax syntax) => syntax.Select.Kind switch
    {
        SelectKind.All => "*",
        SelectKind.Value => $"VALUE {syntax.Select.Items[0].Item.Text}",
        _ => $"VALUE {Properties(syntax.Select.Items, item => item.Item.Text)}",
    };

    private static string Properties(IEnumerable<SelectItem> items, Func<SelectItem, string> value) =>
        "{" + string.Join(", ", items.Select(item => $"{JsonSerializer.Serialize(item.Name)}: {value(item)}")) + "}";
}
