using FsCheck.Fluent;
using ScaleOut.Tests.Shared.Progress;

namespace ScaleOut.Tests.Shared.Storage;

public sealed class ProgressFilesTests
{
    private readonly MemoryRunStore _store = new();

    private ProgressFiles Progress => new(_store, "run");

    [Fact]
    public void Keep_AnyOrder_HoldsTheNewestOfEachWorker() => Properties.Holds(
        Prop.ForAll(ProgressMessages.Any.ToArbitrary(), messages => NewestAsync(messages).GetAwaiter().GetResult()));

    [Fact]
    public async Task Keep_NewerMessageIsStoredMeanwhile_StaysTheNewest()
    {
        var others = new Queue<WorkerProgress>([ProgressMessages.From(0, 1, 1, 3)]);
        _store.BeforeWrite = _ =>
        {
            if (others.TryDequeue(out var newer))
                Progress.WriteIfNewerAsync(newer, CancellationToken.None).GetAwaiter().GetResult();
        };

        Assert.False(await Progress.WriteIfNewerAsync(ProgressMessages.From(0, 1, 1, 2), CancellationToken.None));

        Assert.Equal(3, Assert.Single(await Progress.ReadAllAsync(runInstanceId: null, CancellationToken.None)).Sequence);
    }

    [Fact]
    public async Task Keep_LateMessageOfAFormerMeasurement_IsNotShownInTheNext()
    {
        var former = ProgressMessages.From(0, 9, 1, 9);
        var current = ProgressMessages.From(0, 1, 1, 1) with { RunInstanceId = ChildIds.Again("run", 2) };

        await Progress.WriteIfNewerAsync(former, CancellationToken.None);
        await Progress.WriteIfNewerAsync(current, CancellationToken.None);
        await Progress.WriteIfNewerAsync(former with { Sequence = 10 }, CancellationToken.None);

        var shown = Assert.Single(await Progress.ReadAllAsync(ChildIds.Again("run", 2), CancellationToken.None));
        Assert.Equal((1, 1L), (shown.Leg, shown.Sequence));
    }

    /// <summary>Two instances of the app take turns; the clock of the second is behind.</summary>
    [Fact]
    public async Task LongestShown_ClocksThatDiffer_NeverFalls()
    {
        double[] times = [10, 7, 11, 8, 12];
        var shown = new List<double>();
        foreach (var seconds in times)
            shown.Add(await Progress.LongestShownAsync("run", seconds, isOver: false, CancellationToken.None));

        Assert.Equal([10, 10, 11, 11, 12], shown);
        // The next measurement begins anew.
        Assert.Equal(1, await Progress.LongestShownAsync(ChildIds.Again("run", 2), 1, isOver: false, CancellationToken.None));
        Assert.Empty(await Progress.ReadAllAsync("run", CancellationToken.None));
    }

    [Fact]
    public async Task LongestShown_WorkersHaveEnded_StoresNothing()
    {
        Assert.Equal(12, await Progress.LongestShownAsync("run", 12, isOver: true, CancellationToken.None));
        Assert.Empty(await _store.ListAsync("run", "progress/", CancellationToken.None));
        await Progress.LongestShownAsync("run", 15, isOver: false, CancellationToken.None);
        Assert.Equal(15, await Progress.LongestShownAsync("run", 12, isOver: true, CancellationToken.None));
        await Progress.DeleteAsync(CancellationToken.None);
        Assert.Empty(await _store.ListAsync("run", "progress/", CancellationToken.None));
    }

    [Fact]
    public async Task Keep_AfterTheEndOfTheRun_LeavesNothing()
    {
        await Progress.WriteIfNewerAsync(ProgressMessages.From(0, 1, 1, 1), CancellationToken.None);
        var outcome = new RunOutcome { RunId = "run", State = RunState.Complete, Remaining = 0 };
        await new RunFiles(_store, "run").WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), CancellationToken.None);
        await Progress.DeleteAsync(CancellationToken.None);

        Assert.False(await Progress.WriteIfNewerAsync(ProgressMessages.From(0, 1, 1, 2), CancellationToken.None));
        Assert.Empty(await _store.ListAsync("run", "progress/", CancellationToken.None));
    }

    [Fact]
    public async Task ReadAll_ManyWorkers_ReadsAtMost32AtOnce()
    {
        for (var worker = 0; worker < 100; worker++)
            await Progress.WriteIfNewerAsync(ProgressMessages.From(worker, 1, 1, 1), CancellationToken.None);
        var (gate, waiting, most) = (new TaskCompletionSource(), 0, 0);
        _store.AtRead = async () =>
        {
            most = Math.Max(most, Interlocked.Increment(ref waiting));
            await gate.Task;
            Interlocked.Decrement(ref waiting);
        };

        var reading = Progress.ReadAllAsync(runInstanceId: null, CancellationToken.None);
        gate.SetResult();

        Assert.Equal(Enumerable.Range(0, 100), (await reading).Select(message => message.Worker));
        Assert.Equal(32, most);
    }

    [Fact]
    public async Task Keep_MessageWithPartitions_LeavesThemOut()
    {
        await Progress.WriteIfNewerAsync(
            ProgressMessages.From(0, 1, 1, 1) with { Partitions = [new PartitionProgress("", "FF", default)] }, CancellationToken.None);
        Assert.Empty(Assert.Single(await Progress.ReadAllAsync(runInstanceId: null, CancellationToken.None)).Partitions);
    }

    private static async Task<bool> NewestAsync(WorkerProgress[] messages)
    {
        var progress = new ProgressFiles(new MemoryRunStore(), "run");
        foreach (var message in messages)
            await progress.WriteIfNewerAsync(message, CancellationToken.None);
        var kept = (await progress.ReadAllAsync(runInstanceId: null, CancellationToken.None))
            .ToDictionary(message => message.Worker, message => message.Order);
        return kept.Count == messages.Select(message => message.Worker).Distinct().Count()
            && messages.GroupBy(message => message.Worker).All(group => kept[group.Key] == group.Max(message => message.Order));
    }
}
