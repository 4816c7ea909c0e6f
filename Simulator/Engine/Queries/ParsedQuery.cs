namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>A query that the simulated account can answer.</summary>
internal sealed record ParsedQuery
{
    /// <summary>Every document, as a read feed gives them.</summary>
    public static ParsedQuery Everything { get; } = new() { Projection = QueryProjection.Documents, Filters = [], Source = "c", Condition = "" };

    public required QueryProjection Projection { get; init; }

    /// <summary>All must hold.</summary>
    public required IReadOnlyList<QueryFilter> Filters { get; init; }

    /// <summary>What stands behind FROM.</summary>
    public required string Source { get; init; }

    /// <summary>What stands behind it, from WHERE on; empty for none.</summary>
    public required string Condition { get; init; }

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
