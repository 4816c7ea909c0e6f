namespace ScaleOut.Specs;

/// <summary>A query that is sent once for each number, and read to its last page.</summary>
public sealed record QuerySpec
{
    /// <summary>Such as <c>SELECT * FROM c WHERE c.ownerId = @owner</c>, at most 4,000 characters.</summary>
    public required string Text { get; init; }

    /// <summary>Values of the text's parameters, up to 20.</summary>
    public IReadOnlyList<QueryParameterSpec>? Parameters { get; init; }

    /// <summary>Physical partitions that the SDK asks at once, -1 to 10,000: -1 leaves it to the SDK, 0 asks one after the other. Null means the SDK's default, which is 0.</summary>
    public int? MaxConcurrency { get; init; }

    /// <summary>The partition key that the query is limited to, with placeholders such as <c>{{key}}</c>. Null means all partitions.</summary>
    public string? PartitionKey { get; init; }

    /// <summary>Documents per page, 1 to 1,000. Null means the SDK's default.</summary>
    public int? PageSize { get; init; }
}
