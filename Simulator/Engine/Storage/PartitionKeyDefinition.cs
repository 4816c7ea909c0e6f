using System.Text.Json;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A container's partition key: one path, or up to three of a hierarchical key.</summary>
/// <param name="Version">How values are hashed; of a hierarchical key version 2.</param>
/// <param name="Paths">1 to 3.</param>
/// <param name="IsHierarchical">Whether it is of kind <c>MultiHash</c>.</param>
internal sealed record PartitionKeyDefinition(PartitionKeyVersion Version, IReadOnlyList<JsonPath> Paths, bool IsHierarchical)
{
    private const int MostPaths = 3;

    /// <summary>Whether it names its version, and is returned with it. Without, it is of version 1.</summary>
    public bool NamesVersion { get; private init; }

    /// <summary>As messages name it.</summary>
    public string PathText => string.Join(", ", Paths.Select(path => path.Text));

    /// <exception cref="RequestException">400: malformed.</exception>
    public static PartitionKeyDefinition Read(JsonElement root)
    {
        if (!root.TryGetProperty("partitionKey", out JsonElement key)
            || !key.TryGetProperty("paths", out JsonElement paths) || paths.GetArrayLength() == 0)
            throw RequestException.BadRequest("A container needs a partition key definition with a path.");
        string kind = key.TryGetProperty("kind", out JsonElement givenKind) ? givenKind.GetString() ?? "" : "Hash";
        bool isHierarchical = kind == "MultiHash";
        if (!isHierarchical && kind != "Hash")
            throw RequestException.BadRequest($"Partition keys of kind '{kind}' are not simulated, only Hash and MultiHash.");
        if (paths.GetArrayLength() > (isHierarchical ? MostPaths : 1))
        {
            throw RequestException.BadRequest(isHierarchical
                ? $"A partition key of kind MultiHash has at most {MostPaths} paths."
                : "A partition key of kind Hash has one path; more need the kind MultiHash.");
        }

        PartitionKeyVersion version = ReadVersion(key);
        if (isHierarchical && version != PartitionKeyVersion.V2)
            throw RequestException.BadRequest("A partition key of kind MultiHash needs version 2.");
        JsonPath[] all = [.. paths.EnumerateArray().Select(path => ReadPath(path.GetString() ?? ""))];
        return new PartitionKeyDefinition(version, all, isHierarchical)
        {
            NamesVersion = key.TryGetProperty("version", out JsonElement given) && given.ValueKind == JsonValueKind.Number,
        };
    }

    public bool IsSameAs(PartitionKeyDefinition other) =>
        Version == other.Version && IsHierarchical == other.IsHierarchical
        && Paths.Select(path => path.Text).SequenceEqual(other.Paths.Select(path => path.Text));

    private static PartitionKeyVersion ReadVersion(JsonElement key)
    {
        int version = key.TryGetProperty("version", out JsonElement given) && given.ValueKind != JsonValueKind.Null
            ? given.TryGetInt32(out int number) ? number : 0
            : 1;
        return version is 1 or 2
            ? (PartitionKeyVersion)version
            : throw RequestException.BadRequest("The partition key definition's version must be 1 or 2.");
    }

    private static JsonPath ReadPath(string path) => JsonPath.Parse(path) ?? throw RequestException.BadRequest(
        $"The partition key component definition path '{path}' could not be accepted, failed near position '0'. "
        + "Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.");
}
