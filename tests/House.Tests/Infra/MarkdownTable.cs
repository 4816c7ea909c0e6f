namespace ScaleOut.Tests.Infra;

internal static class MarkdownTable
{
    /// <summary>The cells of every row below the heading and above the next of its level, without the head of the table.</summary>
    public static IReadOnlyList<string[]> Under(string markdown, string heading)
    {
        var lines = markdown.Split('\n');
        var start = Array.FindIndex(lines, line => line.Trim() == heading);
        Assert.True(start >= 0, $"no heading '{heading}'");
        var level = heading[..(heading.IndexOf(' ', StringComparison.Ordinal) + 1)];
        return
        [
            .. lines.Skip(start + 1)
                .TakeWhile(line => !line.StartsWith(level, StringComparison.Ordinal))
                .Where(line => line.StartsWith('|') && !line.All(letter => letter is '|' or '-' or ':' or ' '))
                .Skip(1).Select(line => line.Trim()[1..^1].Split('|').Select(cell => cell.Trim()).ToArray()),
        ];
    }

    /// <summary>What stands between the first pair of backticks of a cell; empty without one.</summary>
    public static string Code(string cell) => cell.Split('`') is { Length: >= 3 } parts ? parts[1] : "";
}
