namespace ScaleOut.Tests.Support.Infra;

internal static partial class InfraFiles
{
    public static string Folder { get; } = Path.Combine(RepositoryFiles.Root, "infra");

    /// <summary>The text of a file below <c>infra/</c>.</summary>
    public static string Read(string path) => File.ReadAllText(Path.Combine(Folder, path));

    /// <summary>The text of a file below the top of the repository.</summary>
    public static string ReadTop(string path) => File.ReadAllText(Path.Combine(RepositoryFiles.Root, path));

    /// <summary>Every Bicep file, by its path below <c>infra/</c> as the table of <c>infra/README.md</c> writes it.</summary>
    public static IReadOnlyList<string> Bicep { get; } = PathsOf("*.bicep");
    public static IReadOnlyList<string> Kusto { get; } = PathsOf("*.kql");

    public static IReadOnlyList<string> Hooks { get; } =
        [.. PathsOf("*").Where(path => path.StartsWith("hooks/", StringComparison.Ordinal))];

    /// <summary>The value of each parameter in <c>main.parameters.json</c>, by the parameter's name and in the file's order.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> ParameterValues { get; } =
    [
        .. JsonNode.Parse(Read("main.parameters.json"))!["parameters"]!.AsObject()
            .Select(value => KeyValuePair.Create(value.Key, value.Value!["value"]!.GetValue<string>())),
    ];

    /// <summary>The variables of azd's environment that the parameters are read from.</summary>
    public static IReadOnlyList<string> Variables { get; } =
        [.. ParameterValues.Select(value => VariableName().Match(value.Value).Groups["name"].Value)];

    private static List<string> PathsOf(string pattern) =>
    [
        .. Directory.GetFiles(Folder, pattern, SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Folder, path).Replace('\\', '/')).Order(StringComparer.Ordinal),
    ];

    [GeneratedRegex(@"^\$\{(?<name>[A-Z_]+)")]
    private static partial Regex VariableName();
}
