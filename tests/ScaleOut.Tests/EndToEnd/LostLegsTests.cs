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

    /// <summary>The load goes on for seconds after the first leg. The run's own account waits with the documents.</summary>
    [Fact]
    public async Task Run_ResultIsDamagedWhileItGoesOn_IsIncompleteUntilItIsResumed()
    {
        const string plan =
            """
            {
              "id": "torn", "documents": 1800, "workers": 1, "legDuration": "00:00:01",
              "client": { "rate": 300 }, "container": { "throughput": 400000 }, "simulation": { "latency": "none" }
            }
            """;
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), plan, TestContext.Current.CancellationToken);
        var run = Path.Combine(folder.Path, "runs", "torn");
        using var program = DevBoxProcess.Start(folder.Path, ["run", "plan.json"]);
        await Until.HoldsAsync(() => File.Exists(Path.Combine(run, LegNames.Attempt(0, 2, 1))), "a second leg");
        await File.WriteAllTextAsync(Path.Combine(run, LegNames.Result(0, 1)), "{", TestContext.Current.CancellationToken);
        await program.WaitAsync();

        Assert.True(program.ExitCode == 1, program.Output + program.Errors);
        Assert.Contains("torn/legs/0000/000001/result.json is damaged: ", program.Output, StringComparison.Ordinal);
        Assert.Contains("legs are missing, and the run has not ended", program.Errors, StringComparison.Ordinal);
        Assert.Contains("go on with: resume torn", program.Errors, StringComparison.Ordinal);
        Assert.Contains("waits for 10 minutes", program.Errors, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(run, "ended.json")));

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "torn"]);

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        KilledRuns.AssertComplete(folder.Path, "torn", 1800, new FinishedRun(Path.Combine(folder.Path, "runs"), "torn").Container);
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
