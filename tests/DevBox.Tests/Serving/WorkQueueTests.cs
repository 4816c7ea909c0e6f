namespace ScaleOut.Tests.DevBox.Serving;

public sealed class WorkQueueTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Queue_JobThrows_GoesOnWithTheNextAndCloses()
    {
        using var queue = new WorkQueue();
        var second = new Work("second", () => Task.CompletedTask);
        queue.Add(new Work("first", () => throw new InvalidOperationException("planted")));
        queue.Add(second);

        await second.Ended.WaitAsync(Cancellation);

        await Until.HoldsAsync(() => queue.Running is null, "the end of the second job");
        await queue.CloseAsync();
        Assert.False(queue.WasInterrupted);
    }

    [Fact]
    public async Task Close_WaitingJobCannotBeGivenUp_GivesUpTheOthersAndWaitsForTheCurrentOne()
    {
        using var queue = new WorkQueue();
        var release = new TaskCompletionSource();
        var (current, good) = (new Work("current", () => release.Task), new Work("good"));
        var bad = new Work("bad", giveUp: () => throw new IOException("planted"));
        queue.Add(current);
        await Until.HoldsAsync(() => queue.Running is not null, "the beginning of the first job");
        queue.Add(bad);
        queue.Add(good);

        var closing = queue.CloseAsync();
        release.SetResult();
        await closing;

        Assert.True(current.Ended.IsCompleted);
        Assert.True(good.GivenUp);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Session_LogCannotBeWritten_EndsAsItWouldAndCanBeStarted(bool resumed)
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "sample");
        var spec = ExperimentSample.From(2, 2);
        using var session = new HostedExperimentSession(
            spec, folder, account: null, new BrokenWriter(), resumed ? ExperimentStatus.Resumption(spec, left: 1) : null);
        using (RunLock.TryCreate(folder))
            await session.RunAsync();

        session.ShowEnd();

        Assert.Equal(HostedState.Failed, session.Status().State);
        Assert.Contains("another process", Assert.Single(session.Status().Reasons), StringComparison.Ordinal);
    }

    private sealed class BrokenWriter : TextWriter
    {
        public override Encoding Encoding => Encoding.UTF8;

        public override Task WriteLineAsync(string? value) => throw new IOException("Broken pipe");
    }

    private sealed class Work(string id, Func<Task>? run = null, Action? giveUp = null) : IHostedWork
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public string Id => id;

        public Task Ended => _ended.Task;

        public bool GivenUp { get; private set; }

        public async Task RunAsync()
        {
            await (run?.Invoke() ?? Task.CompletedTask);
            _ended.SetResult();
        }

        public Task GiveUpAsync()
        {
            giveUp?.Invoke();
            GivenUp = true;
            return Task.CompletedTask;
        }

        public void Stop()
        {
        }

        public void Kill()
        {
        }

        public void Dispose()
        {
        }
    }
}
