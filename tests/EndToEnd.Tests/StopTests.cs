namespace ScaleOut.Tests.EndToEnd;

/// <summary>A run is stopped by a signal to all its processes at once, as a terminal or <c>timeout</c> sends it.</summary>
public sealed class StopTests : ProgramInFolder
{
    private List<int> _others = [];

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(Signals.Interrupt, 2)]
    [InlineData(Signals.Terminate, 1)]
    [InlineData(Signals.HangUp, 1)]
    public async Task Signal_First_ReportsWhatWasDone(int signal, int workers)
    {
        var id = $"stopped-{signal}";
        using var run = await StartAsync(id, workers);

        Signals.Send(run.Id, signal);
        _others.ForEach(other => Signals.Send(other, signal));
        await run.WaitAsync();

        AssertEnded(run, exitCode: 130);
        var report = Finished(id).Report;
        var (documents, created) = (report.Documents, Finished(id).Container.Documents.Created);
        Assert.Equal((RunState.Stopped, 0), (report.State, report.LostLegs));
        Assert.True(documents.Remaining > 0);
        Assert.Equal(documents.Asked, documents.Inserted + documents.Remaining);
        Assert.Equal((created, created), (documents.Inserted, documents.Verified));
        await Until.HoldsAsync(() => !_others.Any(Signals.Lives), "the end of all processes");
    }

    /// <summary>Between the claim of its id and its account a run already has a report, so that its id is not left without one.</summary>
    [Fact]
    public async Task Signal_AsSoonAsTheRunIsClaimed_LeavesAReport()
    {
        using var run = Start(Endless("early"));
        var claimed = In("runs", "early", "spec.json");
        await Task.Factory.StartNew(
            () => SpinWait.SpinUntil(() => File.Exists(claimed) || run.HasExited, Until.Timeout), Cancellation,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await SignalAsync(run, Signals.Interrupt);

        AssertEnded(run, exitCode: 130);
        Assert.Equal(RunState.Stopped, Finished("early").Report.State);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Signal_Second_EndsAtOnce()
    {
        using var run = await StartAsync("twice", workers: 1);

        Signals.Send(run.Id, Signals.Interrupt);
        await Until.HoldsAsync(() => File.Exists(In("runs", "twice", "stop")), "the stop flag");
        await SignalAsync(run, Signals.Interrupt);

        AssertEnded(run, exitCode: 130);
        Assert.False(Finished("twice").Has("report.json"));
        await Until.HoldsAsync(() => !_others.Any(Signals.Lives), "the end of all processes");
    }

    private async Task<DevBoxProcess> StartAsync(string id, int workers)
    {
        var run = Start(Endless(id, workers));
        await Until.HoldsAsync(() => File.Exists(In("runs", id, "start.json")), "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), Cancellation);
        _others = [.. RunProcesses.Workers(Folder, id).Values, Assert.NotNull(RunProcesses.Account(Folder, id))];
        return run;
    }
}
