namespace ScaleOut.Tests.DevBox.Machine;

/// <summary>The program under a shell's limit of open files.</summary>
public sealed partial class OpenFileNeedTests
{
    [Theory]
    [InlineData(30, "validate")]
    [InlineData(40, "run --documents 10")]
    [InlineData(50, "--help")]
    [InlineData(60, "serve --port 0")]
    [InlineData(70, "experiment absent.json")]
    [InlineData(80, "account")]
    [InlineData(100, "resume absent")]
    [InlineData(120, "compare a.json b.json")]
    public async Task AnyCommand_VeryFewFiles_SaysHowManyItNeedsAndHowToRaiseTheLimit(int limit, string line)
    {
        using var folder = new TemporaryFolder();

        using var program = await DevBoxProcess.RunAsync(folder.Path, line.Split(' '), openFiles: limit);

        Assert.True(program.ExitCode == 2, $"exit code {program.ExitCode}\n{program.Output}\n{program.Errors}");
        Assert.Matches(
            @"^error: this program needs about \d+ open files and sockets in one process, "
            + $@"and the limit here is {limit}; raise it with 'ulimit -n 1024'.*\n$",
            program.Errors);
        Assert.Empty(program.Output);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Theory]
    [InlineData("run")]
    [InlineData("validate")]
    public async Task RunOrValidate_FewerFilesThanItsProcessesNeed_SaysWhichAndBeginsNothing(string command)
    {
        using var folder = new TemporaryFolder();

        using var program = await DevBoxProcess.RunAsync(
            folder.Path, [command, "--workers", "6", "--documents", "100", "--mode", "Sideways"], openFiles: 200);
        using var sound = await DevBoxProcess.RunAsync(folder.Path, [command, "--workers", "6", "--documents", "100"], openFiles: 200);

        // Errors of the spec come first, because the need of a wrong spec is not known.
        Assert.Contains("error: client.connectionMode: ", program.Errors, StringComparison.Ordinal);
        Assert.True(sound.ExitCode == 2, $"exit code {sound.ExitCode}\n{sound.Output}\n{sound.Errors}");
        Assert.Matches(
            @"^error: workers: the simulated account needs about \d+ open files and sockets in one process, "
            + @"and the limit here is 200; raise it .* \(given as --workers\)\n$",
            sound.Errors);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("--mode Direct --partitions 12")]
    [InlineData("--mode Gateway --concurrency 100 --workload read --preload 500")]
    public async Task Run_AsManyFilesAsTheErrorAsksFor_Completes(string options)
    {
        using var folder = new TemporaryFolder();
        string[] line = ["run", "--documents", "1000", "--workers", "2", "--latency", "none", .. options.Split(' ')];
        using var rejected = await DevBoxProcess.RunAsync(folder.Path, line, openFiles: 150);
        var needed = int.Parse(Needed().Match(rejected.Errors).Groups[1].Value, CultureInfo.InvariantCulture);
        using var run = await DevBoxProcess.RunAsync(folder.Path, line, openFiles: needed);
        Assert.True(run.ExitCode == 0, $"with {needed} files: exit code {run.ExitCode}\n{run.Output}\n{run.Errors}");
    }

    [Fact]
    public async Task Validate_LowSoftLimitUnderAHigherHardOne_IsRaised()
    {
        using var folder = new TemporaryFolder();
        using var program = await DevBoxProcess.RunAsync(folder.Path, ["validate"], openFiles: 50, hardToo: false);
        Assert.True(program.ExitCode == 0, program.Output + program.Errors);
    }

    [GeneratedRegex(@"needs about (\d+) open files")]
    private static partial Regex Needed();
}
