using System.Text.Json;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>The query plan that clients without a query engine of their own ask for: how to rewrite the query and which ranges to send it to.</summary>
internal static class QueryPlan
{
    private const int Version = 2;

    public static void Write(Utf8JsonWriter writer, ContainerResource container, ParsedQuery query)
    {
        bool counts = query.Projection != QueryProjection.Documents;
        writer.WriteStartObject();
        writer.WriteNumber("partitionedQueryExecutionInfoVersion", Version);
        writer.WriteStartObject("queryInfo");
        writer.WriteString("distinctType", "None");
        writer.WriteNull("top");
        writer.WriteNull("offset");
        writer.WriteNull("limit");
        WriteEmptyArrays(writer, "orderBy", "orderByExpressions", "groupByExpressions", "groupByAliases");
        writer.WriteStartArray("aggregates");
        if (counts)
            writer.WriteStringValue("Count");
        writer.WriteEndArray();
        writer.WriteStartObject("groupByAliasToAggregateType");
        writer.WriteEndObject();
        // The SDK puts its own filter for resuming into the rewritten query; only an aggregate is rewritten here.
        writer.WriteString("rewrittenQuery", counts ? $$"""SELECT VALUE [{"item": COUNT(1)}] FROM {{query.Source}} {{query.Condition}}""".TrimEnd() : "");
        writer.WriteBoolean("hasSelectValue", counts);
        writer.WriteNull("dCountInfo");
        writer.WriteBoolean("hasNonStreamingOrderBy", false);
        writer.WriteEndObject();
        writer.WriteStartArray("queryRanges");
        WriteRange(writer, container, query);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WriteRange(Utf8JsonWriter writer, ContainerResource container, ParsedQuery query)
    {
        // A query that fixes the partition key needs one physical partition only.
        PartitionKeyIdentity? key = QueryTarget.PartitionKeyOf(container, query);
        PhysicalPartition? only = key is { } identity ? container.Table.Find(identity.Position) : null;
        writer.WriteStartObject();
        writer.WriteString("min", only?.MinInclusive ?? "");
        writer.WriteString("max", only?.MaxExclusive ?? "FF");
        writer.WriteBoolean("isMinInclusive", true);
        writer.WriteBoolean("isMaxInclusive", false);
        writer.WriteEndObject();
    }

    private static void WriteEmptyArrays(Utf8JsonWriter writer, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            writer.WriteStartArray(name);
            writer.WriteEndArray();
        }
    }
}
