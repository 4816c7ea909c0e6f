using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Maintenance;

/// <summary>Deletes the container that one run has left.</summary>
public static class LeftContainerRemoval
{
    /// <summary>Deletes it, and notes that it is gone.</summary>
    /// <param name="containers">Control of the account's containers.</param>
    /// <param name="store">The run's items.</param>
    /// <param name="left">Found by <see cref="LeftContainers"/>.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>False when the run may have begun to create one, and the account could not be asked.</returns>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    public static async Task<bool> RemoveAsync(IContainerControl containers, IRunStore store, LeftContainer left, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(containers);
        ArgumentNullException.ThrowIfNull(left);
        var files = new RunFiles(store, left.Run.Id);
        if (left.Prepared is { } prepared)
            await containers.CleanUpAsync(prepared, cancellationToken);
        else if (await files.ReadClaimedAsync(cancellationToken) is not { } spec || !await containers.GiveUpAsync(spec, store, cancellationToken))
            return false;
        await files.MarkContainerGoneAsync(cancellationToken);
        return true;
    }
}
