namespace ScaleOut.Workers.Maintenance;

/// <summary>
/// Deletes containers that are left because a run was ended by hand, or because the app was down. It deletes only containers that a run of
/// the list created.
/// </summary>
/// <param name="open">Opens control of the account's containers.</param>
public sealed class LeftContainerSweep(IRunCatalog catalog, IRunStore store, Func<IContainerControl> open, TimeProvider time)
{
    /// <summary>Runs that are older are left out.</summary>
    public static readonly TimeSpan Horizon = TimeSpan.FromDays(30);

    /// <summary>Time for a run that has ended to clean up by itself, and for a user to look at the container of a lost run.</summary>
    private static readonly TimeSpan Grace = TimeSpan.FromHours(1);

    /// <summary>Checks the list once. Returns a line for each container that was deleted or could not be.</summary>
    /// <param name="findInstanceAsync">Finds a run's orchestration in the engine; null if it knows none.</param>
    public async Task<IReadOnlyList<string>> RunAsync(
        Func<string, CancellationToken, Task<EngineInstance?>> findInstanceAsync, CancellationToken cancellationToken)
    {
        var lines = new List<string>();
        using var containers = open();
        var now = time.GetUtcNow();
        await foreach (var left in LeftContainers.FindAsync(catalog, store, now - Horizon, cancellationToken))
        {
            if (IsDue(left, await findInstanceAsync(left.Run.Id, cancellationToken), now))
                lines.Add(await DeleteAsync(containers, left, cancellationToken));
        }

        return lines;
    }

    /// <summary>
    /// Whether a container may be deleted, because the run or its orchestration ended at least <see cref="Grace"/> ago.
    /// </summary>
    /// <param name="instance">The run's orchestration; null if the engine does not know it.</param>
    internal static bool IsDue(LeftContainer left, EngineInstance? instance, DateTimeOffset now) => instance is not { IsAlive: true }
        && now - (left.Ended?.At ?? instance?.UpdatedAt ?? left.Run.StartedAt) >= Grace;

    private async Task<string> DeleteAsync(IContainerControl containers, LeftContainer left, CancellationToken cancellationToken)
    {
        var id = left.Run.Id;
        try
        {
            return await LeftContainerRemoval.RemoveAsync(containers, store, left, cancellationToken)
                ? $"run {id}: no container of its own is left"
                : $"run {id}: whether it left a container could not be checked; this is checked again";
        }
        catch (AccountException e)
        {
            return $"run {id}: {e.Message}";
        }
    }
}

/// <summary>Deletes the container that one run has left.</summary>
public static class LeftContainerRemoval
{
    /// <summary>
    /// Deletes the container, and notes that it is gone. Returns false if the run may have begun to create one and the account could not be
    /// queried.
    /// </summary>
    /// <exception cref="AccountException">The container could not be deleted.</exception>
    public static async Task<bool> RemoveAsync(
        IContainerControl containers, IRunStore store, LeftContainer left, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, left.Run.Id);
        if (left.Prepared is { } prepared)
            await containers.CleanUpAsync(prepared, cancellationToken);
        else if (await files.ReadClaimedAsync(cancellationToken) is not { } spec
            || !await containers.GiveUpAsync(spec, store, cancellationToken))
            return false;
        await files.MarkContainerGoneAsync(cancellationToken);
        return true;
    }
}
