namespace ScaleOut.Tests.EndToEnd;

/// <summary>Runs whose folders somebody deletes or moves while they go on.</summary>
public sealed class GoneFolderTests : ProgramInFolder
{
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_FolderDeletedOrMovedWhileItWorks_EndsWithinSecondsAndSaysSo(bool moved)
    {
        using var run = Start(Endless("gone", workers: 2));
        await Until.HoldsAsync(() => File.Exists(In("runs", "gone", "start.json")), "the common start");

        await RemoveAsync(moved);
        await run.WaitAsync();

        AssertEnded(run, exitCode: 1);
        Assert.Contains("'gone' ends without a report: its folder ", run.Errors, StringComparison.Ordinal);
        Assert.Contains("was deleted or moved while it ran", run.Errors, StringComparison.Ordinal);
        Assert.Empty(RunProcesses.Workers(Folder, "gone"));
        Assert.Null(RunProcesses.Account(Folder, "gone"));
        Assert.False(Directory.Exists(In("runs", "gone")), "The folder was made again.");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_FolderDeletedBeforeTheCommonStart_DoesNotWaitForIt()
    {
        using var run = Start(Endless("early", workers: 2));
        await Until.HoldsAsync(() => Directory.Exists(In("runs", "early", "ready")), "the first ready mark");

        Directory.Move(In("runs", "early"), In("elsewhere"));
        await run.WaitAsync();

        AssertEnded(run, exitCode: 1);
        Assert.Contains("was deleted or moved while it ran", run.Errors, StringComparison.Ordinal);
    }

    /// <summary>Items are written meanwhile, so that one call may not delete all of them.</summary>
    private async Task RemoveAsync(bool moved)
    {
        if (moved)
        {
            Directory.Move(In("runs", "gone"), In("elsewhere"));
            return;
        }

        File.Delete(In("runs", "gone", "spec.json"));
        await Until.HoldsAsync(
            () =>
            {
                try
                {
                    Directory.Delete(In("runs", "gone"), recursive: true);
                }
                catch (IOException)
                {
                    // Somebody has written an item meanwhile.
                }

                return !Directory.Exists(In("runs", "gone"));
            },
            "the end of the folder");
    }
}
