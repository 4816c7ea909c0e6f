namespace ScaleOut.Tests.DevBox.Display;

public sealed class ExperimentLinesTests
{
    private static readonly ExperimentStatus Running = new() { Phase = ExperimentPhase.Running, Runs = 4, Ended = 0, NotComplete = 0 };

    /// <summary>A run that could not even begin has no report, so only the status says why.</summary>
    [Fact]
    public void Show_RunThatIsNotComplete_IsSaidOnceWithItsReason()
    {
        using var output = new StringWriter();
        var lines = new ExperimentLines(output, _ => throw new NotSupportedException("No run is shown."));
        var failed = Running with { Ended = 1, NotComplete = 1, LastNotComplete = "b, repeat 1 (failed): its id is in use." };

        lines.Show(Running);
        lines.Show(failed);
        lines.Show(failed with { RunId = "x-v0-r2", Variant = "a", Repeat = 2 });
        lines.Show(failed with { Ended = 2, NotComplete = 2, LastNotComplete = "a, repeat 2 (incomplete)" });

        Assert.Equal(
            [
                "    not complete: b, repeat 1 (failed): its id is in use.", "[2/4] a, repeat 2  (x-v0-r2)",
                "    not complete: a, repeat 2 (incomplete)", "",
            ],
            output.ToString().Split(Environment.NewLine));
    }
}
