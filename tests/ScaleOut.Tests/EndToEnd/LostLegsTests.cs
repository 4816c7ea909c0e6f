namespace ScaleOut.Tests.EndToEnd;

/// <summary>Legs that can neither begin nor leave a result, as on a disk that is full, are shown while the run goes on.</summary>
public sealed class LostLegsTests
{
    [Fact]
    public async Task Run_LegsCannotBegin_SaysWhyWhenItHappensAndStopsAtOnce()
    {
        using var folder = new TemporaryFolder();
        var run = Path.Combine(folder.Path, "runs", "full");
        Directory.CreateDirectory(run);
        await File.WriteAllTextAsync(Path.Combine(run, "legs"), "a file where a folder is to be", TestContext.Current.CancellationToken);
        using var program = DevBoxProcess.Start(
            folder.Path, ["run", "--id", "full", "--workers", "2", "--documents", "100", "--latency", "none"]);

        await Until.HoldsAsync(
            () => program.HasExited || program.Output.Contains("3 in a row, run again in 2 s", StringComparison.Ordinal),
            "what goes wrong");
        Signals.Send(program.Id, Signals.Interrupt);
        await program.WaitAsync();

        Assert.True(program.ExitCode == 130, $"exit code {program.ExitCode}\n{program.Output}\n{program.Errors}");
        Assert.Matches(@"(?m)^ +\d+:\d\d  starting the workers", program.Output);
        Assert.Matches(
            @"(?m)^ +\d+:\d\d  \d legs of workers 0-1 could not begin: .*full/legs.*; 3 in a row, run again in 2 s$", program.Output);
        Assert.DoesNotContain("given up", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_DiskIsFullBeforeTheFirstResult_SaysWhyWhenItHappensAndGoesOnWhenItCan()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        using var folder = new TemporaryFolder();
        using var program = DevBoxProcess.Start(
            folder.Path, ["run", "--id", "full", "--workers", "1", "--documents", "100", "--latency", "none"],
            mostKilobytesOfAFile: KilledRuns.KilobytesWithoutAResult);

        await Until.HoldsAsync(
            () => program.HasExited || program.Output.Contains("3 in a row, run again in 2 s", StringComparison.Ordinal),
            "what goes wrong");
        Signals.Send(program.Id, Signals.Interrupt);
        await program.WaitAsync();
        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "full"]);

        Assert.Matches(
            @"(?m)^ +\d+:\d\d  \d legs of worker 0 lost: IOException: .*0000/000001/result\.json.*; 3 in a row, run again in 2 s$",
            program.Output);
        Assert.Contains("go on with: resume full", program.Errors, StringComparison.Ordinal);
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        KilledRuns.AssertComplete(folder.Path, "full", 100, new FinishedRun(Path.Combine(folder.Path, "runs"), "full").Container);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("validate")]
    public async Task RunOrValidate_DirectOverHttp_IsAnErrorOfTheInput(string command)
    {
        using var folder = new TemporaryFolder();

        var program = await DevBoxCommand.RunAsync(folder.Path, [command, "--account", "http://127.0.0.1:1/", "--json", "no/such/x"]);

        Assert.Equal(2, program.ExitCode);
        Assert.Contains("error: client.connectionMode: Direct goes over TLS", program.Errors, StringComparison.Ordinal);
        Assert.Contains("--json", program.Errors, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }
}
