using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>What a query returns.</summary>
internal enum QueryProjection
{
    /// <summary><c>SELECT *</c>, whole documents.</summary>
    Documents,

    /// <summary><c>SELECT VALUE COUNT(1)</c>: one number.</summary>
    Count,

    /// <summary>
    /// <c>SELECT VALUE [{"item": COUNT(1)}]</c>: the form that the query plan asks each partition for, so that the client can add up.
    /// </summary>
    PartialCount,
}

/// <summary>A query that the simulated account can run.</summary>
internal sealed record ParsedQuery
{
    /// <summary>Every document, as a read feed returns them.</summary>
    public static ParsedQuery Everything { get; } =
        new() { Projection = QueryProjection.Documents, Filters = [], Source = "c", Condition = "" };

    public required QueryProjection Projection { get; init; }

    /// <summary>All must hold.</summary>
    public required IReadOnlyList<QueryFilter> Filters { get; init; }

    /// <summary>What stands behind FROM.</summary>
    public required string Source { get; init; }

    /// <summary>What stands behind it, from WHERE on; empty for none.</summary>
    public required string Condition { get; init; }

    /// <summary>The partition key that the query fixes with an equality; null when it fixes none.</summary>
    public PartitionKeyIdentity? FixedPartitionKey(ContainerSettings settings)
    {
        foreach (QueryFilter filter in Filters)
        {
            if (filter.Comparison == QueryComparison.Equal && filter.Path.SequenceEqual(settings.PartitionKeySegments))
                return PartitionKeyIdentity.From(settings.Version, filter.Value.AsPartitionKey());
        }

        return null;
    }

    /// <summary>The hash of the id that the query fixes with an equality; null when it fixes none.</summary>
    public ulong? FixedIdHash()
    {
        foreach (QueryFilter filter in Filters)
        {
            if (filter is { Comparison: QueryComparison.Equal, Path: ["id"], Value.Kind: PartitionKeyKind.Text })
                return DocumentKey.HashId(filter.Value.Text);
        }

        return null;
    }

    public bool Matches(ReadOnlySpan<byte> body)
    {
        foreach (QueryFilter filter in Filters)
        {
            if (!filter.Matches(body))
                return false;
        }

        return true;
    }
}
