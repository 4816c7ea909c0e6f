using ScaleOut.DevBox.Engine;

namespace ScaleOut.Tests.DevBox.Processes;

public sealed class ProcessLogTests
{
    [Fact]
    public async Task Append_ManyLinesAtOnce_KeepsAllInTheirOrder()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "logged");
        Directory.CreateDirectory(folder.FullPath);
        var (first, second) = (new RunLog(folder), new RunLog(folder));

        for (var line = 0; line < 1_000; line++)
            Write(line % 2 == 0 ? first : second, $"line {line}");
        await ProcessLog.FlushAsync();

        var lines = await File.ReadAllLinesAsync(folder.OwnLog, TestContext.Current.CancellationToken);
        Assert.Equal(Enumerable.Range(0, 1_000).Select(line => $"Warning: line {line}"), lines.Select(line => line.Split(' ', 2)[1]));
    }

    [Fact]
    public async Task Append_FolderOfTheRunIsGone_DoesNotBringItBack()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "gone");

        Write(new RunLog(folder), "late");
        await ProcessLog.FlushAsync();

        Assert.False(Directory.Exists(folder.FullPath));
    }

    [Fact]
    public void Kill_ExperimentIsOver_DoesNothing()
    {
        var stop = new ExperimentStop();
        stop.Dispose();

        stop.Kill();

        Assert.False(stop.IsRequested);
    }

    private static void Write(RunLog log, string text) => log.Log(LogLevel.Warning, default, text, null, (line, _) => line);
}
