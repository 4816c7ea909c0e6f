namespace ScaleOut.Tests.EndToEnd;

/// <summary>Legs that cannot begin or keep their result, as on a full disk, are reported while the run goes on.</summary>
public sealed class LostLegsTests : ProgramInFolder
{
    private const string Bound = @"\(at most 20 in a row, about 7 min\)$";

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_LegsCannotBegin_ReportsWhyMeanwhileAndStopsAtOnce()
    {
        Directory.CreateDirectory(In("runs", "full"));
        await WriteAsync("runs/full/legs", "a file where a folder is to be");
        using var program = Start("run", "--id", "full", "--workers", "2", "--documents", "100", "--latency", "none");

        await InterruptAtThirdLossAsync(program);

        AssertEnded(program, exitCode: 130);
        Assert.Matches(@"(?m)^ +\d+:\d\d  starting the workers", program.Output);
        Assert.Matches(
            @"(?m)^ +\d+:\d\d  \d legs of workers 0-1 could not begin: .*full/legs.*; 3 in a row, run again in 2 s " + Bound,
            program.Output);
        Assert.DoesNotContain("given up", program.Output, StringComparison.Ordinal);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_DiskIsFullBeforeTheFirstResult_ReportsWhyMeanwhileAndGoesOnWhenResumed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        using var program = Start(
            ["run", "--id", "full", "--workers", "1", "--documents", "100", "--latency", "none"],
            maxKilobytesOfAFile: KilledRuns.KilobytesWithoutAResult);

        await InterruptAtThirdLossAsync(program);
        using var resumed = await RunAsync("resume", "full");

        Assert.Matches(
            @"(?m)^ +\d+:\d\d  \d legs of worker 0 lost: IOException: .*0000/000001/result\.json.*; 3 in a row, run again in 2 s " + Bound,
            program.Output);
        Assert.Contains("go on with: devbox resume full", program.Errors, StringComparison.Ordinal);
        AssertEnded(resumed);
        KilledRuns.AssertComplete(Folder, "full", 100, Finished("full").Container);
    }

    /// <summary>The load goes on for seconds after the first leg. The run's own account waits with the documents.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ResultIsDamagedWhileItGoesOn_IsIncompleteUntilItIsResumed()
    {
        await WriteAsync(
            "plan.json",
            """
            {
              "id": "torn", "documents": 600, "workers": 1, "legDuration": "00:00:01",
              "client": { "rate": 100 }, "simulation": { "latency": "none" }
            }
            """);
        var run = In("runs", "torn");
        using var program = Start("run", "plan.json");
        await Until.HoldsAsync(() => File.Exists(Path.Combine(run, LegNames.Attempt(0, 2, 1))), "a second leg");
        await File.WriteAllTextAsync(Path.Combine(run, LegNames.Result(0, 1)), "{", Cancellation);
        await program.WaitAsync();

        AssertEnded(program, exitCode: 1);
        Assert.Contains("torn/legs/0000/000001/result.json is damaged: ", program.Output, StringComparison.Ordinal);
        Assert.Contains("legs are missing, and the run has not ended", program.Errors, StringComparison.Ordinal);
        Assert.Contains("go on with: devbox resume torn", program.Errors, StringComparison.Ordinal);
        Assert.Contains("waits for 10 minutes", program.Errors, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(run, "ended.json")));

        using var resumed = await RunAsync("resume", "torn");

        AssertEnded(resumed);
        KilledRuns.AssertComplete(Folder, "torn", 600, Finished("torn").Container);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("validate")]
    public async Task RunOrValidate_DirectOverHttp_IsAnErrorOfTheInput(string command)
    {
        var program = await CommandAsync(command, "--account", "http://127.0.0.1:1/", "--json", "no/such/x");
        AssertRejected(program, "error: client.connectionMode: Direct goes over TLS", "--json");
        Assert.Empty(Directory.EnumerateFileSystemEntries(Folder));
    }

    private static async Task InterruptAtThirdLossAsync(DevBoxProcess program)
    {
        await Until.HoldsAsync(
            () => program.HasExited || program.Output.Contains("3 in a row, run again in 2 s", StringComparison.Ordinal), "a third loss");
        await SignalAsync(program, Signals.Interrupt);
    }
}
