namespace ScaleOut.Tests.DevBox.Serving;

/// <summary>Experiments that are resumed behind endless work, so the tests measure nothing.</summary>
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
        // The queue gives up waiting work first, which would otherwise begin.
        await _queue.CloseAsync();
        _queue.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task TryResume_Twice_IsQueuedOnceAndCanBeResumedAfterItsEnd()
    {
        await MeasureFirstAsync(new SimulationSpec());
        var host = Host(account: null);

        var results = await Task.WhenAll(
            Enumerable.Range(0, 5).Select(_ => Task.Run(() => host.TryResumeAsync(Spec, Cancellation), Cancellation)));
        var queued = await host.ReadStatusAsync("sample", Spec, Cancellation);
        await host.StopAsync("sample", Cancellation);
        var stopped = await host.ReadStatusAsync("sample", Spec, Cancellation);
        var again = await host.TryResumeAsync(Spec, Cancellation);

        Assert.Equal("sample-v02-r01", Assert.Single(Assert.Single(results, result => result.WhyNot is null).Left).Id);
        Assert.All(
            results.Select(result => result.WhyNot).OfType<string>(),
            reason => Assert.Contains("just been resumed", reason, StringComparison.Ordinal));
        Assert.Equal(
            (HostedState.Queued, 1, HostedState.Stopped, null), (queued!.State, queued.Status!.Ended, stopped!.State, again.WhyNot));
        Assert.Equal(HostedState.Queued, (await host.ReadStatusAsync("sample", Spec, Cancellation))!.State);
    }

    [Fact]
    public async Task Queue_JobEnds_ShowsItsEndOnceItIsNoLongerHeld()
    {
        using var queue = new WorkQueue();
        var held = new TaskCompletionSource<bool>();
        var work = new EndlessWork { OnEnd = () => held.SetResult(queue.Running is not null) };
        queue.Add(work);

        work.Stop();

        Assert.False(await held.Task.WaitAsync(Cancellation));
        await queue.CloseAsync();
    }

    [Fact]
    public async Task TryResume_AnotherProgramHasIt_IsRejected()
    {
        await MeasureFirstAsync(new SimulationSpec());
        using var held = RunLock.TryTake(new RunFolder(_folder.Path, "sample"));
        Assert.Equal("The experiment 'sample' is run by another program on this machine.", await WhyNotAsync(account: null));
    }

    [Fact]
    public async Task TryResume_MeasuredOnSimulatedAccounts_IsRejectedElsewhere()
    {
        await MeasureFirstAsync(new SimulationSpec());
        Assert.Equal(
            "The experiment 'sample' goes to simulated accounts, and this server to mine.documents.azure.com.", await WhyNotAsync(Account));
    }

    [Fact]
    public async Task TryResume_MeasuredOnAnAccount_IsRejectedElsewhere()
    {
        var folder = new RunFolder(_folder.Path, "sample");
        await MeasureFirstAsync(simulation: null);
        await RunAccounts.UseAsync(folder, Account with { Endpoint = new Uri("https://other.documents.azure.com/") }, Cancellation);

        Assert.Equal(
            "The experiment 'sample' goes to other.documents.azure.com, and this server to simulated accounts.",
            await WhyNotAsync(account: null));
        Assert.Equal(
            "The experiment 'sample' goes to other.documents.azure.com, and this server to mine.documents.azure.com.",
            await WhyNotAsync(Account));
        await RunAccounts.UseAsync(folder, Account, Cancellation);
        Assert.Null(await WhyNotAsync(Account));
    }

    private async Task<string?> WhyNotAsync(AccountConnection? account) => (await Host(account).TryResumeAsync(Spec, Cancellation)).WhyNot;

    private LocalExperimentHost Host(AccountConnection? account) => new(_queue, _folder.Path, account, TextWriter.Null);

    private async Task MeasureFirstAsync(SimulationSpec? simulation)
    {
        await new ExperimentFiles(_store, "sample").TryClaimAsync(Spec, Cancellation);
        var run = new GridPlanner(Spec).All[0].Spec with { Simulation = simulation };
        var files = new RunFiles(_store, run.Id!);
        await files.TryClaimAsync(run, Cancellation);
        var outcome = new RunOutcome { RunId = run.Id!, State = RunState.Complete, Remaining = 0 };
        await files.WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), Cancellation);
    }

    /// <summary>Work that occupies the machine until it is stopped.</summary>
    private sealed class EndlessWork : IHostedWork
    {
        private readonly TaskCompletionSource _end = new();

        public string Id => "endless";

        /// <summary>Called when the end is shown.</summary>
        public Action OnEnd { get; init; } = () => { };

        public Task RunAsync() => _end.Task;

        public Task GiveUpAsync() => Task.CompletedTask;

        public void ShowEnd() => OnEnd();

        public void Stop() => _end.TrySetResult();

        public void Kill() => Stop();

        public void Dispose()
        {
        }
    }
}
