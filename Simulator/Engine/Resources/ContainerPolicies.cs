using System.Text.Json.Nodes;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>
/// How conflicting writes of several regions are resolved. With one region it has no effect, and is only kept and returned.
/// </summary>
internal sealed record ConflictResolution(string Mode, string? Path, string? Procedure)
{
    public static ConflictResolution Default { get; } = new("LastWriterWins", "/_ts", "");
}

/// <summary>What a container's definition may say beside its key and its index paths.</summary>
internal sealed record ContainerPolicies
{
    private const int MostUniqueKeys = 10;
    private const int MostUniquePaths = 16;

    /// <summary>What is rejected, and by what name, because ignoring it would change results.</summary>
    private static readonly (string Property, string Name)[] NotSimulated =
    [
        ("vectorEmbeddingPolicy", "Vector embedding policies"), ("fullTextPolicy", "Full-text policies"),
        ("computedProperties", "Computed properties"), ("clientEncryptionPolicy", "Client encryption policies"),
        ("analyticalStorageTtl", "The analytical store and its time to live"),
        ("ttlPropertyPath", "Another property for the time to live"),
    ];

    private static readonly (string Property, string Name)[] IndexesNotSimulated =
        [("vectorIndexes", "Vector indexes"), ("fullTextIndexes", "Full-text indexes")];

    /// <summary>Seconds; <see cref="TimeToLive.Never"/> where only documents with their own expire; null where none does.</summary>
    public int? DefaultTtl { get; private init; }

    /// <summary>Paths of each unique key; their values together are unique in a logical partition.</summary>
    public IReadOnlyList<IReadOnlyList<JsonPath>> UniqueKeys { get; private init; } = [];

    public ConflictResolution ConflictResolution { get; private init; } = ConflictResolution.Default;

    /// <summary>
    /// What has no effect on anything that is simulated, and is only kept and returned. A schema policy allows items that are no JSON, and
    /// those are rejected.
    /// </summary>
    public IReadOnlyDictionary<string, JsonNode> Kept { get; private init; } = new Dictionary<string, JsonNode>();

    /// <exception cref="RequestException">400: malformed, or something that is not simulated.</exception>
    public static ContainerPolicies Read(JsonElement root)
    {
        JsonElement indexing = Member(root, "indexingPolicy");
        Reject(root, NotSimulated);
        Reject(indexing, IndexesNotSimulated);
        CheckSpatial(Member(indexing, "spatialIndexes"));
        return new ContainerPolicies
        {
            DefaultTtl = ReadTtl(Member(root, "defaultTtl")),
            UniqueKeys = ReadUniqueKeys(Member(Member(root, "uniqueKeyPolicy"), "uniqueKeys")),
            ConflictResolution = ReadResolution(Member(root, "conflictResolutionPolicy")),
            Kept = new[] { (root, "changeFeedPolicy"), (root, "geospatialConfig"), (root, "schemaPolicy"), (indexing, "spatialIndexes") }
                .Where(one => Member(one.Item1, one.Item2).ValueKind is JsonValueKind.Object or JsonValueKind.Array)
                .ToDictionary(one => one.Item2, one => JsonNode.Parse(Member(one.Item1, one.Item2).GetRawText())!),
        };
    }

    /// <summary>Whether unique keys are the same ones: they cannot be changed.</summary>
    public bool HasUniqueKeysOf(ContainerPolicies other) =>
        UniqueKeys.Count == other.UniqueKeys.Count
        && UniqueKeys.Zip(other.UniqueKeys).All(
            pair => pair.First.Select(path => path.Text).SequenceEqual(pair.Second.Select(path => path.Text)));

    private static void Reject(JsonElement root, (string Property, string Name)[] names)
    {
        foreach ((string property, string name) in names)
        {
            JsonElement value = Member(root, property);
            bool isEmpty = value.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null
                || (value.ValueKind == JsonValueKind.Array && value.GetArrayLength() == 0);
            if (!isEmpty)
                throw RequestException.BadRequest($"{name} ('{property}') are not simulated.");
        }
    }

    private static void CheckSpatial(JsonElement indexes)
    {
        foreach (JsonElement index in indexes.ValueKind == JsonValueKind.Array ? indexes.EnumerateArray() : default)
        {
            if (Member(index, "types") is not { ValueKind: JsonValueKind.Array } types || types.GetArrayLength() == 0)
            {
                throw RequestException.BadRequest(
                    "The spatial data types array cannot be empty. Assign at least one spatial type for the 'types' array for the path "
                    + $"'{Member(index, "path")}'.");
            }
        }
    }

    private static int? ReadTtl(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Undefined or JsonValueKind.Null => null,
        _ => TimeToLive.IsValid(value, out int seconds) ? seconds : throw RequestException.BadRequest(TimeToLive.Invalid(value.ToString())),
    };

    private static JsonPath[][] ReadUniqueKeys(JsonElement keys)
    {
        if (keys.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
            return [];
        JsonPath[][] all = [.. keys.EnumerateArray().Select(
            key => (JsonPath[])[.. key.GetProperty("paths").EnumerateArray().Select(path => ReadPath(path.GetString(), "unique key"))])];
        if (all.Length > MostUniqueKeys || all.Sum(key => key.Length) > MostUniquePaths || all.Any(key => key.Length == 0))
        {
            throw RequestException.BadRequest(
                $"A unique key policy has at most {MostUniqueKeys} keys with 1 to {MostUniquePaths} paths in all of them together.");
        }

        return all;
    }

    /// <summary>The composite indexes of an indexing policy.</summary>
    public static CompositePath[][] ReadComposites(JsonElement policy)
    {
        JsonElement indexes = Member(policy, "compositeIndexes");
        if (indexes.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
            return [];
        CompositePath[][] all = [.. indexes.EnumerateArray().Select(
            index => (CompositePath[])[.. index.EnumerateArray().Select(ReadComposite)])];
        return all.All(index => index.Length >= 2)
            ? all : throw RequestException.BadRequest("A composite index must have at least two paths.");
    }

    private static CompositePath ReadComposite(JsonElement part)
    {
        string order = Member(part, "order") is { ValueKind: JsonValueKind.String } given ? given.GetString()! : "ascending";
        if (order is not ("ascending" or "descending"))
            throw RequestException.BadRequest($"The order '{order}' of a composite index is neither ascending nor descending.");
        return new CompositePath(ReadPath(part.GetProperty("path").GetString(), "composite index"), order == "descending");
    }

    private static ConflictResolution ReadResolution(JsonElement policy)
    {
        if (policy.ValueKind != JsonValueKind.Object)
            return ConflictResolution.Default;
        string mode = Text("mode") ?? ConflictResolution.Default.Mode;
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

        string? Text(string property) =>
            Member(policy, property) is { ValueKind: JsonValueKind.String } value ? value.GetString() : null;
    }

    private static JsonPath ReadPath(string? path, string owner) => JsonPath.Parse(path ?? "")
        ?? throw RequestException.BadRequest(
            $"The {owner} path '{path}' could not be accepted. It must begin with '/' and have no wildcard and no slash at its end.");

    private static JsonElement Member(JsonElement element, string property) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(property, out JsonElement value) ? value : default;
}
