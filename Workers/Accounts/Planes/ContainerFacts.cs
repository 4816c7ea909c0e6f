using ScaleOut.Specs;

namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>What a run needs to know of a container that exists.</summary>
internal sealed record ContainerFacts
{
    /// <summary>One path; several for a hierarchical key.</summary>
    public required IReadOnlyList<string> PartitionKeyPaths { get; init; }

    /// <summary>Whether documents vanish after a time unless they say otherwise.</summary>
    public bool Expires { get; init; }

    /// <summary>Whether it rejects documents that are equal in some property.</summary>
    public bool HasUniqueKeys { get; init; }

    /// <summary>Null where the account does not tell.</summary>
    public IndexingMode? Indexing { get; init; }

    /// <summary>The path, or the paths of a hierarchical key, for people.</summary>
    public string PartitionKeyText => string.Join(" + ", PartitionKeyPaths);
}
