using System.Runtime.CompilerServices;

namespace ScaleOut.Storage;

/// <summary>
/// Finds the runs whose own container may still be there and cost money. Runs that used a named container, keep theirs on purpose, or are
/// known to have deleted it are not among them.
/// </summary>
public static class LeftContainers
{
    private const int PageSize = 100;

    /// <summary>Reads the list of runs, newest first.</summary>
    /// <param name="since">Runs that were started before this are left out, so that the work does not grow with the list.</param>
    public static async IAsyncEnumerable<LeftContainer> FindAsync(
        IRunCatalog catalog, IRunStore store, DateTimeOffset since, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var run in RunsSinceAsync(catalog, since, cancellationToken))
        {
            if (await TryLeftOfAsync(run, store, cancellationToken) is { } left)
                yield return left;
        }
    }

    /// <summary>The runs that were started since, newest first.</summary>
    public static async IAsyncEnumerable<RunListing> RunsSinceAsync(
        IRunCatalog catalog, DateTimeOffset since, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? continuation = null;
        do
        {
            var page = await catalog.ListAsync(continuation, PageSize, cancellationToken);
            foreach (var run in page.Runs)
            {
                if (run.StartedAt < since)
                    yield break;
                yield return run;
            }

            continuation = page.Continuation;
        }
        while (continuation is not null);
    }

    /// <summary>If a run's items are damaged, its container stays, because nobody knows whether it should. The other runs go on.</summary>
    private static async Task<LeftContainer?> TryLeftOfAsync(RunListing run, IRunStore store, CancellationToken cancellationToken)
    {
        try
        {
            return await LeftOfAsync(run, new RunFiles(store, run.Id), cancellationToken);
        }
        catch (EvidenceException)
        {
            return null;
        }
    }

    /// <summary>What one run may have left; null when there is nothing of its own to delete.</summary>
    public static async Task<LeftContainer?> LeftOfAsync(RunListing run, RunFiles files, CancellationToken cancellationToken)
    {
        if (await files.IsContainerGoneAsync(cancellationToken))
            return null;
        var prepared = await files.ReadPreparedAsync(cancellationToken);
        if (prepared is { Created: false })
            return null;
        // Without a valid spec nobody knows whether the container should stay, so it stays.
        if (await files.ReadClaimedAsync(cancellationToken) is not { Container: { Keep: false, Name: null } })
            return null;
        // A run that is measured again started then, whatever its place in the list.
        if (await files.ReadResumptionAsync(cancellationToken) is { } resumption)
            run = run with { StartedAt = resumption.At };
        return new LeftContainer(run, prepared, await files.FindEndedAsync(cancellationToken));
    }
}

/// <summary>A run whose own container may still be there.</summary>
/// <param name="Prepared">The container. Null if the run did not keep a note of it, though it may have created one.</param>
/// <param name="Ended">When and how the run ended. Null while it has not, or if it never will because its orchestration is gone.</param>
public sealed record LeftContainer(RunListing Run, PreparedContainer? Prepared, RunEnded? Ended)
{
    /// <summary>In this time a run that has ended cleans up by itself, and a user may look at what a lost orchestration has left.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromHours(1);

    /// <summary>Whether the container may be deleted: the run ended, or its orchestration was gone, <see cref="Grace"/> ago.</summary>
    /// <param name="instance">The run's orchestration; null when the engine does not know it.</param>
    public bool IsDue(EngineInstance? instance, DateTimeOffset now) => instance is not { IsAlive: true }
        && now - (Ended?.At ?? instance?.UpdatedAt ?? Run.StartedAt) >= Grace;
}
