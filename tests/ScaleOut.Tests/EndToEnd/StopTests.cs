namespace ScaleOut.Tests.EndToEnd;

/// <summary>Stopping by a signal that goes to every process of the run at once, as a terminal sends it, or <c>timeout</c>.</summary>
public class StopTests
{
    [Theory]
    [InlineData(Signals.Interrupt, 2)]
    [InlineData(Signals.Terminate, 1)]
    [InlineData(Signals.HangUp, 1)]
    public async Task Signal_First_ReportsWhatWasDone(int signal, int workers)
    {
        using var folder = new TemporaryFolder();
        var runs = Path.Combine(folder.Path, "runs");
        var id = $"stopped-{signal}";
        using var run = await StartAsync(folder, runs, id, workers);
        var others = RunProcesses.Workers(folder.Path, id).Values.Append(Assert.NotNull(RunProcesses.Account(folder.Path, id))).ToList();

        Signals.Send(run.Id, signal);
        others.ForEach(other => Signals.Send(other, signal));
        await run.WaitAsync();

        Assert.Equal(130, run.ExitCode);
        var finished = new FinishedRun(runs, id);
        var documents = finished.Report.Documents;
        Assert.Equal(RunState.Stopped, finished.Report.State);
        Assert.Equal(0, finished.Report.LostLegs);
        Assert.True(documents.Remaining > 0);
        Assert.Equal(documents.Asked, documents.Inserted + documents.Remaining);
        Assert.Equal(finished.Container.Documents.Created, documents.Inserted);
        Assert.Equal(finished.Container.Documents.Created, documents.Verified);
        await Until.HoldsAsync(() => !others.Any(Signals.Lives), "the end of all processes");
    }

    [Fact]
    public async Task Signal_Second_EndsAtOnce()
    {
        using var folder = new TemporaryFolder();
        var runs = Path.Combine(folder.Path, "runs");
        using var run = await StartAsync(folder, runs, "twice", workers: 1);
        var others = RunProcesses.Workers(folder.Path, "twice").Values.Append(Assert.NotNull(RunProcesses.Account(folder.Path, "twice")))
            .ToList();

        Signals.Send(run.Id, Signals.Interrupt);
        await Until.HoldsAsync(() => File.Exists(Path.Combine(runs, "twice", "stop")), "the stop flag");
        Signals.Send(run.Id, Signals.Interrupt);
        await run.WaitAsync();

        Assert.Equal(130, run.ExitCode);
        Assert.False(new FinishedRun(runs, "twice").Has("report.json"));
        await Until.HoldsAsync(() => !others.Any(Signals.Lives), "the end of all processes");
    }

    private static async Task<DevBoxProcess> StartAsync(TemporaryFolder folder, string runs, string id, int workers)
    {
        // All operations are in flight and none of them costs CPU: what waits for its response is there when the signal comes.
        var run = DevBoxProcess.Start(
            folder.Path, ["--documents", "1000000", "--workers", $"{workers}", "--latency", "cross-region", "--id", id]);
        await Until.HoldsAsync(() => File.Exists(Path.Combine(runs, id, "start.json")), "the common start");
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
        return run;
    }
}
