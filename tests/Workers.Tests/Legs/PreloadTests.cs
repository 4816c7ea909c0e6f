namespace ScaleOut.Tests.Workers.Legs;

/// <summary>A worker's own preload on the real SDK.</summary>
public sealed class PreloadTests : LegsOnAccount
{
    /// <summary>The preload takes 12 minutes by its RU.</summary>
    [Fact]
    public async Task Run_StoppedWhilePreloading_ReportsTheRequestUnitsSoFar()
    {
        await using var account = await StartAsync(partitions: 1);
        await CreateContainerAsync(account, throughput: 400);
        var leg = Leg(100_000, new WorkloadSpec { Kind = WorkloadKind.Read });
        leg = leg with { Leg = 1, Assignment = leg.Assignment with { Preloads = true } };

        var running = RunAsync(account, leg);
        await UntilCreatedAsync(running, account, requestUnits: 600);
        await Files.RequestStopAsync(Cancellation);
        var output = await running;

        var (result, ledger) = (await ResultAsync(leg), account.ReadLedger());
        Assert.Equal((LegEnd.Stopped, 0), (output.End, output.Counts.Attempts));
        var charged = ledger.Operations.Create.RequestUnits.Value + ledger.Operations.Create.ThrottledRequestUnits.Value;
        Assert.InRange(result.PreloadRequestUnits.Value, 1, charged * (1 + AccountLedger.RequestUnitTolerance));
        Assert.Equal(ledger.Operations.Read.RequestUnits.Value, result.OpeningRequestUnits.Value, precision: 3);
        Assert.Null(await Files.ReadPreloadAsync(0, Cancellation));
    }
}
