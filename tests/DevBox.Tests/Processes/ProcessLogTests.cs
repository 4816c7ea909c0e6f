using ScaleOut.DevBox.Orchestration;

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

        var lines = await File.ReadAllLinesAsync(folder.OwnLog, TestContext.Current.CancellationToken);
        Assert.Equal(Enumerable.Range(0, 1_000).Select(line => $"Warning: line {line}"), lines.Select(line => line.Split(' ', 2)[1]));
    }

    /// <summary>A .NET host that cannot start has the exit code of SIGKILL, and says why in its last line.</summary>
    [Fact]
    public async Task CopyAsync_ProcessThatNeverSaidAWord_ItsLastLineSaysWhyItEnded()
    {
        using var temporary = new TemporaryFolder();
        const string script = "echo first >&2; echo Failed to create CoreCLR >&2; exit 137";
        using var process = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", script]) { RedirectStandardError = true })!;
        var last = await ProcessLog.CopyAsync(process.StandardError, Path.Combine(temporary.Path, "x.log"));
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal("exit code 137; its last line: Failed to create CoreCLR", ProcessEnd.Describe(process, last));
        Assert.Equal("exit code 137, SIGKILL", ProcessEnd.Describe(process));
    }

    [Fact]
    public void Append_FolderOfTheRunIsGone_DoesNotBringItBack()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "gone");

        Write(new RunLog(folder), "late");

        Assert.False(Directory.Exists(folder.FullPath));
    }

    /// <summary>A folder in the place of the file, and a path that no file can have, stand for all that can go wrong with one.</summary>
    [Theory]
    [InlineData("folder")]
    [InlineData("no\0file")]
    public async Task Append_FileCannotBeWritten_WritesThoseThatFollow(string name)
    {
        using var temporary = new TemporaryFolder();
        Directory.CreateDirectory(Path.Combine(temporary.Path, "folder"));
        var readable = Path.Combine(temporary.Path, "readable.log");

        ProcessLog.Append(temporary.Path + Path.DirectorySeparatorChar + name, "lost");
        ProcessLog.Append(readable, "kept");

        Assert.EndsWith(" kept\n", await File.ReadAllTextAsync(readable, TestContext.Current.CancellationToken), StringComparison.Ordinal);
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
