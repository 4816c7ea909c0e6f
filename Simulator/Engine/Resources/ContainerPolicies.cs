namespace ScaleOut.Simulator.Engine.Resources;

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

/// <summary>How conflicting writes of several regions are resolved. With one region, this is only kept and returned.</summary>
internal sealed record ConflictResolution(string Mode, string? Path, string? Procedure)
{
    public static ConflictResolution Default { get; } = new("LastWriterWins", "/_ts", "");
}
