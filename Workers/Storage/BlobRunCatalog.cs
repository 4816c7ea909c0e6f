using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// The list of runs as empty blobs <c>index/{sort key}</c>, whose names the service lists newest first (<see cref="RunListing.SortKey"/>).
/// The name of a run is in its blob's metadata, so that a page costs one call.
/// </summary>
/// <param name="container">The container of the <see cref="BlobRunStore"/>.</param>
public sealed class BlobRunCatalog(BlobContainerClient container) : IRunCatalog
{
    private const string Prefix = "index/";
    private const string NameKey = "name";
    private const string KindKey = "kind";
    private const string Experiment = "experiment";
    private const string ExperimentKey = "experimentid";

    private readonly BlobRunStore _store = new(container);

    public async Task AddAsync(RunListing run, CancellationToken cancellationToken)
    {
        // The run's own item keeps the first start time, so that a repeated call with another time does not list the run twice.
        var kept = await new RunFiles(_store, run.Id).CreateListingIfAbsentAsync(run, cancellationToken);
        var metadata = new Dictionary<string, string>();
        if (kept.Name is { Length: > 0 } name)
            metadata[NameKey] = Uri.EscapeDataString(name);
        if (kept.IsExperiment)
            metadata[KindKey] = Experiment;
        if (kept.Experiment is { } experiment)
            metadata[ExperimentKey] = experiment;
        await _store.TryCreateBlobAsync(Prefix + kept.SortKey, ReadOnlyMemory<byte>.Empty, metadata, cancellationToken);
    }

    public async Task<RunPage> ListAsync(
        string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pageSize, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(pageSize, IRunCatalog.MaxPageSize);
        try
        {
            var pages = container.GetBlobsAsync(BlobTraits.Metadata, BlobStates.None, Prefix, cancellationToken)
                .AsPages(continuation, pageSize);
            await foreach (var page in pages.WithCancellation(cancellationToken))
            {
                var listed = page.Values.Select(ListingOf).OfType<RunListing>().Where(run => where?.Invoke(run) != false);
                return new RunPage([.. listed], page.ContinuationToken is { Length: > 0 } next ? next : null);
            }
        }
        catch (RequestFailedException e) when (e.ErrorCode == BlobErrorCode.ContainerNotFound)
        {
            // No run was ever listed.
        }
        catch (RequestFailedException e) when (e.Status == 400 && continuation is not null)
        {
            throw new FormatException("The continuation does not come from this list.", e);
        }

        return new RunPage([], Continuation: null);
    }

    private static RunListing? ListingOf(BlobItem blob) => RunListing.ReadSortKey(blob.Name[Prefix.Length..]) is { } key
        ? new RunListing(key.Id, blob.Metadata.TryGetValue(NameKey, out var name) ? Uri.UnescapeDataString(name) : null, key.StartedAt)
        {
            IsExperiment = blob.Metadata.TryGetValue(KindKey, out var kind) && kind == Experiment,
            Experiment = blob.Metadata.TryGetValue(ExperimentKey, out var experiment) ? experiment : null,
        }
        : null;
}
