using ScaleOut.DevBox.Engine;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.DevBox.Engine;

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
}
