namespace ScaleOut.Tests.EndToEnd;

/// <summary>The program itself is killed: its workers end, the account stays, and the run can be resumed.</summary>
public class LostProgramTests
{
    private static readonly string[] Run =
    [
        "--documents", "6000", "--workers", "2", "--id", "lost", "--throughput", "15000", "--rate", "100",
    ];

    [Fact]
    public async Task Resume_ProgramKilled_GoesOnFromWhatWasDone()
    {
        using var folder = new TemporaryFolder();
        var runs = Path.Combine(folder.Path, "runs");
        using var run = DevBoxProcess.Start(folder.Path, Run);
        await Until.HoldsAsync(
            () => File.Exists(Path.Combine(runs, "lost", "start.json")) && RunProcesses.Workers(folder.Path, "lost").Count == 2,
            "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);

        // A process of its own: it must not wait for the command lines of other tests until the run has ended.
        using var other = await DevBoxProcess.RunAsync(folder.Path, ["resume", "lost"]);
        Assert.Equal(2, other.ExitCode);
        Assert.Contains("run 'lost' is being run by another process", other.Errors, StringComparison.Ordinal);

        var workers = RunProcesses.Workers(folder.Path, "lost").Values;
        Assert.True(Signals.Send(run.Id, Signals.Kill));
        await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        var account = Assert.NotNull(RunProcesses.Account(folder.Path, "lost"));

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "lost"]);
        var finished = new FinishedRun(runs, "lost");
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Equal(RunState.Complete, finished.Report.State);
        Assert.Equal(6_000, finished.Report.Documents.Verified);
        Assert.Equal(6_000, finished.Container.Documents.Created);
        Assert.True(finished.Report.LostLegs > 0);
        var interruption = Assert.Single(finished.Report.Interruptions);
        Assert.InRange(Assert.NotNull(interruption.ResumedAt), interruption.From, interruption.To);
        Assert.True(finished.Report.StartedAt < interruption.From, "The run began with its first program.");
        await Until.HoldsAsync(() => !Signals.Lives(account), "the end of the account");
        Assert.False(finished.Has("account.key"));

        var again = await DevBoxCommand.RunAsync(folder.Path, ["resume", "lost"]);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("run 'lost' has ended", again.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Terminate_AccountLeftBehind_Ends()
    {
        using var folder = new TemporaryFolder();
        using var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "1000000", "--workers", "1", "--latency", "cross-region", "--id", "left"]);
        await Until.HoldsAsync(() => RunProcesses.Workers(folder.Path, "left").Count == 1, "the workers");
        var account = Assert.NotNull(RunProcesses.Account(folder.Path, "left"));
        Signals.Send(run.Id, Signals.Kill);
        await Until.HoldsAsync(() => !Signals.Lives(run.Id), "the end of the program");

        Signals.Send(account, Signals.Terminate);

        await Until.HoldsAsync(() => !Signals.Lives(account), "the end of the account");
    }

    [Fact]
    public async Task Resume_AccountGoneToo_SaysSo()
    {
        using var folder = new TemporaryFolder();
        using var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "1000000", "--workers", "1", "--latency", "cross-region", "--id", "gone"]);
        await Until.HoldsAsync(() => RunProcesses.Workers(folder.Path, "gone").Count == 1, "the workers");
        var account = Assert.NotNull(RunProcesses.Account(folder.Path, "gone"));
        Signals.Send(run.Id, Signals.Kill);
        Signals.Send(account, Signals.Kill);
        await run.WaitAsync();
        await Until.HoldsAsync(() => !Signals.Lives(account), "the end of the account");

        var resumed = await DevBoxCommand.RunAsync(folder.Path, ["resume", "gone"]);

        Assert.Equal(2, resumed.ExitCode);
        Assert.Contains(
            $"its simulated account (process {account}) is gone, and its documents with it", resumed.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_AccountKilled_FailsWithTheReason()
    {
        using var folder = new TemporaryFolder();
        var runs = Path.Combine(folder.Path, "runs");
        using var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "1000000", "--workers", "2", "--latency", "cross-region", "--id", "orphan"]);
        await Until.HoldsAsync(() => File.Exists(Path.Combine(runs, "orphan", "start.json")), "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);

        Signals.Send(Assert.NotNull(RunProcesses.Account(folder.Path, "orphan")), Signals.Kill);
        await run.WaitAsync();

        var report = new FinishedRun(runs, "orphan").Report;
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("the simulated account ended unexpectedly (exit code 137, SIGKILL)", run.Errors, StringComparison.Ordinal);
        Assert.Contains("not compared with the account's ledger: orphan/ledger.json is missing", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Output + run.Errors, StringComparison.Ordinal);
        Assert.Equal(RunState.Failed, report.State);
        Assert.Null(report.Documents.Verified);
        Assert.Contains(report.Warnings, warning => warning.Contains("the simulated account ended unexpectedly", StringComparison.Ordinal));
    }
}
