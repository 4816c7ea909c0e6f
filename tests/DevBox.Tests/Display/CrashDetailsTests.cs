namespace ScaleOut.Tests.DevBox.Display;

public sealed class CrashDetailsTests
{
    private readonly Exception _exception = new InvalidOperationException("unforeseen");

    [Fact]
    public void TryKeep_NoLog_IsANewFileThatOnlyItsOwnerReads()
    {
        using var folder = new TemporaryFolder();

        var first = CrashDetails.TryKeep(_exception, logFile: null, [() => folder.Path]);
        var second = CrashDetails.TryKeep(_exception, logFile: null, [() => folder.Path]);

        Assert.NotEqual(first, second);
        Assert.All((string?[])[first, second], file =>
        {
            Assert.Contains("unforeseen", File.ReadAllText(file!), StringComparison.Ordinal);
            if (!OperatingSystem.IsWindows())
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file!));
        });
    }

    [Fact]
    public void TryKeep_LogThatCannotBeWritten_IsAFileInTheUsersFolder()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(Path.Combine(folder.Path, "logs"), "no folder");
        var file = CrashDetails.TryKeep(
            _exception, Path.Combine(folder.Path, "logs", "devbox.log"), [() => throw new DirectoryNotFoundException(), () => folder.Path]);
        Assert.StartsWith(Path.Combine(folder.Path, "devbox-"), file, StringComparison.Ordinal);
    }

    [Fact]
    public void TryKeep_LogOfADeletedRun_IsAFileInTheUsersFolder()
    {
        using var folder = new TemporaryFolder();
        var run = Path.Combine(folder.Path, "gone");

        var file = CrashDetails.TryKeep(_exception, Path.Combine(run, "logs", "devbox.log"), [() => folder.Path]);

        Assert.StartsWith(Path.Combine(folder.Path, "devbox-"), file, StringComparison.Ordinal);
        Assert.False(Directory.Exists(run));
    }

    [Fact]
    public void TryKeep_Log_IsAppendedTo()
    {
        using var folder = new TemporaryFolder();
        var log = Path.Combine(folder.Path, "logs", "devbox.log");
        Assert.Equal((log, log), (CrashDetails.TryKeep(_exception, log), CrashDetails.TryKeep(_exception, log)));
        Assert.Equal(2, File.ReadLines(log).Count(line => line.Contains("unforeseen", StringComparison.Ordinal)));
    }

    [Fact]
    public void TryKeep_NoFolderCanBeWritten_IsNull() =>
        Assert.Null(CrashDetails.TryKeep(
            _exception, logFile: null,
            [() => Path.Combine(Path.GetTempPath(), "absent", Guid.NewGuid().ToString("N")), () => throw new BadImageFormatException()]));
}
