namespace ScaleOut.Tests.DevBox.Display;

public class PlainDisplayTests
{
    [Fact]
    public async Task ShowWhileAsync_PhaseBegins_WritesALineAtOnce()
    {
        var tally = new RunTally(new RunSpec { Id = "r" });
        using var output = new LineWriter();
        var work = new TaskCompletionSource<int>();

        var showing = new PlainDisplay(output).ShowWhileAsync(tally, work.Task);
        await output.Line.Task;
        output.Line = new TaskCompletionSource<string>();
        tally.SetPhase(RunPhase.Verifying);

        Assert.EndsWith("counting the container's documents", await output.Line.Task, StringComparison.Ordinal);
        work.SetResult(7);
        Assert.Equal(7, await showing);
    }

    [Fact]
    public async Task ShowWhileAsync_Heading_IsTheFirstLine()
    {
        using var output = new StringWriter();
        await new PlainDisplay(output, heading: "run r: 10 documents")
            .ShowWhileAsync(new RunTally(new RunSpec { Id = "r" }), Task.FromResult(0));
        Assert.Equal($"run r: 10 documents{Environment.NewLine}", output.ToString());
    }

    [Theory]
    [InlineData("preparing", null, "   0:0?  leg 2 of worker 3 lost: No space left on device; run again at once")]
    [InlineData("running", null, "   0:0?  leg 2 of worker 3 lost: No space left on device; run again at once")]
    [InlineData("verifying", "r", "run r: leg 2 of worker 3 lost: No space left on device; run again at once")]
    public async Task ShowWhileAsync_LegIsLost_SaysSoAtOnceInAnyPhase(string phase, string? warningsOf, string expected)
    {
        var tally = new RunTally(new RunSpec { Id = "r" });
        tally.SetPhase(Enum.Parse<RunPhase>(phase, ignoreCase: true));
        using var output = new LineWriter { Wanted = "lost" };
        var work = new TaskCompletionSource<int>();

        var showing = new PlainDisplay(output, warningsOf).ShowWhileAsync(tally, work.Task);
        tally.LoseLeg(3, 2, "No space left on device.");
        var line = await output.Line.Task.WaitAsync(TestContext.Current.CancellationToken);
        work.SetResult(7);
        await showing;

        Assert.Matches($"^{Regex.Escape(expected).Replace("\\?", ".", StringComparison.Ordinal)}$", line);
        Assert.Equal(warningsOf is null ? 2 : 1, output.Lines);
    }

    [Fact]
    public async Task ShowWhileAsync_WorkFails_ThrowsWhatItThrew()
    {
        var showing = new PlainDisplay(TextWriter.Null)
            .ShowWhileAsync(new RunTally(new RunSpec { Id = "r" }), Task.FromException<int>(new InvalidOperationException("because")));
        Assert.Equal("because", (await Assert.ThrowsAsync<InvalidOperationException>(() => showing)).Message);
    }

    private sealed class LineWriter : StringWriter
    {
        public TaskCompletionSource<string> Line { get; set; } = new();

        /// <summary>A part of the line to wait for.</summary>
        public string Wanted { get; init; } = "";

        public int Lines { get; private set; }

        public override Task WriteLineAsync(string? value)
        {
            Lines++;
            if (value!.Contains(Wanted, StringComparison.Ordinal))
                Line.TrySetResult(value);
            return Task.CompletedTask;
        }
    }
}
