namespace ScaleOut.Tests.Workers.Legs;

/// <summary>First legs on the real SDK while other workers are missing at the start.</summary>
public sealed class MissingPreloadsTests : LegsOnAccount
{
    private const int Documents = 120;
    private const int Preloaded = 60;

    [Theory]
    [InlineData(WorkloadKind.Read)]
    [InlineData(WorkloadKind.Patch)]
    public async Task Run_AnotherWorkerHasNotPreloaded_WritesItsShareToo(WorkloadKind kind)
    {
        await using var account = await StartAsync();
        await CreateContainerAsync(account);
        var workload = new WorkloadSpec { Kind = kind, Preload = Preloaded };

        var (output, result) = await RunFirstLegAsync(account, workload, worker: 1);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (output.End, output.Counts.Inserted, output.Counts.Failed));
        AssertSame(account.ReadLedger().Operations.Create.RequestUnits.Value, result.PreloadRequestUnits.Value);
        Assert.Equal(result.PreloadRequestUnits, (await Files.ReadPreloadAsync(1, Cancellation))!.RequestUnits);
        Assert.Equal([0, 1], await Files.ListPreloadedAsync(Cancellation));

        // The missing worker finds its documents, and reports only the RU that it used itself.
        var (late, ofLate) = await RunFirstLegAsync(account, workload, worker: 0);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (late.End, late.Counts.Inserted, late.Counts.Failed));
        AssertSame(
            account.ReadLedger().Operations.Create.RequestUnits.Value, (result.PreloadRequestUnits + ofLate.PreloadRequestUnits).Value);
        Assert.Equal(Preloaded, DocumentsIn(account));
    }

    /// <summary>The missing worker deletes its own documents later. Nobody else may write these again.</summary>
    [Fact]
    public async Task Run_MixWithAnotherWorkerMissing_WritesWhatNoOperationDeletes()
    {
        await using var account = await StartAsync();
        await CreateContainerAsync(account);
        var workload = new WorkloadSpec { Choose = DocumentOrder.Zipf, Mix = new MixSpec { Read = 2, Delete = 1 } };

        var (output, _) = await RunFirstLegAsync(account, workload, worker: 1);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (output.End, output.Counts.Inserted, output.Counts.Failed));
        Assert.Equal(Documents * 2 / 3, DocumentsIn(account));

        var (late, _) = await RunFirstLegAsync(account, workload, worker: 0);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (late.End, late.Counts.Inserted, late.Counts.Failed));
        Assert.Equal(Documents * 2 / 3, DocumentsIn(account));
        Assert.Equal(Documents / 3, account.ReadLedger().Documents.Deleted);
    }

    [Fact]
    public async Task Run_DeleteWithAnotherWorkerMissing_WritesItsOwnShareAlone()
    {
        await using var account = await StartAsync();
        await CreateContainerAsync(account);

        var (output, _) = await RunFirstLegAsync(account, new WorkloadSpec { Kind = WorkloadKind.Delete }, worker: 1);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (output.End, output.Counts.Inserted, output.Counts.Failed));
        Assert.Equal(Documents / 2, account.ReadLedger().Documents.Deleted);
        Assert.Equal(0, DocumentsIn(account));
    }

    /// <summary>Workers 1 and 2 of four are ready: worker 1 writes the share of worker 0, and worker 2 that of worker 3.</summary>
    [Fact]
    public async Task Run_TwoOfFourWorkersAreReady_WritesItsPartOfTheMissingShares()
    {
        await using var account = await StartAsync();
        await CreateContainerAsync(account);
        await Files.CreatePreloadIfAbsentAsync(2, new PreloadShare(0, RequestUnits.Zero), Cancellation);
        await Files.MarkReadyAsync(2, Cancellation);

        var running = RunFirstLegAsync(account, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = Preloaded }, worker: 1, workers: 4);
        while (!running.IsCompleted && !(await Files.ListPreloadedAsync(Cancellation)).Contains(0))
            await Task.Delay(50, Cancellation);
        await Files.MarkPreloadedAsync(3, Cancellation);
        var (_, result) = await running;

        Assert.Equal(Preloaded / 2, DocumentsIn(account));
        AssertSame(account.ReadLedger().Operations.Create.RequestUnits.Value, result.PreloadRequestUnits.Value);
        Assert.Equal(2, (await Files.ReadStartAsync(Cancellation))!.Ready);
    }

    /// <summary>The missing share takes 12 minutes by its RU. When the missing worker has written it, nobody waits for the copy.</summary>
    [Fact]
    public async Task Run_StartIsSetWhileAMissingShareIsWritten_EndsThatAndStarts()
    {
        const int Many = 100_000;
        await using var account = await StartAsync(partitions: 1);
        await CreateContainerAsync(account, throughput: 400);
        await Files.CreatePreloadIfAbsentAsync(1, new PreloadShare(0, RequestUnits.Zero), Cancellation);

        var running = RunFirstLegAsync(account, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = Many }, worker: 1);
        await UntilCreatedAsync(running, account, requestUnits: 0);
        await Files.SetStartAsync(new StartInstant(DateTimeOffset.UtcNow, Ready: 2), Cancellation);
        var (output, result) = await running;

        Assert.Equal(LegEnd.SliceDone, output.End);
        Assert.InRange(account.ReadLedger().Operations.Create.RequestUnits.Value, 0, Many);
        Assert.Equal((await Files.ReadPreloadAsync(1, Cancellation))!.RequestUnits, result.PreloadRequestUnits);
        Assert.Equal([1], await Files.ListPreloadedAsync(Cancellation));
    }

    /// <summary>Worker 0 sets the start, but it is busy with a copy that takes 12 minutes by its RU.</summary>
    [Fact]
    public async Task Run_MissingWorkerFinishesItsShareMeanwhile_EndsTheCopyAndStartsAll()
    {
        await using var account = await StartAsync(partitions: 1);
        await CreateContainerAsync(account, throughput: 400);
        await Files.CreatePreloadIfAbsentAsync(0, new PreloadShare(0, RequestUnits.Zero), Cancellation);

        var running = RunFirstLegAsync(account, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = 100_000 }, worker: 0);
        await UntilCreatedAsync(running, account, requestUnits: 0);
        await Files.CreatePreloadIfAbsentAsync(1, new PreloadShare(50_000, RequestUnits.From(1)), Cancellation);
        await Files.MarkReadyAsync(1, Cancellation);
        var (output, _) = await running;

        Assert.Equal(LegEnd.SliceDone, output.End);
        Assert.Equal(2, (await Files.ReadStartAsync(Cancellation))!.Ready);
    }

    /// <summary>A document of another worker's share that no account accepts does not keep this worker from starting.</summary>
    [Fact]
    public async Task Run_MissingShareCannotBeWritten_StartsWithoutIt()
    {
        var refused = new FaultRule { Operation = FaultOperation.Batch, Status = 413 };
        await using var account = await StartAsync(options: new AccountSettings { Faults = [refused] });
        await CreateContainerAsync(account);
        await Files.CreatePreloadIfAbsentAsync(1, new PreloadShare(0, RequestUnits.Zero), Cancellation);

        var (output, _) = await RunFirstLegAsync(account, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = Preloaded }, worker: 1);

        Assert.Equal((LegEnd.SliceDone, Documents / 2), (output.End, output.Counts.Failed));
        Assert.Equal([0, 1], await Files.ListPreloadedAsync(Cancellation));
    }

    private async Task<(LegOutput Output, LegResult Result)> RunFirstLegAsync(
        SimulatedAccount account, WorkloadSpec workload, int worker, int workers = 2)
    {
        var leg = Leg(Documents, workload);
        var slice = Slices.Cut(Documents, workers, unit: 1)[worker];
        leg = leg with
        {
            Leg = 1,
            Next = slice.First,
            Assignment = leg.Assignment with
            {
                Worker = worker,
                Workers = workers,
                Slice = slice,
                Preloads = true,
                StartTimeout = TimeSpan.FromSeconds(0.1),
            },
        };
        return (await RunAsync(account, leg), await ResultAsync(leg));
    }

    /// <summary>The SDK rounds the charge of each operation of a bulk response, which the account does not.</summary>
    private static void AssertSame(double inLedger, double measured) =>
        Assert.Equal(inLedger, measured, AccountLedger.RequestUnitTolerance * inLedger);
}
