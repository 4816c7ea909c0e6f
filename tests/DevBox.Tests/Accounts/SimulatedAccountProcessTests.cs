namespace ScaleOut.Tests.DevBox.Accounts;

public sealed class SimulatedAccountProcessTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>Workers that opened their clients tried such an account for half an hour.</summary>
    [Fact]
    public async Task EndIfFrozen_ProcessIsStoppedByASignal_WarnsAndEndsItWithTheReason()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux says whether a process is stopped.");
        using var folder = new TemporaryFolder();
        var handshake = new AccountHandshakeRequest
        {
            Simulation = new SimulationSpec(), Seed = 1, LockFile = Path.Combine(folder.Path, "lock"),
        };
        var (process, _) = await SimulatedAccountProcess.StartAsync(
            handshake, "frozen", Path.Combine(folder.Path, "account.log"), operations: null, Cancellation);
        await using var account = process;
        var warnings = new List<string>();
        Assert.False(ProcessEnd.IsFrozen(process.Id));

        Assert.True(Signals.Send(process.Id, Signals.Freeze));
        await process.EndIfFrozenAsync(warnings.Add, warnAfter: 1, endAfter: 3);

        Assert.Equal(
            "the simulated account ended unexpectedly (it was stopped by a signal for 3 s)",
            await process.Ended.WaitAsync(TimeSpan.FromMinutes(1), Cancellation));
        Assert.Equal(
            $"the simulated account (process {process.Id}) was stopped by a signal 1 s ago; it is ended after 3 s",
            Assert.Single(warnings));
    }
}
