namespace ScaleOut.Tests.DevBox.Serving;

/// <summary>Experiments that are resumed behind other work, so that nothing is measured.</summary>
public sealed class LocalExperimentHostTests : IAsyncDisposable
{
    private static readonly ExperimentSpec Spec = ExperimentSample.From(2, 1);
    private static readonly AccountConnection Account = new() { Endpoint = new Uri("https://mine.documents.azure.com/"), Key = "c2VjcmV0" };

    private readonly TemporaryFolder _folder = new();
    private readonly WorkQueue _queue = new();
    private readonly FolderRunStore _store;

    public LocalExperimentHostTests()
    {
        _store = new FolderRunStore(_folder.Path);
        _queue.Add(new EndlessWork());
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask DisposeAsync()
    {
        // What waits is given up first, or it would begin.
        await _queue.CloseAsync();
        _queue.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task TryResume_Twice_IsQueuedOnceAndCanBeResumedAfterItsEnd()
    {
        await MeasureFirstAsync(new SimulationSpec());
        var host = Host(account: null);
        var left = await host.ReadUnmeasuredAsync(Spec, Cancellation);

        var rejections = await Task.WhenAll(
            Enumerable.Range(0, 5).Select(_ => Task.Run(() => host.TryResumeAsync(Spec, left, Cancellation), Cancellation)));
        var queued = await host.ReadStatusAsync("sample", Cancellation);
        await host.StopAsync("sample", Cancellation);
        var stopped = await host.ReadStatusAsync("sample", Cancellation);
        var again = await host.TryResumeAsync(Spec, left, Cancellation);

        Assert.Equal("sample-v02-r01", Assert.Single(left).Spec.Id);
        Assert.Single(rejections, rejection => rejection is null);
        Assert.All(rejections.OfType<string>(), rejection => Assert.Contains("just been resumed", rejection, StringComparison.Ordinal));
        Assert.Equal((HostedState.Queued, 1, HostedState.Stopped, null), (queued!.State, queued.Status!.Ended, stopped!.State, again));
        Assert.Equal(HostedState.Queued, (await host.ReadStatusAsync("sample", Cancellation))!.State);
    }

    [Fact]
    public async Task TryResume_AnotherProgramHasIt_IsRejected()
    {
        await MeasureFirstAsync(new SimulationSpec());
        using var held = RunLock.TryTake(new RunFolder(_folder.Path, "sample"));

        var rejection = await Host(account: null).TryResumeAsync(Spec, ExperimentRuns.From(Spec), Cancellation);

        Assert.Equal("The experiment 'sample' is run by another program on this machine.", rejection);
    }

    [Fact]
    public async Task TryResume_MeasuredOnSimulatedAccounts_IsNotGoneOnWithElsewhere()
    {
        await MeasureFirstAsync(new SimulationSpec());

        var rejection = await Host(Account).TryResumeAsync(Spec, ExperimentRuns.From(Spec), Cancellation);

        Assert.Equal("The experiment 'sample' goes to simulated accounts, and this server to mine.documents.azure.com.", rejection);
    }

    [Fact]
    public async Task TryResume_MeasuredOnAnAccount_IsNotGoneOnWithElsewhere()
    {
        await MeasureFirstAsync(simulation: null);
        await RunAccounts.UseAsync(
            new RunFolder(_folder.Path, "sample"), Account with { Endpoint = new Uri("https://other.documents.azure.com/") }, Cancellation);

        var simulated = await Host(account: null).TryResumeAsync(Spec, ExperimentRuns.From(Spec), Cancellation);
        var other = await Host(Account).TryResumeAsync(Spec, ExperimentRuns.From(Spec), Cancellation);
        await RunAccounts.UseAsync(new RunFolder(_folder.Path, "sample"), Account, Cancellation);
        var same = await Host(Account).TryResumeAsync(Spec, await Host(Account).ReadUnmeasuredAsync(Spec, Cancellation), Cancellation);

        Assert.Equal("The experiment 'sample' goes to other.documents.azure.com, and this server to simulated accounts.", simulated);
        Assert.Equal("The experiment 'sample' goes to other.documents.azure.com, and this server to mine.documents.azure.com.", other);
        Assert.Null(same);
    }

    private LocalExperimentHost Host(AccountConnection? account) => new(_queue, _folder.Path, account, TextWriter.Null);

    private async Task MeasureFirstAsync(SimulationSpec? simulation)
    {
        await new ExperimentFiles(_store, "sample").TryClaimAsync(Spec, Cancellation);
        var run = ExperimentRuns.From(Spec)[0].Spec with { Simulation = simulation };
        var files = new RunFiles(_store, run.Id!);
        await files.TryClaimAsync(run, Cancellation);
        await files.WriteEndedAsync(
            new RunEnded(
                new RunOutcome { RunId = run.Id!, State = RunState.Complete, Remaining = 0 }, DateTimeOffset.UnixEpoch),
            Cancellation);
    }

    /// <summary>Takes the machine until it is stopped.</summary>
    private sealed class EndlessWork : IHostedWork
    {
        private readonly TaskCompletionSource _end = new();

        public string Id => "endless";

        public Task RunAsync() => _end.Task;

        public Task GiveUpAsync() => Task.CompletedTask;

        public void Stop() => _end.TrySetResult();

        public void Kill() => Stop();

        public void Dispose()
        {
        }
    }
}
