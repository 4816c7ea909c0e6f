namespace ScaleOut.Tests.Support.Infra;

/// <summary>
/// What the Bicep compiler makes of <c>infra/main.bicep</c>, so that no test reads Bicep. <c>.ci/bicep</c> compares it with what the
/// compiler makes now.
/// </summary>
internal static class Deployment
{
    private static readonly string Folder = Path.Combine(RepositoryFiles.Root, "tests", "House.Tests", "Infra", "Compiled");

    /// <summary>The template, with the modules in it.</summary>
    public static JsonObject Main { get; } = Read("main.json");

    /// <summary>The template of each file that makes resources, by its path below <c>infra/</c>.</summary>
    public static IReadOnlyDictionary<string, JsonObject> Files { get; } = Modules(Main)
        .Where(module => !module.Name.StartsWith("developer-", StringComparison.Ordinal))
        .Select(module => KeyValuePair.Create($"app/{(module.Name == "orchestrator" ? "function" : module.Name)}.bicep", module.Template))
        .Append(KeyValuePair.Create("main.bicep", Main)).ToDictionary();

    /// <summary>The resources of a deployment with the default of every parameter.</summary>
    public static DeployedResources Default { get; } = new(Read("default.snapshot.json"));

    /// <summary>The resources of a deployment with every option switched on, such as the virtual network.</summary>
    public static DeployedResources Network { get; } = new(Read("network.snapshot.json"));

    /// <summary>What the deployment leaves in the environment of azd.</summary>
    public static IEnumerable<string> Outputs => Main["outputs"]!.AsObject().Select(output => output.Key);
    public static IEnumerable<KeyValuePair<string, JsonNode?>> Parameters => Main["parameters"]!.AsObject();

    /// <summary>The resources of a template, without those of its modules.</summary>
    public static IEnumerable<JsonObject> ResourcesOf(JsonObject template) => template["resources"]!.AsArray()
        .Select(resource => resource!.AsObject()).Where(resource => (string)resource["type"]! != "Microsoft.Resources/deployments");

    public static IEnumerable<(string Name, JsonObject Template, JsonObject Arguments)> Modules(JsonObject template) =>
        template["resources"]!.AsArray()
            .Select(resource => resource!.AsObject())
            .Where(resource => (string)resource["type"]! == "Microsoft.Resources/deployments")
            .Select(resource => (
                (string)resource["name"]!,
                resource["properties"]!["template"]!.AsObject(),
                resource["properties"]!["parameters"]!.AsObject()));

    /// <summary>The checksum of each file that it was made from, as <c>sha256sum</c> writes it.</summary>
    public static IEnumerable<(string Path, string Checksum)> Sources => File.ReadLines(Path.Combine(Folder, "sources.sha256"))
        .Select(line => (line[66..], line[..64]));

    /// <summary>The checksum of a file with the line ends of the repository, whatever they are on this machine.</summary>
    public static string ChecksumOf(string path) => Convert.ToHexStringLower(
        SHA256.HashData(Encoding.UTF8.GetBytes(InfraFiles.ReadTop(path).ReplaceLineEndings("\n"))));

    private static JsonObject Read(string file) => JsonNode.Parse(File.ReadAllText(Path.Combine(Folder, file)))!.AsObject();
}

/// <summary>The resources of one deployment, with the values that each has then.</summary>
internal sealed class DeployedResources(JsonObject snapshot)
{
    public IReadOnlyList<JsonObject> All { get; } = [.. snapshot["predictedResources"]!.AsArray().Select(resource => resource!.AsObject())];

    /// <summary>The settings of the Function App; a value that only Azure knows is an expression.</summary>
    public IReadOnlyDictionary<string, string> AppSettings => Properties("Microsoft.Web/sites/config").AsObject()
        .ToDictionary(setting => setting.Key, setting => (string)setting.Value!);

    public IEnumerable<JsonObject> OfType(string type) => All.Where(resource => (string)resource["type"]! == type);

    /// <summary>The properties of the only resource of a type, or of the one whose name ends so.</summary>
    public JsonNode Properties(string type, string name = "") =>
        OfType(type).Single(resource => ((string)resource["name"]!).EndsWith(name, StringComparison.Ordinal))["properties"]!;
}
