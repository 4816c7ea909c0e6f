namespace ScaleOut.Tests.DevBox.Serving;

public sealed class HostedExperimentSessionTests
{
    [Fact]
    public async Task GiveUpAsync_BeforeTheExperimentBegan_IsStoppedForTheNextServerToo()
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var temporary = new TemporaryFolder();
        var store = new FolderRunStore(temporary.Path);
        var spec = ExperimentSample.From(2, 2);
        await new ExperimentFiles(store, "sample").TryClaimAsync(spec, cancellation);
        using var session = new HostedExperimentSession(spec, new RunFolder(temporary.Path, "sample"), account: null, TextWriter.Null);

        await session.GiveUpAsync();
        session.ShowEnd();

        // A newly started server knows only the folder.
        await using var next = await ApiServer.StartAsync(store);
        var status = JsonNode.Parse(await next.Client.GetStringAsync("api/experiments/sample", cancellation))!;
        Assert.Equal(HostedState.Stopped, session.Status().State);
        Assert.Equal(("stopped", 4, 0), ((string?)status["state"], (int?)status["runs"], (int?)status["ended"]));
        Assert.Equal("It was stopped before it began.", (string?)status["reasons"]![0]);
    }

    [Fact]
    public async Task GiveUpAsync_Resumption_KeepsTheFormerEndInTheFolder()
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var temporary = new TemporaryFolder();
        var files = new ExperimentFiles(new FolderRunStore(temporary.Path), "sample");
        var spec = ExperimentSample.From(2, 2);
        await files.TryClaimAsync(spec, cancellation);
        await files.WriteStatusAsync(ExperimentStatus.GivenUp(spec, "As it was."), cancellation);
        using var session = new HostedExperimentSession(
            spec, new RunFolder(temporary.Path, "sample"), account: null, TextWriter.Null, ExperimentStatus.Resumption(spec, left: 3));
        var queued = session.Status();

        await session.GiveUpAsync();
        session.ShowEnd();

        Assert.Equal((HostedState.Queued, 1, null), (queued.State, queued.Status!.Ended, queued.Status.Outcome));
        Assert.Equal((HostedState.Stopped, null), (session.Status().State, session.Status().Status));
        Assert.Equal("As it was.", (await files.ReadStatusAsync(cancellation))!.Reason);
    }

    [Fact]
    public async Task Status_EndedWhileTheQueueHoldsIt_IsStillRunning()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "sample");
        using var session = new HostedExperimentSession(ExperimentSample.From(2, 2), folder, account: null, TextWriter.Null);
        using (RunLock.TryCreate(folder))
            await session.RunAsync();
        var held = session.Status();

        session.ShowEnd();

        var ended = session.Status();
        Assert.Equal((HostedState.Running, HostedState.Failed), (held.State, ended.State));
        Assert.Empty(held.Reasons);
        Assert.Contains("another process", Assert.Single(ended.Reasons), StringComparison.Ordinal);
    }
}
