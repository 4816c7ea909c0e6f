namespace ScaleOut.Tests.Workers.Legs;

public sealed class StartBarrierTests : IDisposable
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(0.1);

    private readonly TemporaryFolder _folder = new();
    private readonly RunFiles _files;

    public StartBarrierTests() => _files = new RunFiles(_folder.StoreWith("barrier"), "barrier");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Wait_AllWorkersReady_StartsAllAtTheSameInstant(bool onOneMachine)
    {
        var starts = await Task.WhenAll(Enumerable.Range(0, 8).Select(async worker =>
        {
            await Task.Delay(worker * 20, Cancellation);
            var wait = await WaitAsync(worker, 8, onOneMachine: onOneMachine);
            return (wait, At: DateTimeOffset.UtcNow);
        }));

        var instant = Assert.Single(starts.Select(start => start.wait.Start).Distinct())!;
        Assert.Equal(8, instant.Ready);
        Assert.All(starts, start =>
        {
            Assert.True(start.At >= instant.At);
            Assert.Null(start.wait.Error);
            Assert.True(start.wait.Skew!.HighMs >= 0 && !(start.wait.Skew.LowMs > 0));
        });
    }

    [Fact]
    public async Task Wait_WorkerMissingAfterTheTimeout_StartsWithoutItAndReportsHowManyWereReady()
    {
        var wait = await WaitAsync(worker: 3, workers: 4, timeout: TimeSpan.FromSeconds(0.1));
        Assert.Equal(1, wait.Start!.Ready);
    }

    [Fact]
    public async Task Wait_LateStartCannotBePrepared_IsAnErrorWithoutAStart()
    {
        PrepareLateStart fails = (_, _, _) => Task.FromResult<(bool, string?)>((false, "no space"));

        var wait = await WaitAsync(1, 3, timeout: Soon, prepareLateStart: fails);

        Assert.Equal(("no space", null), (wait.Error, wait.Start));
        Assert.Null(await _files.ReadStartAsync(Cancellation));
    }

    [Fact]
    public async Task Wait_LateStartIsNotPreparedYet_WaitsUntilItIs()
    {
        await _files.MarkReadyAsync(0, Cancellation);
        var calls = new List<int[]>();

        var wait = await WaitAsync(2, 4, timeout: Soon, prepareLateStart: async (ready, late, cancellationToken) =>
        {
            Assert.True(late >= TimeSpan.Zero);
            Assert.Null(await _files.ReadStartAsync(cancellationToken));
            calls.Add([.. ready]);
            return (calls.Count > 1, null);
        });

        Assert.Equal(2, wait.Start!.Ready);
        Assert.Equal([[0, 2], [0, 2]], calls);
    }

    [Fact]
    public async Task Wait_AllBecomeReadyBeforeALateStartIsPrepared_StartsAll()
    {
        var waiting = WaitAsync(0, 2, timeout: Soon, prepareLateStart: async (_, _, cancellationToken) =>
        {
            await _files.MarkReadyAsync(1, cancellationToken);
            return (false, null);
        });

        Assert.Equal(2, (await waiting).Start!.Ready);
    }

    [Fact]
    public async Task Wait_StartIsLongPast_ReturnsItAtOnce()
    {
        var past = new StartInstant(DateTimeOffset.UtcNow.AddMinutes(-5), Ready: 1);
        await _files.SetStartAsync(past, Cancellation);
        var wait = await WaitAsync(1, 2);
        Assert.Equal((past, null, null), (wait.Start, wait.Error, wait.Skew!.LowMs));
    }

    [Fact]
    public async Task Wait_StartIsTheEarliestInstant_IsAnErrorThatNamesIt()
    {
        await _files.SetStartAsync(new StartInstant(DateTimeOffset.MinValue, 2), Cancellation);
        Assert.Contains("0001-01-01", (await WaitAsync(1, 2)).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_StartIsAnHourAhead_IsAnErrorAtOnceThatNamesIt()
    {
        var ahead = new StartInstant(DateTimeOffset.UtcNow + Hour, 2);
        await _files.SetStartAsync(ahead, Cancellation);

        var error = (await WaitAsync(1, 2)).Error;

        Assert.Contains($"is set to {ahead.At:yyyy-MM-dd HH:mm:ss.fff} UTC", error, StringComparison.Ordinal);
        Assert.Contains("ahead of this worker's clock", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_ClocksAreAnHourOff_TheirWorkersDoNotStartAndReportIt()
    {
        Task<StartWait>[] wrong = [WaitAsync(1, 3, new ShiftedTime(Hour)), WaitAsync(2, 3, new ShiftedTime(-Hour))];
        var right = WaitAsync(0, 3);
        var errors = (await Task.WhenAll(wrong)).Select(wait => wait.Error).ToList();
        var start = (await _files.ReadStartAsync(Cancellation))!;
        await _files.RequestStopAsync(Cancellation);

        Assert.All(errors, error => Assert.Contains($"is set to {start.At:yyyy-MM-dd HH:mm:ss.fff} UTC", error, StringComparison.Ordinal));
        Assert.Contains("behind this worker's clock", errors[0], StringComparison.Ordinal);
        Assert.Contains("ahead of this worker's clock", errors[1], StringComparison.Ordinal);
        Assert.Null((await right).Error);
    }

    [Fact]
    public async Task Wait_ClocksDifferByLess_StartAndReportTheBoundsOfTheSkew()
    {
        double[] offsets = [0, 4_000, -4_000];
        var clocks = offsets.Select(ms => new ShiftedTime(TimeSpan.FromMilliseconds(ms)));
        var waits = await Task.WhenAll(clocks.Select((clock, worker) => WaitAsync(worker, 3, clock)));

        Assert.All(waits.Zip(offsets), pair =>
        {
            Assert.Null(pair.First.Error);
            Assert.True(pair.First.Skew!.LowMs <= pair.Second + 1 && pair.Second - 1 <= pair.First.Skew.HighMs, $"{pair.First.Skew}");
        });
    }

    [Fact]
    public async Task Wait_WallClockIsSetMeanwhile_StartsAtTheSameInstant()
    {
        var time = new ShiftedTime();
        var waiting = WaitAsync(0, 2, time);
        while ((await _files.ListReadyAsync(Cancellation)).Count == 0)
            await Task.Delay(10, Cancellation);
        time.Offset = Hour;
        await _files.MarkReadyAsync(1, Cancellation);
        var wait = await waiting;

        Assert.InRange(wait.Start!.At, DateTimeOffset.UtcNow - (Hour / 2), DateTimeOffset.UtcNow);
    }

    [Theory]
    [InlineData(-720)]
    [InlineData(-1)]
    [InlineData(1)]
    public async Task Wait_RestartedOnAMachineWhoseClockWasSet_StartsAtOnce(int hours)
    {
        await _files.MarkReadyAsync(0, Cancellation);
        var start = new StartInstant(DateTimeOffset.UtcNow, Ready: 1);
        await _files.SetStartAsync(start, Cancellation);
        var time = new ShiftedTime { Offset = TimeSpan.FromHours(hours) };

        var wait = await WaitAsync(0, 1, time, onOneMachine: true);

        Assert.Equal((start, null), (wait.Start, wait.Error));
    }

    /// <summary>The others waited for it until their start time-out, three minutes by default.</summary>
    [Fact]
    public async Task Wait_ReadyMarkIsDeleted_MarksAgain()
    {
        var waiting = WaitAsync(1, 2, timeout: TimeSpan.FromMinutes(10));
        await Until.HoldsAsync(() => Marks().Count == 1, "the mark of worker 1");
        File.Delete(Marks()[0]);

        var first = await WaitAsync(0, 2, timeout: TimeSpan.FromMinutes(10)).WaitAsync(TimeSpan.FromMinutes(2), Cancellation);
        Assert.Equal((2, first.Start), (first.Start!.Ready, (await waiting).Start));

        List<string> Marks() => [.. Directory.EnumerateFiles(_folder.Path, "*1", SearchOption.AllDirectories)
            .Where(file => Path.GetFileName(Path.GetDirectoryName(file)) == "ready" && !DurableFile.IsTemporary(file))];
    }

    [Fact]
    public async Task Wait_RunIsStopped_ReturnsNull()
    {
        var waiting = WaitAsync(0, 2);
        await _files.RequestStopAsync(Cancellation);
        Assert.Equal(new StartWait(), await waiting);
    }

    [Fact]
    public async Task Wait_RunStoreIsAwayForSomeReads_ReadsAgainAndStarts()
    {
        var reads = 0;
        var store = new MemoryRunStore
        {
            BeforeRead = _ =>
            {
                if (Interlocked.Increment(ref reads) is 1 or 3 or > 4 and <= 6)
                    throw new IOException("the run store is away");
            },
        };

        var wait = await BarrierOn(store).WaitAsync(0, 1, TimeSpan.FromMinutes(1), prepareLateStart: null, Cancellation);

        Assert.Equal((1, null), (wait.Start!.Ready, wait.Error));
        Assert.True(reads > 6, $"{reads} reads");
    }

    [Fact]
    public async Task Wait_StartIsDamaged_IsAnErrorAtOnce()
    {
        var store = new MemoryRunStore { BeforeRead = _ => throw EvidenceException.Damaged("start.json", "it is empty") };
        await Assert.ThrowsAsync<EvidenceException>(
            () => BarrierOn(store).WaitAsync(0, 1, TimeSpan.FromMinutes(1), prepareLateStart: null, Cancellation));
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(200, 1, 1)]
    [InlineData(400, 1, 3)]
    [InlineData(990, 2.475, 7.425)]
    public void NextPoll_OfAnyWorkers_AsksOneBlob200TimesASecond(int workers, double least, double most)
    {
        var polls = Enumerable.Range(0, 1_000).Select(_ => LegTimes.NextPoll(workers).TotalSeconds).ToList();

        Assert.All(polls, poll => Assert.InRange(poll, least, most));
        Assert.Equal(workers > 200, polls.Distinct().Count() > 1);
        Assert.Equal(most, LegTimes.LongestPoll(workers).TotalSeconds, precision: 6);
        // The slowest worker reads the start 2 s before it passes.
        Assert.True(StartBarrier.LeadFor(workers, onOneMachine: false).TotalSeconds >= most + 2);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Wait_OneOf990Workers_ReadsTheStopFlagSeldom()
    {
        var reads = new ConcurrentQueue<(string Name, long At)>();
        var store = new MemoryRunStore { BeforeRead = name => reads.Enqueue((name, Stopwatch.GetTimestamp())) };
        var waiting = BarrierOn(store).WaitAsync(7, 990, TimeSpan.FromMinutes(10), prepareLateStart: null, Cancellation);
        bool HasTwo() => reads.GroupBy(read => read.Name).Any(name => name.Count() > 1);
        while (!HasTwo())
            await Task.Delay(20, Cancellation);

        var gap = reads.GroupBy(read => read.Name).First(name => name.Count() > 1).Select(read => read.At).ToList();
        await new RunFiles(store, "barrier").RequestStopAsync(Cancellation);
        Assert.Null((await waiting).Start);
        Assert.True(Stopwatch.GetElapsedTime(gap[0], gap[1]) >= TimeSpan.FromSeconds(2.4));
    }

    private static StartBarrier BarrierOn(IRunStore store) =>
        new(new RunFiles(store, "barrier"), new AnchoredClock(TimeProvider.System), StartBarrier.LeadOnOneMachine);

    private Task<StartWait> WaitAsync(
        int worker,
        int workers,
        TimeProvider? time = null,
        TimeSpan? timeout = null,
        bool onOneMachine = false,
        PrepareLateStart? prepareLateStart = null) =>
        new StartBarrier(_files, new AnchoredClock(time ?? TimeProvider.System), StartBarrier.LeadOnOneMachine, onOneMachine)
            .WaitAsync(worker, workers, timeout ?? TimeSpan.FromMinutes(1), prepareLateStart, Cancellation);
}
