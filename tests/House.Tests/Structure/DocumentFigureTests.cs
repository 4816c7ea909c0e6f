namespace ScaleOut.Tests.Structure;

/// <summary>Figures of the documents that somebody measured on a machine: the command that gives them stands in the same section.</summary>
public sealed partial class DocumentFigureTests
{
    /// <summary>Pages of their day: a decision keeps what was known when it was made.</summary>
    private static readonly string Decisions = Path.Combine("docs", "decisions");

    [Fact]
    public void Documents_SectionsWithMeasuredFigures_NameTheirCommand()
    {
        var pages = Directory.EnumerateFiles(Path.Combine(RepositoryFiles.Root, "docs"), "*.md", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(RepositoryFiles.Root, path))
            .Where(path => !path.StartsWith(Decisions, StringComparison.Ordinal))
            .Concat(["README.md", "CONTRIBUTING.md", Path.Combine("bench", "README.md")]);
        StructureTests.AssertNone(pages.SelectMany(page =>
            WithoutCommand(File.ReadAllText(Path.Combine(RepositoryFiles.Root, page))).Select(section => $"{page}: {section}")));
    }

    [Theory]
    [InlineData("# A\nIt took 5.2 s.\n", "# A")]
    [InlineData("# A\nIt took 5.2 s by `dotnet run --project bench -- startup`.\n", null)]
    [InlineData("# A\n`devbox run`\n## B\nOn 2 idle cores a page needs 40 ms.\n", "## B")]
    [InlineData("# A\nA leg takes a number.\n", null)]
    public void WithoutCommand_Section_IsFoundByItsFigure(string text, string? expected) =>
        Assert.Equal(expected, WithoutCommand(text).SingleOrDefault());

    /// <summary>Headings of the sections that have a measured figure and no command.</summary>
    private static IEnumerable<string> WithoutCommand(string text) =>
        Heading().Split(text)
            .Where(section => section.Split('\n').Any(line => Figure().IsMatch(line) && Measured().IsMatch(line)))
            .Where(section => !Command().IsMatch(section))
            .Select(section => section.Split('\n')[0]);

    [GeneratedRegex("(?m)^(?=#+ )")]
    private static partial Regex Heading();

    /// <summary>A number with a unit of time, size or rate.</summary>
    [GeneratedRegex(@"\d[\d,.]*\s?(s|ms|µs|us|MB|KB|GB|min|%|/s|CPU seconds|seconds|minutes)(?![\w/])")]
    private static partial Regex Figure();

    [GeneratedRegex(@"\b(took|sampled|sampling|takes \d|on (2|two) (idle )?cores)\b", RegexOptions.IgnoreCase)]
    private static partial Regex Measured();

    /// <summary>A block of code, or a command in a sentence.</summary>
    [GeneratedRegex(@"`[^`]*(devbox|dotnet|node|npm|azd|curl|bench|perf|\.ci/)\b[^`]*`|```")]
    private static partial Regex Command();
}
