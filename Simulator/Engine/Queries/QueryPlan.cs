using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// The query plan that clients without a query engine of their own ask for: how to rewrite the query, which ranges to send it to, and what
/// to make of the results that they return.
/// </summary>
internal static class QueryPlan
{
    private static readonly string[] None = [];

    /// <summary>The plan as an object to serialize.</summary>
    /// <exception cref="RequestException">400: the service has no plan for the query either.</exception>
    public static object Create(ContainerResource container, ParsedQuery query)
    {
        QuerySyntax syntax = query.Syntax;
        CheckAggregates(syntax);
        // Any one partition has the result of a query without FROM: the service's plan is for the first position.
        bool hasSource = syntax.Source is not null;
        // A query that fixes the partition key needs one physical partition only.
        PartitionRange? only = query.FixedPartitionKey(container.Settings) is { } key ? container.Map.Find(key.Position).Range : null;
        bool isList = syntax is { IsAggregate: true, Select.Kind: SelectKind.List };
        return new
        {
            partitionedQueryExecutionInfoVersion = 2,
            queryInfo = new
            {
                distinctType = DistinctType(syntax),
                top = query.Top,
                offset = query.Offset,
                limit = query.Limit,
                orderBy = syntax.OrderBy.Select(item => item.IsDescending ? "Descending" : "Ascending"),
                orderByExpressions = syntax.OrderBy.Select(item => item.Item.Text),
                groupByExpressions = syntax.GroupBy.Select(key => key.Text),
                groupByAliases = isList ? syntax.Select.Items.Select(item => item.Name) : None,
                aggregates = isList ? None : syntax.Aggregates.Select(aggregate => aggregate.Kind.ToString()),
                groupByAliasToAggregateType = isList
                    ? syntax.Select.Items.ToDictionary(item => item.Name, item => (item.Item.Value as Aggregate)?.Kind.ToString())
                    : [],
                rewrittenQuery = QueryRewriter.Rewrite(query),
                hasSelectValue = syntax.Select.Kind == SelectKind.Value,
                dCountInfo = (object?)null,
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
        };
    }

    /// <summary>
    /// Results that repeat stand one behind the other only where they are ordered by all that is selected; DISTINCT of one aggregate
    /// changes nothing.
    /// </summary>
    private static string DistinctType(QuerySyntax syntax)
    {
        if (!syntax.Select.IsDistinct || syntax.IsAggregate)
            return "None";
        bool isOrdered = syntax.OrderBy.Count > 0 && syntax.Select.Items.Count > 0
            && syntax.Select.Items.All(item => syntax.OrderBy.Any(order => order.Item.Value.IsSame(item.Item.Value)))
            && syntax.OrderBy.All(order => syntax.Select.Items.Any(item => order.Item.Value.IsSame(item.Item.Value)));
        return isOrdered ? "Ordered" : "Unordered";
    }

    private static void CheckAggregates(QuerySyntax syntax)
    {
        if (!syntax.IsAggregate)
            return;
        foreach (SelectItem item in syntax.Select.Items)
        {
            if (item.Item.Value is not Aggregate && item.Item.Value.All().Any(part => part is Aggregate))
                throw RequestException.Rejected(
                    ServiceStatus.BadRequest,
                    $"Compositions of aggregates and other expressions are unsupported: '{item.Item.Text}'.");
        }
    }
}
