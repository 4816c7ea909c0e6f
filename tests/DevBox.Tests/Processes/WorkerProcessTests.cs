namespace ScaleOut.Tests.DevBox.Processes;

/// <summary>Worker processes that freeze or are ended while they run a leg.</summary>
public sealed class WorkerProcessTests : LegsOnAccount
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(8);

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task RunLeg_ProcessIsFrozen_IsLostAfterItsSilenceAndRunsAgainInAnother()
    {
        await using var account = await StartAsync(latency: LatencyProfile.CrossRegion);
        await CreateContainerAsync(account);
        var running = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pool = Pool(account, progress => running.TrySetResult(), Silence);
        var leg = Leg(1_000_000, concurrency: 4);

        var frozen = pool.RunLegAsync(leg);
        await running.Task.WaitAsync(Cancellation);
        Assert.True(Signals.Send(pool.ProcessIdOf(0), Signals.Freeze));
        var lost = await Assert.ThrowsAsync<LegLostException>(() => frozen);
        var again = await pool.RunLegAsync(
            leg with { Assignment = leg.Assignment with { LegDuration = TimeSpan.FromSeconds(1) } });

        Assert.Contains("sent nothing for", lost.Message, StringComparison.Ordinal);
        Assert.Equal(LegEnd.TimeUp, again.End);
    }

    /// <summary>A leg of this size does not fit into the pipe of a process that does not read it.</summary>
    [Fact]
    public async Task RunLeg_ProcessIsFrozenBeforeItReadsALargeLeg_IsLostAfterItsSilence()
    {
        await using var account = await StartAsync(latency: LatencyProfile.CrossRegion);
        var handshake = new WorkerHandshake { Account = account.Connection(), RunsFolder = Folder };
        await using var process = WorkerProcess.Start(
            new ProcessStart(handshake, RunId, 0, Path.Combine(Folder, "worker.log")), _ => { }, TimeSpan.FromSeconds(0.2));
        Assert.True(Signals.Send(process.Id, Signals.Freeze));

        var large = Leg(1_000) with { LastLost = new string('x', 200_000) };
        var lost = await Assert.ThrowsAsync<LegLostException>(
            () => Task.Run(() => process.RunLegAsync(large), Cancellation).WaitAsync(Cancellation));

        Assert.Contains("sent nothing for", lost.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunLeg_ProgramEndsTheProcess_SaysWhyInsteadOfTheSignal()
    {
        await using var account = await StartAsync(latency: LatencyProfile.CrossRegion);
        await CreateContainerAsync(account);
        var running = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pool = Pool(account, _ => running.TrySetResult(), silence: null);

        var leg = pool.RunLegAsync(Leg(1_000_000));
        await running.Task.WaitAsync(Cancellation);
        pool.KillAll("the run was stopped");
        var lost = await Assert.ThrowsAsync<LegLostException>(() => leg);

        Assert.EndsWith("was ended, because the run was stopped", lost.Message, StringComparison.Ordinal);
    }

    private WorkerPool Pool(SimulatedAccount account, Action<WorkerProgress> onProgress, TimeSpan? silence) => new(
        new WorkerHandshake { Account = account.Connection(), RunsFolder = Folder }, RunId, Folder, onProgress)
    {
        Silence = silence ?? WorkerProcess.Silence,
    };
}
