namespace ScaleOut.Tests.Structure;

/// <summary>How much code there is: lines of each project, lines of methods, and parameters.</summary>
public sealed class SizeTests
{
    /// <summary>What fits a screen.</summary>
    private const int MaxLines = 60;

    private const int MaxParameters = 6;

    /// <summary>Lines that a project may have fewer than its number before the number must follow.</summary>
    private const int Slack = 60;

    /// <summary>
    /// The lines of each project that is shipped. A change that needs more first looks for what it makes unnecessary, and then raises the
    /// number and says here why. Where code goes, the number follows.
    /// </summary>
    private static readonly (string Project, int Lines, string Reason)[] Projects =
    [
        ("Analysis", 16_560, "named steps, and units of conditions in a table"),
        ("Api", 1_802, "the queue of sizes has a bound"),
        ("DevBox", 10_062, "sizing is a project of its own"),
        ("Orchestrator", 1_406, "a status that an earlier version published is none"),
        ("Shared", 14_101, "charges are one type, errors of input have their fields, subjects have files of their own"),
        ("Simulator", 18_617, "time-outs on a clock that tests can move, subjects have files of their own"),
        ("Sizing", 5_873, "sizing and prediction, without a console"),
        ("Workers", 10_374, "subjects that one would look for have a file of their own"),
    ];

    [Fact]
    public void Source_LinesOfEachProject_AreThoseOfTheTable()
    {
        var lines = SourceText.Production().GroupBy(file => file.Path.Split('/')[0])
            .ToDictionary(project => project.Key, project => project.Sum(file => file.Text.Count(one => one == '\n')));
        Assert.Equal(lines.Keys.Order(StringComparer.Ordinal), Projects.Select(row => row.Project));
        StructureTests.AssertNone(Projects.SelectMany(row => OutOfStep(row.Project, lines[row.Project], row.Lines)));
    }

    [Fact]
    public void Source_Methods_FitAScreen() =>
        StructureTests.AssertNone(Exceeding(Members(), MaxLines, member => member.Lines, "lines"));

    [Fact]
    public void Source_MethodsAndConstructors_HaveFewParameters() =>
        StructureTests.AssertNone(Exceeding(Members(), MaxParameters, member => member.Parameters, "parameters"));

    [Theory]
    [InlineData(1_001, "Shared has 1001 lines, more than 1000: find what is unnecessary, or raise the number and say why")]
    [InlineData(1_000, null)]
    [InlineData(1_000 - Slack, null)]
    [InlineData(999 - Slack, "Shared has 939 lines: lower its number, 1000")]
    public void OutOfStep_LinesOfAProject_AreComparedWithItsNumber(int lines, string? expected) =>
        Assert.Equal(expected, OutOfStep("Shared", lines, 1_000).SingleOrDefault());

    [Fact]
    public void Exceeding_MemberBeyondTheMaximum_IsNoticed()
    {
        SourceMember[] members = [new("A.cs", 1, "A.Same", 60, 0), new("A.cs", 2, "A.More", 61, 0)];
        Assert.Equal(["A.cs(2) A.More has 61 lines, more than 60"], Exceeding(members, 60, member => member.Lines, "lines"));
    }

    private static IEnumerable<string> OutOfStep(string project, int lines, int number) =>
        lines > number ? [$"{project} has {lines} lines, more than {number}: find what is unnecessary, or raise the number and say why"]
        : lines < number - Slack ? [$"{project} has {lines} lines: lower its number, {number}"]
        : [];

    private static IEnumerable<string> Exceeding(
        IEnumerable<SourceMember> members, int max, Func<SourceMember, int> measure, string unit) =>
        members.Where(member => measure(member) > max).Select(member => $"{member} has {measure(member)} {unit}, more than {max}");

    private static IEnumerable<SourceMember> Members() =>
        SourceText.Production().SelectMany(file => SourceMembers.In(file.Path, file.Text));
}
