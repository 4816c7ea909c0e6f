namespace ScaleOut.Tests.Structure;

/// <summary>What docs/architecture.md says to look at is there.</summary>
public sealed partial class DocumentPathTests
{
    [Fact]
    public void TableOfChanges_NamesFilesAndFoldersThatAreThere()
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "docs", "architecture.md"));
        var table = text[text.IndexOf("## Where do I change what", StringComparison.Ordinal)..];
        var sources = SourceText.Files(".cs").Select(file => Path.GetFileName(file.Path)).ToHashSet();

        var missing = Named().Matches(table).Select(match => match.Groups["path"].Value)
            .Where(path => path.Contains('/', StringComparison.Ordinal)
                ? !Path.Exists(Path.Combine(RepositoryFiles.Root, path))
                : path.EndsWith(".cs", StringComparison.Ordinal) && !sources.Contains(path));

        Assert.Empty(missing);
    }

    /// <summary>A table that nobody can keep in mind helps nobody: folders are named for what is in them instead.</summary>
    [Fact]
    public void TableOfChanges_HasAtMostFortyRows()
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "docs", "architecture.md"));
        var rows = text[text.IndexOf("## Where do I change what", StringComparison.Ordinal)..].Split('\n')
            .Count(line => line.StartsWith("| ", StringComparison.Ordinal));

        Assert.InRange(rows, 20, 41);
    }

    /// <summary>A path, or the name of a source file.</summary>
    [GeneratedRegex("`(?<path>[A-Za-z.][\\w./-]*)`")]
    private static partial Regex Named();
}
