using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>What a query's conditions say about where its documents can be.</summary>
internal static class QueryTarget
{
    /// <summary>The partition key that the query fixes with an equality; null when it fixes none.</summary>
    public static PartitionKeyIdentity? PartitionKeyOf(ContainerResource container, ParsedQuery query)
    {
        IReadOnlyList<string> path = container.Definition.PartitionKeySegments;
        foreach (QueryFilter filter in query.Filters)
        {
            if (filter.Comparison == QueryComparison.Equal && filter.Path.SequenceEqual(path))
                return PartitionKeyIdentity.From(container.Definition.Version, filter.Value.AsPartitionKey());
        }

        return null;
    }

    /// <summary>The hash of the id that the query fixes with an equality; null when it fixes none.</summary>
    public static ulong? IdHashOf(ParsedQuery query)
    {
        foreach (QueryFilter filter in query.Filters)
        {
            if (filter is { Comparison: QueryComparison.Equal, Path: ["id"], Value.Kind: PartitionKeyKind.Text })
                return DocumentIds.Hash(filter.Value.Text);
        }

        return null;
    }
}
