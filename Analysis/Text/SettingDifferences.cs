namespace ScaleOut.Analysis.Text;

/// <summary>Finds the settings in which two specs differ.</summary>
internal static class SettingDifferences
{
    private const string Absent = "not set";

    /// <summary>One line for each setting, such as <c>client.concurrency: 10, 20</c>, sorted by name.</summary>
    public static IReadOnlyList<string> From<T>(T a, T b) =>
    [
        .. Differing([a, b]).OrderBy(one => one.Path, StringComparer.Ordinal)
            .Select(one => $"{one.Path}: {string.Join(", ", one.Values)}"),
    ];

    /// <summary>
    /// The settings in which specs differ, each with its different values, such as <c>client.concurrency (10, 20)</c>, sorted by name.
    /// A list counts as one setting and is shown without its values.
    /// </summary>
    public static IReadOnlyList<string> Between<T>(IReadOnlyList<T> specs) =>
    [
        .. Differing(specs)
            .Select(setting => setting.Path.IndexOf('[', StringComparison.Ordinal) is >= 0 and var list
                ? (Name: setting.Path[..list], Text: setting.Path[..list])
                : (Name: setting.Path, Text: $"{setting.Path} ({string.Join(", ", setting.Values)})"))
            .DistinctBy(setting => setting.Name)
            .OrderBy(setting => setting.Name, StringComparer.Ordinal)
            .Select(setting => setting.Text),
    ];

    private static IEnumerable<(string Path, List<string> Values)> Differing<T>(IReadOnlyList<T> specs)
    {
        var leaves = specs.Distinct().Select(Leaves).ToList();
        return leaves.SelectMany(one => one.Keys).Distinct()
            .Select(path => (path, leaves.Select(one => one.GetValueOrDefault(path, Absent)).Distinct().ToList()))
            .Where(one => one.Item2.Count > 1);
    }

    private static Dictionary<string, string> Leaves<T>(T spec)
    {
        var leaves = new Dictionary<string, string>(StringComparer.Ordinal);
        Collect(JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact), "", leaves);
        return leaves;
    }

    private static void Collect(JsonNode? node, string path, Dictionary<string, string> leaves)
    {
        switch (node)
        {
            case JsonObject fields:
                foreach (var (name, value) in fields)
                    Collect(value, path.Length == 0 ? name : $"{path}.{name}", leaves);
                break;
            case JsonArray items:
                for (var i = 0; i < items.Count; i++)
                    Collect(items[i], $"{path}[{i}]", leaves);
                break;
            case not null:
                leaves[path] = node.GetValueKind() == JsonValueKind.String ? node.GetValue<string>() : node.ToJsonString();
                break;
        }
    }
}
