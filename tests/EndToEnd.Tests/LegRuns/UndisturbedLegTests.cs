namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>Legs beside a run store and a progress queue that fail or hang.</summary>
public sealed class UndisturbedLegTests : LegsOnAccount
{
    /// <summary>Every write takes 3 s, so that operations are in flight for seconds after the leg's time is up.</summary>
    private static readonly LatencyProfile Slow =
        LatencyProfile.None with { Name = null, WriteMedianMs = 3_000, LogStandardDeviation = 0 };

    [Fact]
    public async Task Run_StopFlagCannotBeReadWhileTheLegDrains_KeepsWhatTheLegDid()
    {
        await using var account = await StartAsync(latency: Slow);
        await CreateContainerAsync(account);
        var store = new FailingStore(Store);
        var sink = new Sink(progress =>
        {
            store.Fails |= progress.Activity == WorkerState.Draining;
            return ValueTask.CompletedTask;
        });
        var leg = ShortLeg(TimeSpan.FromSeconds(1));
        await using var runner = new LegRunner(store, account.Connection(), sink);

        var output = await runner.RunAsync(leg, Cancellation);

        Assert.True(store.Failures > 0);
        Assert.Equal((LegEnd.TimeUp, leg.Assignment.Client.Concurrency), (output.End, output.Counts.Inserted));
        Assert.Equal(output.Counts.Inserted, account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task Run_ProgressCannotBeReported_KeepsWhatTheLegDidAndSaysSoLater()
    {
        await using var account = await StartAsync(latency: Slow);
        await CreateContainerAsync(account);
        var warnings = new ConcurrentQueue<string?>();
        var sink = new Sink(progress =>
        {
            warnings.Enqueue(progress.Warning);
            return progress.Activity == WorkerState.Running || progress.Activity == WorkerState.Ended
                ? throw new InvalidOperationException("the queue is away")
                : ValueTask.CompletedTask;
        });
        await using var runner = new LegRunner(Store, account.Connection(), sink);

        var output = await runner.RunAsync(ShortLeg(TimeSpan.FromSeconds(2)), Cancellation);

        Assert.Equal((LegEnd.TimeUp, true), (output.End, output.Counts.Inserted > 0));
        Assert.Contains("progress could not be reported: the queue is away", warnings);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_SomethingOfTheLegNeverEnds_IsLostAtItsDeadlineAndRunsAgain()
    {
        await using var account = await StartAsync(latency: Slow);
        await CreateContainerAsync(account);
        var hangs = true;
        var sink = new Sink(progress => hangs && progress.Activity >= WorkerState.Running
            ? new ValueTask(Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None))
            : ValueTask.CompletedTask);
        var leg = ShortLeg(TimeSpan.FromSeconds(1), documents: 20);
        var time = new HastyTime { IsHasty = true };
        await using var runner = new LegRunner(Store, account.Connection(), sink, time);

        var lost = await Assert.ThrowsAsync<LegLostException>(() => runner.RunAsync(leg, Cancellation));
        (hangs, time.IsHasty) = (false, false);
        var output = await runner.RunAsync(ShortLeg(TimeSpan.FromMinutes(1), documents: 20), Cancellation);

        Assert.Equal("the leg had not ended 71.2 s after its start", lost.Message);
        Assert.Equal((LegEnd.SliceDone, 20), (output.End, output.Counts.Inserted + output.Counts.AlreadyPresent));
        Assert.Equal(20, account.ReadLedger().Documents.Created);
    }

    /// <summary>With 50 connections and a failure of every fifth read, not one in ten thousand attempts would open all at once.</summary>
    [Theory]
    [InlineData(429, 3200)]
    [InlineData(503, 0)]
    public async Task Run_SomeReadsFailWhileConnectionsOpen_RepeatsOnlyThose(int status, int subStatus)
    {
        var fails = new FaultRule { Operation = FaultOperation.Read, Probability = 0.2, Status = status, SubStatus = subStatus };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [fails] });
        await CreateContainerAsync(account);
        var leg = Leg(100, concurrency: 50);

        var output = await RunAsync(account, leg);
        var result = await ResultAsync(leg);

        var reads = account.ReadLedger().Operations.Read;
        Assert.Equal((LegEnd.SliceDone, 100, 0), (output.End, output.Counts.Inserted, output.Counts.Throttled));
        Assert.Equal((reads.Throttled, status == 429), (result.OpeningThrottled, result.OpeningThrottled > 0));
        Assert.Equal(reads.RequestUnits.Value + reads.ThrottledRequestUnits.Value, result.OpeningRequestUnits.Value, precision: 3);
        // The connections that succeeded were not opened again.
        Assert.InRange(reads.Attempts, 50, 150);
    }

    private static LegInput ShortLeg(TimeSpan duration, long documents = 500)
    {
        var leg = Leg(documents);
        return leg with { Assignment = leg.Assignment with { LegDuration = duration } };
    }

    private sealed class Sink(Func<WorkerProgress, ValueTask> report) : IProgressSink
    {
        public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => report(progress);
    }

    /// <summary>A clock on which waits of a minute and more are over after six seconds, as long as it is hasty.</summary>
    private sealed class HastyTime : TimeProvider
    {
        public bool IsHasty { get; set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => base.CreateTimer(
            callback, state, IsHasty && dueTime >= TimeSpan.FromMinutes(1) ? TimeSpan.FromSeconds(6) : dueTime, period);
    }

    /// <summary>A run store from which nothing can be read while it fails.</summary>
    private sealed class FailingStore(IRunStore store) : IRunStore
    {
        public volatile bool Fails;

        public int Failures { get; private set; }

        public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            store.TryCreateAsync(runId, name, content, cancellationToken);

        public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            store.WriteAsync(runId, name, content, cancellationToken);

        public Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
        {
            if (!Fails)
                return store.ReadAsync(runId, name, cancellationToken);
            Failures++;
            throw new IOException("the run store is away");
        }

        public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
            store.ListAsync(runId, prefix, cancellationToken);

        public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
            store.DeleteAsync(runId, isMeant, cancellationToken);
    }
}
