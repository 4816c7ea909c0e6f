namespace ScaleOut.Tests.Structure;

/// <summary>The table in docs/architecture.md that says where to change what.</summary>
public sealed partial class DocumentPathTests
{
    private static readonly string Table = TextFrom("## Where do I change what");

    [Fact]
    public void TableOfChanges_EachPath_IsThere()
    {
        var sources = SourceText.Files().Select(file => Path.GetFileName(file.Path)).ToHashSet();

        var missing = Named().Matches(Table).Select(match => match.Groups["path"].Value)
            .Where(path => path.Contains('/', StringComparison.Ordinal)
                ? !Path.Exists(Path.Combine(RepositoryFiles.Root, path))
                : path.EndsWith(".cs", StringComparison.Ordinal) && !sources.Contains(path));

        Assert.Empty(missing);
    }

    /// <summary>A longer table helps nobody: a folder is named for its contents instead.</summary>
    [Fact]
    public void TableOfChanges_Rows_AreAtMostForty() =>
        Assert.InRange(Table.Split('\n').Count(line => line.StartsWith("| ", StringComparison.Ordinal)), 20, 41);

    private static string TextFrom(string heading)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "docs", "architecture.md"));
        return text[text.IndexOf(heading, StringComparison.Ordinal)..];
    }

    [GeneratedRegex("`(?<path>[A-Za-z.][\\w./-]*)`")]
    private static partial Regex Named();
}
