namespace ScaleOut.Tests.Support;

/// <summary>The code in the documents: fenced blocks, and code within sentences.</summary>
internal static partial class DocumentText
{
    /// <summary>A fenced block with these characters is a picture and has no commands.</summary>
    private static readonly char[] Picture = ['─', '│', '►'];

    /// <summary>Paths of the documents whose commands are run, from the root of the repository.</summary>
    public static IReadOnlyList<string> Files { get; } =
    [
        "README.md", "CONTRIBUTING.md", "bench/README.md",
        .. new[] { "docs", "plans" }
            .SelectMany(folder => Directory.EnumerateFiles(PathOf(folder), "*.md", SearchOption.AllDirectories))
            .Select(file => Path.GetRelativePath(RepositoryFiles.Root, file)).Order(StringComparer.Ordinal),
    ];

    public static string PathOf(string file) => Path.Combine(RepositoryFiles.Root, file);

    /// <summary>Contents of a document's fenced blocks of a language; "" for blocks without a language.</summary>
    public static IEnumerable<string> Blocks(string file, string language) =>
        Fence().Matches(File.ReadAllText(PathOf(file)))
            .Where(fence => fence.Groups["language"].Value == language)
            .Select(fence => fence.Groups["text"].Value)
            .Where(text => text.IndexOfAny(Picture) < 0);

    /// <summary>Code within a document's sentences and tables, with spaces for line breaks.</summary>
    public static IEnumerable<string> Inline(string file) =>
        Fence().Replace(File.ReadAllText(PathOf(file)), "").Split("\n\n").SelectMany(paragraph => Code().Matches(paragraph))
            .Select(code => code.Groups["text"].Value.Replace('\n', ' ').Replace("\\|", "|", StringComparison.Ordinal));

    [GeneratedRegex(@"^```(?<language>\w*)\n(?<text>(.*\n)*?)```$", RegexOptions.Multiline)]
    private static partial Regex Fence();

    [GeneratedRegex("`(?<text>[^`]+)`")]
    private static partial Regex Code();
}
