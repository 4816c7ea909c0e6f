namespace ScaleOut.Tests.EndToEnd;

/// <summary>The program itself is killed: its workers end, the account stays, and the run can be resumed.</summary>
public sealed class LostProgramTests : ProgramInFolder
{
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Resume_ProgramKilled_GoesOnFromWhatWasDone()
    {
        using var run = Start("--documents", "1000", "--workers", "1", "--id", "lost", "--throughput", "15000", "--rate", "50");
        await Until.HoldsAsync(
            () => File.Exists(In("runs", "lost", "start.json")) && RunProcesses.Workers(Folder, "lost").Count == 1, "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), Cancellation);

        // This command has a process of its own, so that it does not wait for the command lines of other tests.
        using var other = await RunAsync("resume", "lost");
        AssertRejected(ResponseOf(other), "run 'lost' is being run by another process");

        var workers = RunProcesses.Workers(Folder, "lost").Values;
        Assert.True(Signals.Send(run.Id, Signals.Kill));
        await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        var account = Assert.NotNull(RunProcesses.Account(Folder, "lost"));

        using var resumed = await RunAsync("resume", "lost");
        var finished = Finished("lost");
        AssertEnded(resumed);
        var report = finished.Report;
        Assert.Equal((RunState.Complete, 1_000), (report.State, report.Documents.Verified));
        Assert.Equal(1_000, finished.Container.Documents.Created);
        Assert.True(report.LostLegs > 0);
        var interruption = Assert.Single(report.Interruptions);
        Assert.InRange(Assert.NotNull(interruption.ResumedAt), interruption.From, interruption.To);
        Assert.True(report.StartedAt < interruption.From, "The run began with its first program.");
        await Until.HoldsAsync(() => !Signals.Lives(account), "the end of the account");
        Assert.False(finished.Has("account.key"));

        AssertRejected(await CommandAsync("resume", "lost"), "run 'lost' has ended");
    }

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(Signals.Terminate)]
    [InlineData(Signals.Kill)]
    public async Task Resume_AccountThatWasLeftIsGoneToo_IsRejected(int signal)
    {
        using var run = Start(Endless("gone"));
        await Until.HoldsAsync(() => RunProcesses.Workers(Folder, "gone").Count == 1, "the workers");
        var account = Assert.NotNull(RunProcesses.Account(Folder, "gone"));
        var workers = RunProcesses.Workers(Folder, "gone").Values;
        await SignalAsync(run, Signals.Kill);
        Signals.Send(account, signal);
        await Until.HoldsAsync(() => !Signals.Lives(account) && !workers.Any(Signals.Lives), "the end of the account and its worker");

        AssertRejected(
            await CommandAsync("resume", "gone"), $"its simulated account (process {account}) is gone, and its documents with it");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_AccountKilled_FailsWithTheReason()
    {
        using var run = Start(Endless("orphan"));
        await Until.HoldsAsync(() => File.Exists(In("runs", "orphan", "start.json")), "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), Cancellation);

        Signals.Send(Assert.NotNull(RunProcesses.Account(Folder, "orphan")), Signals.Kill);
        await run.WaitAsync();

        var report = Finished("orphan").Report;
        AssertEnded(run, exitCode: 1);
        Assert.Contains("the simulated account ended unexpectedly (exit code 137, SIGKILL)", run.Errors, StringComparison.Ordinal);
        Assert.Contains("not compared with the account's ledger: orphan/ledger.json is missing", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Output + run.Errors, StringComparison.Ordinal);
        Assert.Equal((RunState.Failed, null), (report.State, report.Documents.Verified));
        Assert.Contains(report.Warnings, warning => warning.Contains("the simulated account ended unexpectedly", StringComparison.Ordinal));
    }
}
