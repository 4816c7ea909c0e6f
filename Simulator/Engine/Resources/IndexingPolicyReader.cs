namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>Reads the indexing policy in a container's definition, and refuses what the service refuses or what is not simulated.</summary>
internal static class IndexingPolicyReader
{
    private static readonly (string Property, string Name)[] NotSimulated =
        [("vectorIndexes", "Vector indexes"), ("fullTextIndexes", "Full-text indexes")];

    /// <summary>Checks the indexes that are refused or only kept.</summary>
    /// <exception cref="RequestException">400: malformed, or not simulated.</exception>
    public static void Check(JsonElement policy)
    {
        ContainerPolicies.Reject(policy, NotSimulated);
        CheckSpatial(ContainerPolicies.Member(policy, "spatialIndexes"));
    }

    public static (IndexingMode Mode, bool Automatic, List<string> Included, List<string> Excluded) ReadPaths(JsonElement root)
    {
        var mode = IndexingMode.Consistent;
        var automatic = true;
        List<string> included = [];
        List<string> excluded = [];
        if (root.TryGetProperty("indexingPolicy", out var policy) && policy.ValueKind == JsonValueKind.Object)
        {
            if (policy.TryGetProperty("indexingMode", out var name) && !Enum.TryParse(name.GetString(), ignoreCase: true, out mode))
                throw RequestException.BadRequest($"The indexing mode '{name}' is none of consistent, lazy and none.");
            if (policy.TryGetProperty("automatic", out var flag) && flag.ValueKind == JsonValueKind.False)
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
            policy.TryGetProperty(property, out var list) && list.ValueKind == JsonValueKind.Array
            ? [.. list.EnumerateArray().Select(entry => entry.GetProperty("path").GetString() ?? "")]
            : [];
    }

    public static CompositePath[][] ReadComposites(JsonElement policy)
    {
        var indexes = ContainerPolicies.Member(policy, "compositeIndexes");
        if (indexes.ValueKind is JsonValueKind.Undefined or JsonValueKind.Null)
            return [];
        CompositePath[][] all = [.. indexes.EnumerateArray().Select(
            index => (CompositePath[])[.. index.EnumerateArray().Select(ReadComposite)])];
        return all.All(index => index.Length >= 2)
            ? all : throw RequestException.BadRequest("A composite index must have at least two paths.");
    }

    private static CompositePath ReadComposite(JsonElement part)
    {
        var order = ContainerPolicies.Member(part, "order") is { ValueKind: JsonValueKind.String } given ? given.GetString()! : "ascending";
        if (order is not ("ascending" or "descending"))
            throw RequestException.BadRequest($"The order '{order}' of a composite index is neither ascending nor descending.");
        var path = ContainerPolicies.ReadPath(part.GetProperty("path").GetString(), "composite index");
        return new CompositePath(path, order == "descending");
    }

    private static void CheckSpatial(JsonElement indexes)
    {
        foreach (var index in indexes.ValueKind == JsonValueKind.Array ? indexes.EnumerateArray() : default)
        {
            if (ContainerPolicies.Member(index, "types") is not { ValueKind: JsonValueKind.Array } types || types.GetArrayLength() == 0)
            {
                throw RequestException.BadRequest(
                    "The spatial data types array cannot be empty. Assign at least one spatial type for the 'types' array for the path "
                    + $"'{ContainerPolicies.Member(index, "path")}'.");
            }
        }
    }
}
