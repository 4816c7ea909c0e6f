namespace ScaleOut.Storage;

/// <summary>
/// Finds the runs whose own container may still exist and cost money. It leaves out runs that used a named container, keep their container
/// on purpose, or have deleted it.
/// </summary>
public static class LeftContainers
{
    private const int PageSize = 100;

    /// <summary>Reads the list of runs, newest first.</summary>
    /// <param name="since">Runs that were started earlier are left out, so that the work does not grow with the list.</param>
    public static async IAsyncEnumerable<LeftContainer> FindAsync(
        IRunCatalog catalog, IRunStore store, DateTimeOffset since, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var run in RunsSinceAsync(catalog, since, cancellationToken))
        {
            if (await TryLeftOfAsync(run, store, cancellationToken) is { } left)
                yield return left;
        }
    }

    /// <summary>The runs that were started since an instant, newest first.</summary>
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

    /// <summary>Null if the run's items are damaged.</summary>
    private static async Task<LeftContainer?> TryLeftOfAsync(RunListing run, IRunStore store, CancellationToken cancellationToken)
    {
        try
        {
            return await LeftOfAsync(run, new RunFiles(store, run.Id), cancellationToken);
        }
        catch (EvidenceException)
        {
            // It is not known whether to keep the container, so it is kept. Reading the run reports the damage.
            return null;
        }
    }

    /// <summary>The container that one run may have left; null if the run has no container to delete.</summary>
    public static async Task<LeftContainer?> LeftOfAsync(RunListing run, RunFiles files, CancellationToken cancellationToken)
    {
        if (await files.IsContainerGoneAsync(cancellationToken))
            return null;
        var prepared = await files.ReadPreparedAsync(cancellationToken);
        if (prepared is { Created: false })
            return null;
        // Without a spec it is not known whether to keep the container, so it is kept.
        if (await files.ReadClaimedAsync(cancellationToken) is not { Container: { Keep: false, Name: null } })
            return null;
        // A run that is resumed or measured again counts from that time, not from its place in the list.
        if (await files.ReadResumptionAsync(cancellationToken) is { } resumption)
            run = run with { StartedAt = resumption.At };
        return new LeftContainer(run, prepared, await files.FindEndedAsync(cancellationToken));
    }
}

/// <summary>A run whose own container may still exist.</summary>
/// <param name="Prepared">The container; null if the run did not store it, although it may have created one.</param>
/// <param name="Ended">When and how the run ended. Null if it has not ended, or never will because its orchestration is gone.</param>
public sealed record LeftContainer(RunListing Run, PreparedContainer? Prepared, RunEnded? Ended);
