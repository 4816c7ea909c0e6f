namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container as its creator defined it.</summary>
internal sealed record ContainerSettings
{
    public required string Name { get; init; }

    public required PartitionKeyDefinition PartitionKey { get; init; }

    public PartitionKeyVersion Version => PartitionKey.Version;

    /// <summary>The path of the partition key; of a hierarchical key all of them, as messages name them.</summary>
    public string PartitionKeyPath => PartitionKey.PathText;

    /// <summary>Property names of the partition key's only path; empty for a hierarchical key.</summary>
    public IReadOnlyList<string> PartitionKeySegments => PartitionKey.IsHierarchical ? [] : PartitionKey.Paths[0].Segments;

    public required ContainerPolicies Policies { get; init; }

    public required IndexingPolicy Indexing { get; init; }

    public required IReadOnlyList<string> IncludedPaths { get; init; }

    public required IReadOnlyList<string> ExcludedPaths { get; init; }

    public required bool Automatic { get; init; }

    /// <exception cref="RequestException">400: malformed, or something that is not simulated.</exception>
    public static ContainerSettings Parse(ReadOnlyMemory<byte> json) =>
        RequestException.ReadJson(json, ResourceCatalog.InvalidPayload, Read);

    /// <summary>What a partition's store has to keep; null for nothing.</summary>
    public PartitionRules? CreateRules(PartitionStore store) => PartitionRules.Create(store, Policies.DefaultTtl, Policies.UniqueKeys);

    /// <summary>Says what is wrong with a document's own time to live; null for nothing.</summary>
    public string? CheckTtl(ReadOnlySpan<byte> body) => Policies.DefaultTtl is null ? null : TimeToLive.Check(body);

    private static ContainerSettings Read(JsonElement root)
    {
        string name = ResourceCatalog.ReadName(root);
        (IndexingMode mode, bool automatic, List<string> included, List<string> excluded) = ReadIndexing(root);
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
                root.TryGetProperty("indexingPolicy", out JsonElement policy) ? ContainerPolicies.ReadComposites(policy) : []),
        };
    }

    private static (IndexingMode Mode, bool Automatic, List<string> Included, List<string> Excluded) ReadIndexing(JsonElement root)
    {
        var mode = IndexingMode.Consistent;
        bool automatic = true;
        List<string> included = [];
        List<string> excluded = [];
        if (root.TryGetProperty("indexingPolicy", out JsonElement policy) && policy.ValueKind == JsonValueKind.Object)
        {
            if (policy.TryGetProperty("indexingMode", out JsonElement name) && !Enum.TryParse(name.GetString(), ignoreCase: true, out mode))
                throw RequestException.BadRequest($"The indexing mode '{name}' is none of consistent, lazy and none.");
            if (policy.TryGetProperty("automatic", out JsonElement flag) && flag.ValueKind == JsonValueKind.False)
                automatic = false;
            included = Paths("includedPaths");
            excluded = Paths("excludedPaths");
        }

        if (mode != IndexingMode.None)
        {
            if (included.Count == 0 && excluded.Count == 0)
                included.Add("/*");
            if (!excluded.Contains("/\"_etag\"/?") && !excluded.Contains("/*"))
                excluded.Add("/\"_etag\"/?");
        }

        return (mode, automatic && mode != IndexingMode.None, included, excluded);

        List<string> Paths(string property) =>
            policy.TryGetProperty(property, out JsonElement list) && list.ValueKind == JsonValueKind.Array
            ? [.. list.EnumerateArray().Select(entry => entry.GetProperty("path").GetString() ?? "")]
            : [];
    }
}
