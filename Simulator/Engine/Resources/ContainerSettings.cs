using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Storage;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container as its creator defined it.</summary>
internal sealed record ContainerSettings
{
    public required string Name { get; init; }

    public required PartitionKeyVersion Version { get; init; }

    public required string PartitionKeyPath { get; init; }

    public required IReadOnlyList<string> PartitionKeySegments { get; init; }

    public required IndexingPolicy Indexing { get; init; }

    public required IReadOnlyList<string> IncludedPaths { get; init; }

    public required IReadOnlyList<string> ExcludedPaths { get; init; }

    public required bool Automatic { get; init; }

    /// <exception cref="RequestException">400: malformed, or something that is not simulated.</exception>
    public static ContainerSettings Parse(ReadOnlyMemory<byte> json) =>
        RequestException.ReadJson(json, ResourceCatalog.InvalidPayload, Read);

    private static ContainerSettings Read(JsonElement root)
    {
        string name = ResourceCatalog.ReadName(root);
        RejectWhatIsNotSimulated(root);
        if (!root.TryGetProperty("partitionKey", out JsonElement key)
            || !key.TryGetProperty("paths", out JsonElement paths) || paths.GetArrayLength() == 0)
            throw RequestException.BadRequest("A container needs a partition key definition with one path.");
        if (paths.GetArrayLength() > 1 || (key.TryGetProperty("kind", out JsonElement kind) && kind.GetString() is not "Hash"))
            throw RequestException.BadRequest("Only partition keys of kind Hash with one path are simulated.");
        int version = key.TryGetProperty("version", out JsonElement given) && given.ValueKind != JsonValueKind.Null
            ? given.TryGetInt32(out int number) ? number : 0
            : 1;
        if (version is not (1 or 2))
            throw RequestException.BadRequest("The partition key definition's version must be 1 or 2.");
        string path = paths[0].GetString() ?? "";
        if (PropertyPath.Parse(path) is not { } segments || segments.Contains("[]") || segments.Contains("*") || segments.Contains("?"))
        {
            throw RequestException.BadRequest(
                $"The partition key component definition path '{path}' could not be accepted, failed near position '0'. "
                + "Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.");
        }

        (IndexingMode mode, bool automatic, List<string> included, List<string> excluded) = ReadIndexing(root);
        return new ContainerSettings
        {
            Name = name,
            Version = (PartitionKeyVersion)version,
            PartitionKeyPath = path,
            PartitionKeySegments = segments,
            Automatic = automatic,
            IncludedPaths = included,
            ExcludedPaths = excluded,
            Indexing = IndexingPolicy.Create(automatic ? mode : IndexingMode.None, included, excluded),
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

    private static void RejectWhatIsNotSimulated(JsonElement root)
    {
        if (root.TryGetProperty("defaultTtl", out JsonElement ttl) && ttl.ValueKind == JsonValueKind.Number
            && !(ttl.TryGetInt32(out int seconds) && seconds == -1))
            throw RequestException.BadRequest("Time to live is not simulated.");
        if (root.TryGetProperty("uniqueKeyPolicy", out JsonElement unique) && unique.ValueKind == JsonValueKind.Object
            && unique.TryGetProperty("uniqueKeys", out JsonElement keys)
            && keys.ValueKind == JsonValueKind.Array && keys.GetArrayLength() > 0)
            throw RequestException.BadRequest("Unique keys are not simulated.");
    }
}
