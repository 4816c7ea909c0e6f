namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The table of <c>docs/findings.md</c> must be that of the catalog.</summary>
public sealed class FindingsPageTests
{
    private const string Rewrite = "SCALEOUT_REWRITE_DOCS";
    private const string Heading = "| kind | claim | variants | on the simulated account predicted from |\n|---|---|---|---|\n";

    private static readonly string Page = Path.Combine(RepositoryFiles.Root, "docs", "findings.md");

    [Fact]
    public void Page_OfTheRepository_HasEveryKindOfTheCatalog()
    {
        var text = File.ReadAllText(Page);
        var start = text.IndexOf(Heading, StringComparison.Ordinal);
        Assert.True(start >= 0, "docs/findings.md has no table of kinds");
        var end = text.IndexOf("\n\n", start, StringComparison.Ordinal) + 1;
        var table = Heading + string.Concat(Enum.GetValues<FindingKind>().Select(FindingCatalog.TestOf).Select(test =>
            $"| `{FindingCatalog.NameOf(test.Kind)}` | {test.ClaimFor(new FindingSpec { Kind = test.Kind })} | {test.Roles.Text} | "
            + $"{test.PredictedFrom} |\n"));
        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
        {
            text = text[..start] + table + text[end..];
            File.WriteAllText(Page, text);
        }

        Assert.True(text.Contains(table, StringComparison.Ordinal),
            $"docs/findings.md differs from the catalog; rewrite its table with {Rewrite}=1 "
                + $"dotnet test --project tests/EndToEnd.Tests --filter-class '*{nameof(FindingsPageTests)}'");
    }
}
