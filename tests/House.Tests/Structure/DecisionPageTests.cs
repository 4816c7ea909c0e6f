namespace ScaleOut.Tests.Structure;

/// <summary>The pages in docs/decisions.</summary>
public sealed partial class DecisionPageTests
{
    private const int MaxPages = 10;

    /// <summary>A screen of 45 lines with 120 columns.</summary>
    private const int MaxLines = 45;
    private const int MaxColumns = 120;

    private static readonly string[] Headings = ["Context", "Decision", "Rejected", "Consequences"];

    private static readonly IReadOnlyDictionary<string, string> Pages = Directory
        .GetFiles(Path.Combine(RepositoryFiles.Root, "docs", "decisions"))
        .ToDictionary(path => Path.GetFileName(path), File.ReadAllText);

    [Fact]
    public void Pages_Number_IsAtMostTen() => Assert.InRange(Pages.Count, 1, MaxPages);

    [Fact]
    public void Pages_Headings_AreContextDecisionRejectedConsequences() => Assert.All(Pages.Values, page => Assert.Equal(
        Headings, Heading().Matches(page).Select(match => match.Groups["text"].Value)));

    [Fact]
    public void Pages_Length_IsOneScreen() => Assert.All(Pages.Values, page =>
    {
        var lines = page.TrimEnd('\n').Split('\n');
        Assert.InRange(lines.Length, Headings.Length, MaxLines);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, MaxColumns));
    });

    [Fact]
    public void Architecture_Links_LeadToEachPage()
    {
        var text = File.ReadAllText(Path.Combine(RepositoryFiles.Root, "docs", "architecture.md"));

        Assert.Equal(
            Pages.Keys.Order(StringComparer.Ordinal),
            Link().Matches(text).Select(match => match.Groups["page"].Value).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Pages_EachPathOfCode_IsThere()
    {
        var missing = Pages.Values.SelectMany(page => CodePath().Matches(page)).Select(match => match.Groups["path"].Value)
            .Where(path => !Path.Exists(Path.Combine(RepositoryFiles.Root, path)));

        Assert.Empty(missing);
    }

    [GeneratedRegex("^## (?<text>.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"\]\(decisions/(?<page>[\w-]+\.md)\)")]
    private static partial Regex Link();

    [GeneratedRegex("`(?<path>(Analysis|Api|DevBox|Orchestrator|Shared|Simulator|Workers|tests)/[\\w./-]+)`")]
    private static partial Regex CodePath();
}
