namespace ScaleOut.Tests.EndToEnd;

/// <summary>A start that may write nothing, and another one once it may.</summary>
public sealed class ForbiddenStartTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Run_FirstStartMayNotWrite_CanStartLater()
    {
        using var folder = new TemporaryFolder();
        var (store, spec) = (new FolderRunStore(folder.Path), new RunSpec { Id = "late", Documents = 100, Workers = 2 });
        var files = new RunFiles(store, spec.Id!);
        await files.TryClaimAsync(spec, Cancellation);
        await using var forbids = await StartAsync(new FaultRule { Operation = FaultOperation.Create, Status = 403 });
        await using var allows = await StartAsync();

        var first = await new InProcessRun(forbids.Connection(), store).RunAsync(spec, Cancellation);
        var left = await RemainingWorkReader.ReadAsync(files, Cancellation);
        await files.WithdrawEndedAsync(Cancellation);
        var second = await new InProcessRun(allows.Connection(), store).RunAsync(spec, Cancellation);

        Assert.Equal((RunState.Failed, false, RemainingWork.Documents), (first.State, first.NothingChanged, left));
        Assert.Contains("403", first.Reasons[0], StringComparison.Ordinal);
        Assert.True(second.State == RunState.Complete, string.Join("; ", second.Reasons));
        Assert.Equal(100, allows.ReadLedger().Documents.Created);
        Assert.Equal(RemainingWork.None, await RemainingWorkReader.ReadAsync(files, Cancellation));
    }

    private static Task<SimulatedAccount> StartAsync(params FaultRule[] rules) =>
        SimulatedAccount.StartAsync(new AccountSettings { Latency = LatencyProfile.None, Faults = [.. rules] }, Cancellation);
}
