using ScaleOut.Workers.Containers;
using ScaleOut.Workers.Maintenance;

namespace ScaleOut.DevBox.Engine;

/// <summary>What an interrupted run left behind.</summary>
internal static class RunLeftovers
{
    /// <summary>Time that the workers of a killed program have to notice that it is gone, and to write their last.</summary>
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(1.5);

    /// <summary>
    /// Ends the run's simulated account, or deletes the container that it has left in another account, and throws away what is in its
    /// folder but the lock, which the caller must hold.
    /// </summary>
    /// <param name="folder">The run's.</param>
    /// <param name="files">The run's.</param>
    /// <param name="account">Where the run's documents went; null for a simulated account of its own.</param>
    /// <exception cref="AccountException">The container could not be deleted.</exception>
    public static async Task DiscardAsync(RunFolder folder, RunFiles files, AccountConnection? account)
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

        if (!await files.HasAsync(RunFiles.EndingName, CancellationToken.None))
            await Task.Delay(LastWords);
        if (account is not null)
            await DeleteContainerAsync(folder, files, account);
        foreach (var inner in Directory.GetDirectories(folder.FullPath))
            Directory.Delete(inner, recursive: true);
        // The spec goes last: as long as it is there, what else is left is known to be a run's.
        foreach (var file in Directory.GetFiles(folder.FullPath).Where(file => file != folder.LockFile && file != folder.SpecFile))
            File.Delete(file);
        DurableFile.FlushFolder(folder.FullPath);
        File.Delete(folder.SpecFile);
    }

    private static async Task DeleteContainerAsync(RunFolder folder, RunFiles files, AccountConnection account)
    {
        var listing = new RunListing(folder.RunId, Name: null, DateTimeOffset.UtcNow);
        if (await LeftContainers.LeftOfAsync(listing, files, CancellationToken.None) is not { } left)
            return;
        using var containers = new ContainerControl(account);
        if (!await LeftContainerRemoval.RemoveAsync(containers, new FolderRunStore(folder.RunsFolder), left, CancellationToken.None))
            throw new InputException(
                $"run '{folder.RunId}' may have created a container, and its account does not say whether: try again later.");
    }
}
