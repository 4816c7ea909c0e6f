namespace ScaleOut.Tests.Infra;

/// <summary>The checklist for a first deployment.</summary>
public sealed class ChecklistTests
{
    private static readonly string Checklist = InfraFiles.Read("FIRST-DEPLOYMENT.md");

    private static IReadOnlyList<string[]> Rows { get; } = MarkdownTable.Under(
        Checklist.Replace(@"\|", "/", StringComparison.Ordinal), "# Checklist for a first deployment");

    [Fact]
    public void Rows_Numbers_AreInOrderAndSayWhatToSend()
    {
        Assert.Equal(Enumerable.Range(1, Rows.Count).Select(number => $"{number}"), Rows.Select(cells => cells[0]));
        Assert.All(Rows, cells => Assert.Equal(4, cells.Length));
        Assert.All(Rows, cells => Assert.All(cells, cell => Assert.NotEmpty(cell)));
    }

    /// <summary>Each remedy has the command that applies it, and a row whose result says that it is needed.</summary>
    [Theory]
    [InlineData("--settings WEBSITE_USE_PLACEHOLDER_DOTNETISOLATED=0", "exit code 139")]
    [InlineData("/providers/Microsoft.Web/sites/$APP/host/default/sync?api-version=", "WarmUp")]
    public void Remedies_Commands_AreNamedByARow(string command, string sign)
    {
        Assert.Contains(command, Checklist.Split("\n## Two remedies\n")[1], StringComparison.Ordinal);
        var row = Assert.Single(Rows, cells => cells.Any(cell => cell.Contains(sign, StringComparison.Ordinal)));
        Assert.Contains("(#two-remedies)", row[3], StringComparison.Ordinal);
    }
}
