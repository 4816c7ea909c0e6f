namespace ScaleOut.Tests.Structure;

/// <summary>Each project has its log events in one file, <c>{project}Log.cs</c>, and no two of the solution have the same id.</summary>
public sealed partial class LogEventTests
{
    private static readonly List<(string Path, string Text)> Files =
        [.. SourceText.Production().Where(file => file.Text.Contains("[LoggerMessage", StringComparison.Ordinal))];

    [Fact]
    public void Events_OfEachProject_StandInOneFile()
    {
        Assert.NotEmpty(Files);
        StructureTests.AssertNone(Files
            .Where(file => file.Path.Split('/') is not [var project, var name] || name != $"{project}Log.cs")
            .Select(file => $"{file.Path} declares log events"));
    }

    [Fact]
    public void Events_OfEachProject_HaveIdsOfTheirOwn()
    {
        var events = Files.Sum(file => Event().Count(file.Text));
        var ids = Files.SelectMany(file => EventWithId().Matches(file.Text)).Select(match => match.Groups["id"].Value).ToHashSet();
        Assert.Equal(events, ids.Count);
    }

    [GeneratedRegex(@"\[LoggerMessage\b")]
    private static partial Regex Event();

    [GeneratedRegex(@"\[LoggerMessage\(\s*(?<id>\d+),")]
    private static partial Regex EventWithId();
}
