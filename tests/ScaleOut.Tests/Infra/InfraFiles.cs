using ScaleOut.Tests.Specs;

namespace ScaleOut.Tests.Infra;

/// <summary>The files that describe the deployment, as they are in the repository.</summary>
internal static class InfraFiles
{
    public static string Folder { get; } = Path.Combine(RepositoryFiles.Root, "infra");

    /// <summary>The text of a file below <c>infra/</c>.</summary>
    public static string Read(string path) => File.ReadAllText(Path.Combine(Folder, path));

    /// <summary>Every Bicep file, by its path below <c>infra/</c> as the table of <c>infra/README.md</c> writes it.</summary>
    public static IReadOnlyList<BicepFile> Bicep { get; } =
    [
        .. Directory.GetFiles(Folder, "*.bicep", SearchOption.AllDirectories)
            .Select(path => BicepFile.Parse(Path.GetRelativePath(Folder, path).Replace('\\', '/'), File.ReadAllText(path)))
            .OrderBy(file => file.Path, StringComparer.Ordinal),
    ];

    /// <summary>Every file of Kusto.</summary>
    public static IReadOnlyList<string> Kusto { get; } =
    [
        .. Directory.GetFiles(Folder, "*.kql", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(Folder, path).Replace('\\', '/'))
            .Order(StringComparer.Ordinal),
    ];
}
