using ScaleOut.DevBox.Display;
using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.DevBox.Display;

public class PlainDisplayTests
{
    [Fact]
    public async Task ShowWhileAsync_PhaseBegins_WritesALineAtOnce()
    {
        var board = new RunBoard(new RunSpec { Id = "r" });
        using var output = new LineWriter();
        var work = new TaskCompletionSource<int>();

        var showing = new PlainDisplay(output).ShowWhileAsync(board, work.Task);
        await output.Line.Task;
        output.Line = new TaskCompletionSource<string>();
        board.SetPhase(RunPhase.Verifying);

        Assert.EndsWith("counting the container's documents", await output.Line.Task, StringComparison.Ordinal);
        work.SetResult(7);
        Assert.Equal(7, await showing);
    }

    [Fact]
    public async Task ShowWhileAsync_WorkFails_ThrowsWhatItThrew()
    {
        var showing = new PlainDisplay(TextWriter.Null).ShowWhileAsync(new RunBoard(new RunSpec { Id = "r" }), Task.FromException<int>(new InvalidOperationException("because")));

        Assert.Equal("because", (await Assert.ThrowsAsync<InvalidOperationException>(() => showing)).Message);
    }

    private sealed class LineWriter : StringWriter
    {
        public TaskCompletionSource<string> Line { get; set; } = new();

        public override Task WriteLineAsync(string? value)
        {
            Line.TrySetResult(value!);
            return Task.CompletedTask;
        }
    }
}
