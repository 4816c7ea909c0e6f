namespace ScaleOut.Tests.DevBox.Orchestration;

public class RunLeftoversTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task DiscardAsync_LockHeld_LeavesTheLockAndNothingElse()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "mine");
        var files = new RunFiles(new FolderRunStore(temporary.Path), "mine");
        await files.TryClaimAsync(new RunSpec { Id = "mine" }, Cancellation);
        await files.MarkReadyAsync(0, Cancellation);
        await files.WriteReportAsync("report.json", "{}"u8.ToArray(), Cancellation);
        using var held = RunLock.TryTake(folder);

        await RunLeftovers.DiscardAsync(folder, files, account: null);

        Assert.Equal([folder.LockFile], Directory.GetFileSystemEntries(folder.FullPath));
        Assert.Null(RunLock.TryTake(folder));
    }

    /// <summary>
    /// The program was killed during a run on an account that it did not start. The container must not stay, nor prevent the next run with
    /// that id.
    /// </summary>
    [Fact]
    public async Task DiscardAsync_ContainerInAnotherAccount_DeletesIt()
    {
        await using var simulated = await SimulatedAccount.StartAsync(
            new AccountSettings { Latency = LatencyProfile.None }, Cancellation);
        var account = simulated.Connection() with { Simulated = false };
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "mine");
        var store = new FolderRunStore(temporary.Path);
        var files = new RunFiles(store, "mine");
        var spec = new RunSpec { Id = "mine" };
        await files.TryClaimAsync(spec, Cancellation);
        using var containers = new ContainerControl(account);
        Assert.NotNull((await containers.PrepareAsync(spec, store, Cancellation)).Container);
        using var held = RunLock.TryTake(folder);

        await RunLeftovers.DiscardAsync(folder, files, account);

        Assert.True(Assert.Single(simulated.ReadLedger().Containers).Deleted);
        Assert.Equal([folder.LockFile], Directory.GetFileSystemEntries(folder.FullPath));
        Assert.NotNull((await containers.PrepareAsync(spec, store, Cancellation)).Container);
    }
}
