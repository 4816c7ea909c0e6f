namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container as its creator defined it.</summary>
internal sealed record ContainerSettings
{
    public required string Name { get; init; }

    public required PartitionKeyDefinition PartitionKey { get; init; }

    public PartitionKeyVersion Version => PartitionKey.Version;

    /// <summary>All paths of the partition key, for messages.</summary>
    public string PartitionKeyPath => PartitionKey.PathText;

    /// <summary>Property names of the only partition key path; empty for a hierarchical key.</summary>
    public IReadOnlyList<string> PartitionKeySegments => PartitionKey.IsHierarchical ? [] : PartitionKey.Paths[0].Segments;

    public required ContainerPolicies Policies { get; init; }

    public required IndexingPolicy Indexing { get; init; }

    public required IReadOnlyList<string> IncludedPaths { get; init; }

    public required IReadOnlyList<string> ExcludedPaths { get; init; }

    public required bool Automatic { get; init; }

    /// <param name="isShared">Whether the container shares its database's throughput.</param>
    /// <exception cref="RequestException">400: malformed, or not simulated.</exception>
    public static ContainerSettings Parse(ReadOnlyMemory<byte> json, bool isShared = false) =>
        RequestException.ReadJson(
            json, ResourceCatalog.InvalidPayload,
            root => isShared && root.ValueKind == JsonValueKind.Object && !root.TryGetProperty("partitionKey", out _)
                ? throw RequestException.OfGateway("Shared throughput collection should have a partition key")
                : Read(root));

    /// <summary>The rules of a partition's store; null for none.</summary>
    public PartitionRules? CreateRules(PartitionStore store) => PartitionRules.Create(store, Policies.DefaultTtl, Policies.UniqueKeys);

    /// <summary>A computed property that other settings lack although a path of an indexing policy names it; null for none.</summary>
    /// <param name="policy">The settings with that policy.</param>
    public string? FindIndexed(ContainerSettings lacking, ContainerSettings policy) =>
        Indexing.Computed.Keys.Except(lacking.Indexing.Computed.Keys).FirstOrDefault(name => policy.IncludedPaths
            .Concat(policy.ExcludedPaths).Concat(policy.Indexing.Composites.SelectMany(index => index).Select(part => part.Path.Text))
            .Any(path => PropertyPath.Parse(path) is [var first, ..] && first == name));

    /// <summary>The error in a document's own time to live; null if there is none.</summary>
    public string? CheckTtl(ReadOnlySpan<byte> body) => Policies.DefaultTtl is null ? null : TimeToLive.Check(body);

    private static ContainerSettings Read(JsonElement root)
    {
        var name = ResourceCatalog.ReadName(root);
        (var mode, var automatic, var included, var excluded) = IndexingPolicyReader.ReadPaths(root);
        return new ContainerSettings
        {
            Name = name,
            PartitionKey = PartitionKeyDefinition.Read(root),
            Policies = ContainerPolicies.Read(root),
            Automatic = automatic,
            IncludedPaths = included,
            ExcludedPaths = excluded,
            Indexing = IndexingPolicy.Create(
                automatic ? mode : IndexingMode.None, included, excluded,
                root.TryGetProperty("indexingPolicy", out var policy) ? IndexingPolicyReader.ReadComposites(policy) : [],
                ComputedProperties.Read(ContainerPolicies.Member(root, ContainerPolicies.Computed))),
        };
    }
}
