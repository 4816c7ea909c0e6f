using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// The query plan that clients without a query engine of their own ask for: how to rewrite the query and which ranges to send it to.
/// </summary>
internal static class QueryPlan
{
    private static readonly string[] None = [];

    /// <summary>The plan as an object to serialize.</summary>
    public static object Create(ContainerResource container, ParsedQuery query)
    {
        bool counts = query.Projection != QueryProjection.Documents;
        // A query that fixes the partition key needs one physical partition only.
        PartitionRange? only = query.FixedPartitionKey(container.Settings) is { } key ? container.Map.Find(key.Position).Range : null;
        return new
        {
            partitionedQueryExecutionInfoVersion = 2,
            queryInfo = new
            {
                distinctType = "None",
                top = (int?)null,
                offset = (int?)null,
                limit = (int?)null,
                orderBy = None,
                orderByExpressions = None,
                groupByExpressions = None,
                groupByAliases = None,
                aggregates = counts ? ["Count"] : None,
                groupByAliasToAggregateType = new { },
                // The SDK inserts its own filter for resuming into the rewritten query; only an aggregate is rewritten here.
                rewrittenQuery = !counts ? ""
                    : $$"""SELECT VALUE [{"item": COUNT(1)}] FROM {{query.Source}} {{query.Condition}}""".TrimEnd(),
                hasSelectValue = counts,
                dCountInfo = (object?)null,
                hasNonStreamingOrderBy = false,
            },
            queryRanges = new[]
            {
                new { min = only?.MinInclusive ?? "", max = only?.MaxExclusive ?? "FF", isMinInclusive = true, isMaxInclusive = false },
            },
        };
    }
}
