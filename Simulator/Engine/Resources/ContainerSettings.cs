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

/// <summary>How conflicting writes of several regions are resolved. With one region, this is only kept and returned.</summary>
internal sealed record ConflictResolution(string Mode, string? Path, string? Procedure)
{
    public static ConflictResolution Default { get; } = new("LastWriterWins", "/_ts", "");
}

/// <summary>A container's definition besides its key and index paths.</summary>
internal sealed record ContainerPolicies
{
    private const int MaxUniqueKeys = 10;
    private const int MaxUniquePaths = 16;

    /// <summary>The property with the computed properties.</summary>
    public const string Computed = "computedProperties";

    /// <summary>Properties that are rejected by name, because ignoring them would change results.</summary>
    private static readonly (string Property, string Name)[] NotSimulated =
    [
        ("vectorEmbeddingPolicy", "Vector embedding policies"), ("fullTextPolicy", "Full-text policies"),
        ("clientEncryptionPolicy", "Client encryption policies"),
        ("analyticalStorageTtl", "The analytical store and its time to live"),
        ("ttlPropertyPath", "Another property for the time to live"),
    ];

    /// <summary>Seconds; <see cref="TimeToLive.Never"/> if only documents with their own time expire; null if none expires.</summary>
    public int? DefaultTtl { get; private init; }

    /// <summary>Paths of each unique key. Their values together are unique in a logical partition.</summary>
    public IReadOnlyList<IReadOnlyList<JsonPath>> UniqueKeys { get; private init; } = [];

    public ConflictResolution ConflictResolution { get; private init; } = ConflictResolution.Default;

    /// <summary>Properties that are returned as they were given.</summary>
    public IReadOnlyDictionary<string, JsonNode> Kept { get; private init; } = new Dictionary<string, JsonNode>();

    /// <exception cref="RequestException">400: malformed, or not simulated.</exception>
    public static ContainerPolicies Read(JsonElement root)
    {
        var indexing = Member(root, "indexingPolicy");
        Reject(root, NotSimulated);
        IndexingPolicyReader.Check(indexing);
        return new ContainerPolicies
        {
            DefaultTtl = ReadTtl(Member(root, "defaultTtl")),
            UniqueKeys = ReadUniqueKeys(Member(Member(root, "uniqueKeyPolicy"), "uniqueKeys")),
            ConflictResolution = ReadResolution(Member(root, "conflictResolutionPolicy")),
            Kept = new[]
                {
                    (root, "changeFeedPolicy"), (root, Computed), (root, "geospatialConfig"), (root, "schemaPolicy"),
                    (indexing, "spatialIndexes"),
                }
                .Where(one => Member(one.Item1, one.Item2).ValueKind is JsonValueKind.Object or JsonValueKind.Array)
                .ToDictionary(one => one.Item2, one => JsonNode.Parse(Member(one.Item1, one.Item2).GetRawText())!),
        };
    }

    /// <summary>Whether unique keys are the same; they cannot be changed.</summary>
    public bool HasUniqueKeysOf(ContainerPolicies other) =>
        UniqueKeys.Count == other.UniqueKeys.Count
        && UniqueKeys.Zip(other.UniqueKeys).All(
            pair => pair.First.Select(path => path.Text).SequenceEqual(pair.Second.Select(path => path.Text)));

    public static void Reject(JsonElement root, (string Property, string Name)[] names)
    {
        foreach ((var property, var name) in names)
        {
            var value = Member(root, property);
            var isEmpty = value.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null
                || (value.ValueKind == JsonValueKind.Array && value.GetArrayLength() == 0);
            if (!isEmpty)
                throw RequestException.BadRequest($"{name} ('{property}') are not simulated.");
        }
    }

    private static int? ReadTtl(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Undefined or JsonValueKind.Null => null,
        _ => TimeToLive.IsValid(value, out var seconds) ? seconds : throw RequestException.BadRequest(TimeToLive.Invalid(value.ToString())),
    };

    private static JsonPath[][] ReadUniqueKeys(JsonElement keys)
    {
        if (keys.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
            return [];
        JsonPath[][] all = [.. keys.EnumerateArray().Select(
            key => (JsonPath[])[.. key.GetProperty("paths").EnumerateArray().Select(path => ReadPath(path.GetString(), "unique key"))])];
        if (all.Length > MaxUniqueKeys || all.Sum(key => key.Length) > MaxUniquePaths || all.Any(key => key.Length == 0))
        {
            throw RequestException.BadRequest(
                $"A unique key policy has at most {MaxUniqueKeys} keys with 1 to {MaxUniquePaths} paths in all of them together.");
        }

        return all;
    }

    private static ConflictResolution ReadResolution(JsonElement policy)
    {
        if (policy.ValueKind != JsonValueKind.Object)
            return ConflictResolution.Default;
        var mode = Text("mode") ?? ConflictResolution.Default.Mode;
        return mode.ToUpperInvariant() switch
        {
            "LASTWRITERWINS" => ConflictResolution.Default with
            {
                Path = Text("conflictResolutionPath") is { Length: > 0 } path
                    ? ReadPath(path, "conflict resolution").Text : ConflictResolution.Default.Path,
            },
            "CUSTOM" => new ConflictResolution("Custom", "", Text("conflictResolutionProcedure") ?? ""),
            _ => throw RequestException.BadRequest($"The conflict resolution mode '{mode}' is neither LastWriterWins nor Custom."),
        };

        string? Text(string property) => Member(policy, property) is { ValueKind: JsonValueKind.String } value ? value.GetString() : null;
    }

    public static JsonPath ReadPath(string? path, string owner) => JsonPath.Parse(path ?? "")
        ?? throw RequestException.BadRequest(
            $"The {owner} path '{path}' could not be accepted. It must begin with '/' and have no wildcard and no slash at its end.");

    public static JsonElement Member(JsonElement element, string property) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(property, out var value) ? value : default;
}
