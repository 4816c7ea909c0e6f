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
        ("Analysis", 16_591, "named steps, and units of conditions in a table"),
        ("Api", 1_879, "the queue of sizes has a bound"),
        ("DevBox", 15_965, "runs and experiments in named steps of few parameters"),
        ("Orchestrator", 1_383, "a damaged item is a warning, and activities of containers have a class of their own"),
        ("Shared", 13_960, "rules, forms and names of items in fewer words"),
        ("Simulator", 18_614, "what a trigger sees is written by a JSON writer, and splits have a class of their own"),
        ("Workers", 10_306, "named steps of a leg on one clock, and state that an operation keeps in its loop"),
    ];

    /// <summary>Methods that are too long, with their lines. Each may only get shorter, and nothing is added.</summary>
    private static readonly Dictionary<string, int> LongMethods = new()
    {
        ["FleetBasis.From"] = 69, ["FleetForecast.From"] = 65, ["MonthCost.From"] = 70,
        ["RunExecution.RunAsync"] = 83, ["RunReportBuilder.Build"] = 65, ["SizeNotes.Of"] = 64, ["SizePage.From"] = 62,
    };

    /// <summary>Methods and constructors that have too many parameters, with their number. Nothing is added.</summary>
    private static readonly Dictionary<string, int> ManyParameters = new()
    {
        ["AccountPlan.From"] = 7, ["Chart.Add"] = 8, ["Chart.AddSpan"] = 7, ["Chart.From"] = 7,
        ["EngineInstances.ScheduleAttemptAsync"] = 8, ["ExperimentExecution.MeasureAsync"] = 7, ["ExperimentExecution.RunAsync"] = 8,
        ["JobClaim.TakeAsync"] = 7, ["LoadCost.From"] = 7, ["LocalRunActivities.LocalRunActivities"] = 9, ["MonthCost.From"] = 8,
        ["RunExecution.RunAsync"] = 9, ["SizeOptions.ReadAsync"] = 7, ["TextTable.OfValues"] = 7, ["WorkerPool.WorkerPool"] = 8,
        ["WorkerProcess.Start"] = 9,
    };

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
        StructureTests.AssertNone(Exceeding(Members(), LongMethods, MaxLines, member => member.Lines, "lines"));

    [Fact]
    public void Source_MethodsAndConstructors_HaveFewParameters() =>
        StructureTests.AssertNone(Exceeding(Members(), ManyParameters, MaxParameters, member => member.Parameters, "parameters"));

    [Theory]
    [InlineData(1_001, "Shared has 1001 lines, more than 1000: find what is unnecessary, or raise the number and say why")]
    [InlineData(1_000, null)]
    [InlineData(1_000 - Slack, null)]
    [InlineData(999 - Slack, "Shared has 939 lines: lower its number, 1000")]
    public void OutOfStep_LinesOfAProject_AreComparedWithItsNumber(int lines, string? expected) =>
        Assert.Equal(expected, OutOfStep("Shared", lines, 1_000).SingleOrDefault());

    [Fact]
    public void Exceeding_MembersBeyondTheirNumbers_AreNoticedAsAreNumbersWithoutNeed()
    {
        SourceMember[] members = [new("A.cs", 1, "A.Same", 70, 0), new("A.cs", 2, "A.More", 71, 0), new("A.cs", 3, "A.New", 61, 0)];
        Assert.Equal(
            [
                "A.cs(2) A.More has 71 lines, more than 70",
                "A.cs(3) A.New has 61 lines, more than 60",
                "A.Gone needs no number any more",
            ],
            Exceeding(members, new() { ["A.Same"] = 80, ["A.More"] = 70, ["A.Gone"] = 70 }, 60, member => member.Lines, "lines"));
    }

    private static IEnumerable<string> OutOfStep(string project, int lines, int number) =>
        lines > number ? [$"{project} has {lines} lines, more than {number}: find what is unnecessary, or raise the number and say why"]
        : lines < number - Slack ? [$"{project} has {lines} lines: lower its number, {number}"]
        : [];

    /// <summary>Members that exceed the maximum, or their own number; and own numbers of members that do not exceed the maximum.</summary>
    private static IEnumerable<string> Exceeding(
        IEnumerable<SourceMember> members, Dictionary<string, int> numbers, int max, Func<SourceMember, int> measure, string unit)
    {
        SourceMember[] exceeding = [.. members.Where(member => measure(member) > max)];
        return
        [
            .. exceeding.Where(member => measure(member) > numbers.GetValueOrDefault(member.Name, max))
                .Select(member => $"{member} has {measure(member)} {unit}, more than {numbers.GetValueOrDefault(member.Name, max)}"),
            .. numbers.Keys.Except(exceeding.Select(member => member.Name)).Select(name => $"{name} needs no number any more"),
        ];
    }

    private static IEnumerable<SourceMember> Members() =>
        SourceText.Production().SelectMany(file => SourceMembers.In(file.Path, file.Text));
}
