namespace ScaleOut.Tests.Workers.Legs;

/// <summary>Preloads of two workers on the real SDK, of which one is missing at the start.</summary>
public sealed class PreloadTests : LegsOnAccount
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
        Assert.Equal(account.ReadLedger().Operations.Create.RequestUnits, result.PreloadRequestUnits, precision: 3);
        Assert.Equal([1], await Files.ListPreloadedAsync(Cancellation));

        // The missing worker finds its documents, and reports only the RU that it used itself.
        var (late, ofLate) = await RunFirstLegAsync(account, workload, worker: 0);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (late.End, late.Counts.Inserted, late.Counts.Failed));
        Assert.Equal(
            account.ReadLedger().Operations.Create.RequestUnits, result.PreloadRequestUnits + ofLate.PreloadRequestUnits, precision: 3);
        Assert.Equal(Preloaded, Assert.Single(account.ReadLedger().Containers).Partitions.Sum(partition => partition.Documents));
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
        Assert.Equal(Documents * 2 / 3, Assert.Single(account.ReadLedger().Containers).Partitions.Sum(partition => partition.Documents));

        var (late, _) = await RunFirstLegAsync(account, workload, worker: 0);

        Assert.Equal((LegEnd.SliceDone, Documents / 2, 0), (late.End, late.Counts.Inserted, late.Counts.Failed));
        Assert.Equal(Documents * 2 / 3, Assert.Single(account.ReadLedger().Containers).Partitions.Sum(partition => partition.Documents));
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
        Assert.Equal(0, Assert.Single(account.ReadLedger().Containers).Partitions.Sum(partition => partition.Documents));
    }

    private async Task<(LegOutput Output, LegResult Result)> RunFirstLegAsync(SimulatedAccount account, WorkloadSpec workload, int worker)
    {
        var leg = Leg(Documents, workload);
        var slice = Slices.Cut(Documents, 2, unit: 1)[worker];
        leg = leg with
        {
            Leg = 1,
            Next = slice.First,
            Assignment = leg.Assignment with
            {
                Worker = worker, Workers = 2, Slice = slice, Preloads = true, StartTimeout = TimeSpan.FromSeconds(0.1),
            },
        };
        return (await RunAsync(account, leg), await ResultAsync(leg));
    }
}
