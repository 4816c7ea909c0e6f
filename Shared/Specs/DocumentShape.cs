namespace ScaleOut.Specs;

/// <summary>What a document of a kind looks like, as far as keys and charges depend on it.</summary>
public sealed record DocumentShape
{
    /// <summary>Typical size of the JSON in UTF-8 bytes.</summary>
    public required int Bytes { get; init; }

    /// <summary>Paths of the scalars that an index takes up; <c>id</c> is not charged as one.</summary>
    public required IReadOnlyList<string> LeafPaths { get; init; }

    /// <summary>Paths that can be the partition key, the default first.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    public string DefaultPartitionKeyPath => PartitionKeyPaths[0];

    private static readonly DocumentShape PerfTest = new()
    {
        Bytes = 155,
        LeafPaths = ["/KeyNumber", "/SomeText", "/SomeCount", "/PartitionKey"],
        PartitionKeyPaths = ["/PartitionKey", UniquePath],
    };

    /// <summary>The path whose value no two documents share.</summary>
    public const string UniquePath = "/id";

    /// <summary>The shape of a kind's documents.</summary>
    public static DocumentShape Of(DocumentKind kind) => kind switch
    {
        DocumentKind.PerfTest => PerfTest,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "no such kind of document"),
    };
}
