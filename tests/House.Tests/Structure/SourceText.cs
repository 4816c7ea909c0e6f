namespace ScaleOut.Tests.Structure;

/// <summary>The source of the project, and the rule that lines and files fit a screen.</summary>
internal static class SourceText
{
    private const int MaxColumns = 140;
    private const int MaxLines = 400;

    private static readonly Regex AnyWord = Word(@"\w+");
    private static readonly Regex Comment = Word("//.*");

    private static readonly string[] ProductionFolders =
        ["Analysis", "Api", "DevBox", "Orchestrator", "Shared", "Simulator", "Sizing", "Workers"];

    private static readonly string[] OtherFolders =
        ["bin", "obj", "node_modules", ".git", "artifacts", "runs", "TestResults", "BenchmarkDotNet.Artifacts"];

    /// <summary>Lines that do not fit, and a file that is too long.</summary>
    public static IEnumerable<string> LongIn(string path, string text)
    {
        var lines = text.Split('\n');
        if (lines.Length > MaxLines + 1)
            yield return $"{path}: {lines.Length} lines, more than {MaxLines}";
        for (var i = 0; i < lines.Length; i++)
        {
            if (lines[i].TrimEnd('\r').Length > MaxColumns)
                yield return $"{path}({i + 1}): {lines[i].Length} columns, more than {MaxColumns}";
        }
    }

    /// <summary>The words of source, without those of its comments.</summary>
    public static IEnumerable<string> WordsOf(string text) => AnyWord.Matches(Comment.Replace(text, "")).Select(match => match.Value);

    /// <summary>The repository's files of source, by their path from its root.</summary>
    public static IEnumerable<(string Path, string Text)> Files() => FilesIn(RepositoryFiles.Root)
        .Where(file => Path.GetExtension(file) == ".cs")
        .Select(file => (Path.GetRelativePath(RepositoryFiles.Root, file).Replace('\\', '/'), File.ReadAllText(file)));

    /// <summary>The files of the projects that are shipped.</summary>
    public static IEnumerable<(string Path, string Text)> Production() =>
        Files().Where(file => ProductionFolders.Contains(file.Path.Split('/')[0]));

    private static IEnumerable<string> FilesIn(string folder) => Directory.EnumerateFiles(folder)
        .Concat(Directory.EnumerateDirectories(folder).Where(inner => !OtherFolders.Contains(Path.GetFileName(inner))).SelectMany(FilesIn));

    private static Regex Word(string pattern) => new(pattern, RegexOptions.CultureInvariant | RegexOptions.Compiled);
}
