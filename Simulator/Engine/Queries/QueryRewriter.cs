using System.Text;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Syntax;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// Writes the query that each partition gets, so that the client can combine the results: partial aggregates, the values of ORDER BY
/// and GROUP BY beside what is selected, and as many results as OFFSET skips.
/// </summary>
internal static class QueryRewriter
{
    /// <summary>The SDKs write their filter for resuming an ORDER BY here, or <c>true</c>.</summary>
    private const string FilterMark = "{documentdb-formattableorderbyquery-filter}";

    /// <summary>The rewritten query; empty for one that each partition gets as it is.</summary>
    public static string Rewrite(ParsedQuery query)
    {
        QuerySyntax syntax = query.Syntax;
        if (query.IsPlain)
            return "";
        var text = new StringBuilder("SELECT ");
        if (syntax.IsAggregate)
            text.Append(Aggregates(syntax));
        else if (syntax.OrderBy.Count > 0)
            text.Append(Top(query, syntax.Select.IsDistinct)).Append(Ordered(syntax));
        else
            text.Append(syntax.Select.IsDistinct ? "DISTINCT " : "").Append(Top(query, isLeftOut: false)).Append(Selection(syntax));
        text.Append($" FROM {syntax.Source}");
        AppendCondition(text, syntax);
        if (syntax.GroupBy.Count > 0)
            text.Append($" GROUP BY {string.Join(", ", syntax.GroupBy.Select(key => key.Text))}");
        if (syntax.OrderBy.Count > 0)
            text.Append($" ORDER BY {string.Join(", ", syntax.OrderBy.Select(Direction))}");
        // The client drops repeated results, and only then those that are skipped.
        if (query.Offset is not null && !syntax.IsAggregate && !(syntax.Select.IsDistinct && syntax.OrderBy.Count > 0))
            text.Append($" OFFSET 0 LIMIT {Math.Min(query.End, int.MaxValue)}");
        return text.ToString();

        static string Direction(OrderItem item) => $"{item.Item.Text} {(item.IsDescending ? "DESC" : "ASC")}";
    }

    private static string Top(ParsedQuery query, bool isLeftOut) => query.Top is { } top && !isLeftOut ? $"TOP {top} " : "";

    private static void AppendCondition(StringBuilder text, QuerySyntax syntax)
    {
        var conditions = new List<string>();
        if (syntax.Where is { } where)
            conditions.Add(where.Text);
        if (syntax.OrderBy.Count > 0)
            conditions.Add(FilterMark);
        // Beside the values of ORDER BY, a result that is undefined would be one, and count.
        if (syntax is { OrderBy.Count: > 0, Select: { Kind: SelectKind.Value, Items: [{ Item: { Value: not Root } only }] } })
            conditions.Add($"IS_DEFINED({only.Text})");
        if (conditions.Count > 0)
            text.Append($" WHERE ({string.Join(") AND (", conditions)})");
    }

    private static string Ordered(QuerySyntax syntax)
    {
        string items = string.Join(", ", syntax.OrderBy.Select(item => $$"""{"item": {{item.Item.Text}}}"""));
        string payload = syntax.Select.Kind switch
        {
            SelectKind.All => syntax.Alias!,
            SelectKind.Value => syntax.Select.Items[0].Item.Text,
            _ => Properties(syntax.Select.Items, item => item.Item.Text),
        };
        return $"{syntax.Alias}._rid, [{items}] AS orderByItems, {payload} AS payload";
    }

    private static string Aggregates(QuerySyntax syntax)
    {
        if (syntax.Select.Kind == SelectKind.List)
        {
            string payload = Properties(syntax.Select.Items, item => Partial(item.Item));
            return syntax.GroupBy.Count > 0 ? $"{GroupItems(syntax)}, {payload} AS payload" : $"{payload} AS payload";
        }

        SourceExpression only = syntax.Select.Items[0].Item;
        string value = only.Value is Aggregate ? $"[{Partial(only)}]" : only.Text;
        return syntax.GroupBy.Count > 0 ? $"{GroupItems(syntax)}, {value} AS payload" : $"VALUE {value}";
    }

    private static string GroupItems(QuerySyntax syntax) =>
        $"[{string.Join(", ", syntax.GroupBy.Select(key => $$"""{"item": {{key.Text}}}"""))}] AS groupByItems";

    /// <summary>What a partition gives for an aggregate: with it what the client needs to combine several.</summary>
    private static string Partial(SourceExpression item)
    {
        if (item.Value is not Aggregate aggregate)
            return item.Text;
        string call = item.Text;
        while (call[0] == '(')
            call = call[1..^1].Trim();
        string argument = call[call.IndexOf('(', StringComparison.Ordinal)..];
        string more = aggregate.Kind switch
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
