using Spectre.Console;

namespace ScaleOut.Tests.DevBox.Display;

public class LivePictureTests
{
    [Theory]
    [InlineData(4, 80, 24)]
    [InlineData(1_000, 80, 24)]
    [InlineData(1_000, 200, 50)]
    [InlineData(50, 60, 12)]
    public void From_AnyTerminal_FitsIntoIt(int workers, int columns, int lines)
    {
        var drawn = Draw(workers, columns, lines);
        Assert.InRange(drawn.Length, 1, lines - 1);
        Assert.All(drawn, line => Assert.InRange(line.Length, 0, columns));
        AssertText.AnyHas(drawn, "42 of 1,000,000");
    }

    [Fact]
    public void From_MoreWorkersThanLines_SumsUpTheRest() => Assert.Contains(
        Draw(workers: 30, columns: 80, lines: 24), line => line.TrimStart().StartsWith("+17 more", StringComparison.Ordinal));

    [Theory]
    [InlineData(80)]
    [InlineData(160)]
    public void From_WorkerWithAnError_ShowsItAsText(int columns) =>
        AssertText.AnyHas(Draw(workers: 2, columns, lines: 24), "503/20006 [reset]");

    [Theory]
    [InlineData(4, 80, 24)]
    [InlineData(1_000, 160, 24)]
    [InlineData(50, 60, 12)]
    public void From_LostLegs_SaysWhyAndFits(int workers, int columns, int lines)
    {
        var drawn = Draw(workers, columns, lines, tally =>
        {
            tally.LoseLeg(0, 1, "an [older] reason " + new string('y', 500));
            tally.LoseLeg(1, 1, "No space left on device [28]");
        });
        Assert.InRange(drawn.Length, 1, lines - 1);
        Assert.All(drawn, line => Assert.InRange(line.Length, 0, columns));
        AssertText.AnyHas(drawn, "leg 1 of worker 1 lost: No space left on dev");
    }

    /// <summary>The terminal shows ^C at the cursor. Its line is empty, has room for ^C, and is erased by the next picture.</summary>
    [Fact]
    public void From_AnyPicture_LeavesTheCursorOnALineThatIsErasedAndHasRoom()
    {
        using var output = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.Yes, Out = new AnsiConsoleOutput(output) });
        console.Profile.Width = 80;
        console.Write(LivePicture.From(new RunTally(new RunSpec { Id = "r" }).Snapshot(), "run r", columns: 80, lines: 24));
        Assert.EndsWith("\u001b[K", output.ToString().TrimEnd('\n'), StringComparison.Ordinal);
        var plain = new AnsiConsoleOutput(output);
        Assert.Equal(plain.Width - 3, new OutputWithMargin(plain).Width);
    }

    [Fact]
    public void From_RunOnATable_HasNoRequestUnitsAndNoContainer()
    {
        static string Text(WorkloadKind kind) => string.Join(
            '\n', Draw(2, 120, 24, kind: kind).Concat(Draw(2, 120, 24, tally => tally.SetPhase(RunPhase.Verifying), kind)));
        AssertText.Has(Text(WorkloadKind.Insert), "RU/s", "counting the container's documents");
        Assert.DoesNotContain("RU/s", Text(WorkloadKind.TableBatch), StringComparison.Ordinal);
        Assert.Contains("counting the table's rows", Text(WorkloadKind.TableBatch), StringComparison.Ordinal);
    }

    private static string[] Draw(
        int workers, int columns, int lines, Action<RunTally>? change = null, WorkloadKind kind = WorkloadKind.Insert)
    {
        var tally = new RunTally(new RunSpec { Id = "r", Workers = workers, Workload = new WorkloadSpec { Kind = kind } });
        tally.SetPhase(RunPhase.Running);
        tally.Take(new WorkerProgress
        {
            RunId = "r", Worker = 0, Workers = 2, Leg = 1, Attempt = 1, Sequence = 1, Activity = WorkerState.Running,
            At = DateTimeOffset.UnixEpoch, Counts = new() { Inserted = 42 }, LastError = "503/20006 [reset] " + new string('x', 300),
        });

        change?.Invoke(tally);
        using var output = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(output) });
        console.Profile.Width = columns;
        console.Profile.Height = lines;
        console.Write(LivePicture.From(tally.Snapshot(), "run r: a heading of some length, as a run has it", columns, lines));
        return [.. output.ToString().TrimEnd('\n').Split('\n').Select(line => line.TrimEnd())];
    }
}
