using System.Runtime.CompilerServices;
using System.Text;
using ScaleOut.Specs;

namespace ScaleOut.Storage;

/// <summary>
/// Finds the runs whose own container may still be there and cost money. Runs that used a named container, that keep theirs on purpose, or whose container is
/// known to be gone are not among them. Whether a run that has not ended is still at work only its engine can tell.
/// </summary>
public static class LeftContainers
{
    private const int PageSize = 100;

    /// <summary>Walks the list of runs, newest first.</summary>
    /// <param name="catalog">The list.</param>
    /// <param name="store">The runs' items.</param>
    /// <param name="since">Runs that were started before this are not looked at, so that the walk does not grow with the list.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public static async IAsyncEnumerable<LeftContainer> FindAsync(
        IRunCatalog catalog, IRunStore store, DateTimeOffset since, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        ArgumentNullException.ThrowIfNull(store);
        string? continuation = null;
        do
        {
            var page = await catalog.ListAsync(continuation, PageSize, cancellationToken);
            foreach (var run in page.Runs)
            {
                if (run.StartedAt < since)
                    yield break;
                if (await LeftOfAsync(run, new RunFiles(store, run.Id), cancellationToken) is { } left)
                    yield return left;
            }

            continuation = page.Continuation;
        }
        while (continuation is not null);
    }

    private static async Task<LeftContainer?> LeftOfAsync(RunListing run, RunFiles files, CancellationToken cancellationToken)
    {
        if (await files.IsContainerGoneAsync(cancellationToken))
            return null;
        var prepared = await files.ReadPreparedAsync(cancellationToken);
        if (prepared is { Created: false })
            return null;
        // Without a spec that can be read nobody knows whether the container is to stay, so it stays.
        var spec = await files.ReadSpecAsync(cancellationToken) is { } json ? RunSpecReader.Read(Encoding.UTF8.GetString(json)).Spec : null;
        return spec is { Container: { Keep: false, Name: null } } ? new LeftContainer(run, prepared, await files.ReadEndedAsync(cancellationToken)) : null;
    }
}
