using System.Runtime.CompilerServices;

namespace ScaleOut.Storage;

/// <summary>
/// Finds the runs whose own container may still be there and cost money. Runs that used a named container, that keep theirs on purpose, or
/// whose container is known to be gone are not among them. Whether a run that has not ended is still at work only its engine knows.
/// </summary>
public static class LeftContainers
{
    private const int PageSize = 100;

    /// <summary>Walks the list of runs, newest first.</summary>
    /// <param name="store">The runs' items.</param>
    /// <param name="since">Runs that were started before this are not looked at, so that the walk does not grow with the list.</param>
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
            var page = await catalog.ListAsync(continuation, PageSize, where: null, cancellationToken);
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

    /// <summary>
    /// Of a run whose items cannot be used nobody knows whether its container is to stay, so it stays. The others are not to wait for it.
    /// </summary>
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
        // Without a spec that can be read nobody knows whether the container is to stay, so it stays.
        if (await files.ReadClaimedAsync(cancellationToken) is not { Container: { Keep: false, Name: null } })
            return null;
        // One that is measured again began then, however old its place in the list is.
        if (await files.ReadResumptionAsync(cancellationToken) is { } resumption)
            run = run with { StartedAt = resumption.At };
        return new LeftContainer(run, prepared, await files.FindEndedAsync(cancellationToken));
    }
}

/// <summary>A run whose own container may still be there.</summary>
/// <param name="Run">The run.</param>
/// <param name="Prepared">Its container; null when the run did not get as far as to keep it, though it may have created one.</param>
/// <param name="Ended">When and how the run ended; null while it has not, or when it never will because its orchestration is gone.</param>
public sealed record LeftContainer(RunListing Run, PreparedContainer? Prepared, RunEnded? Ended);
