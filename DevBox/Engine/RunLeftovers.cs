using ScaleOut.DevBox.Accounts;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Engine;

/// <summary>What an interrupted run left behind.</summary>
internal static class RunLeftovers
{
    /// <summary>Time that the workers of a killed program have to notice that it is gone, and to write their last.</summary>
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(1.5);

    /// <summary>Ends the run's simulated account and throws away what is in its folder but the lock, which the caller must hold.</summary>
    public static async Task DiscardAsync(RunFolder folder, RunFiles files)
    {
        try
        {
            if (await RunAccounts.FindAsync(folder, key: null, CancellationToken.None) is { } left)
                await left.EndAsync();
        }
        catch (InputException)
        {
            // Its simulated account is gone, as it should be.
        }

        if (await files.ReadReportAsync("report.json", CancellationToken.None) is null)
            await Task.Delay(LastWords);
        foreach (var inner in Directory.GetDirectories(folder.FullPath))
            Directory.Delete(inner, recursive: true);
        // The spec goes last: as long as it is there, what else is left is known to be a run's.
        foreach (var file in Directory.GetFiles(folder.FullPath).Where(file => file != folder.LockFile && file != folder.SpecFile))
            File.Delete(file);
        File.Delete(folder.SpecFile);
    }
}
