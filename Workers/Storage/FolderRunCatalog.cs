using ScaleOut.Experiments;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// The list of runs and experiments over the folders of a <see cref="FolderRunStore"/>. A run that was claimed but never added, such as a
/// run of the console, is listed too. Its name is that in the spec, and its start is the time at which the spec was written. A folder is
/// read again only when something in it changed.
/// </summary>
public sealed class FolderRunCatalog(string root, TimeProvider? time = null) : IRunCatalog
{
    /// <summary>
    /// Resolution of a folder's timestamp. A folder that was changed more recently is not cached, because its next change may have the same
    /// timestamp.
    /// </summary>
    private static readonly TimeSpan TimestampResolution = TimeSpan.FromSeconds(2);

    private readonly FolderRunStore _store = new(root);
    private readonly ConcurrentDictionary<string, Entry> _known = new();

    public Task AddAsync(RunListing run, CancellationToken cancellationToken) =>
        new RunFiles(_store, run.Id).CreateListingIfAbsentAsync(run, cancellationToken);

    public async Task<RunPage> ListAsync(
        string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pageSize, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(pageSize, IRunCatalog.MaxPageSize);
        if (continuation is not null && RunListing.ReadSortKey(continuation) is null)
            throw new FormatException("The continuation does not come from this list.");
        if (!Directory.Exists(root))
            return new RunPage([], Continuation: null);

        var runs = new List<Entry>();
        foreach (var folder in new DirectoryInfo(root).EnumerateDirectories())
        {
            if (await FindAsync(folder, cancellationToken) is { } run
                && string.CompareOrdinal(run.SortKey, continuation) > 0
                && where?.Invoke(run.Listing) != false)
                runs.Add(run);
        }

        var page = runs.OrderBy(run => run.SortKey, StringComparer.Ordinal).Take(pageSize).ToList();
        return new RunPage([.. page.Select(run => run.Listing)], page.Count < runs.Count ? page[^1].SortKey : null);
    }

    /// <summary>A run as read before, or, if its folder changed, as read now; null if the folder is not a run's.</summary>
    private async Task<Entry?> FindAsync(DirectoryInfo folder, CancellationToken cancellationToken)
    {
        // Read before the content, so that a change meanwhile is seen the next time.
        var changedAt = folder.LastWriteTimeUtc;
        if (_known.TryGetValue(folder.Name, out var known) && known.ChangedAt == changedAt)
            return known;
        if (await ReadAsync(folder.Name, cancellationToken) is not { } listing)
            return null;
        var entry = new Entry(listing, listing.SortKey, changedAt);
        if ((time ?? TimeProvider.System).GetUtcNow().UtcDateTime - changedAt > TimestampResolution)
            _known[folder.Name] = entry;
        return entry;
    }

    private async Task<RunListing?> ReadAsync(string runId, CancellationToken cancellationToken)
    {
        try
        {
            if (await new RunFiles(_store, runId).ReadListingAsync(cancellationToken) is { } listed)
                return listed;
        }
        catch (EvidenceException)
        {
            // The item is damaged or somebody's own file. The spec may still have the name.
        }

        foreach (var name in (string[])[RunFiles.SpecName, ExperimentFiles.SpecName])
        {
            var spec = new FileInfo(Path.Combine(_store.FolderOf(runId), name));
            if (spec.Exists)
            {
                var startedAt = new DateTimeOffset(spec.LastWriteTimeUtc, TimeSpan.Zero);
                return new RunListing(runId, await NameInAsync(spec, cancellationToken), startedAt)
                {
                    IsExperiment = name == ExperimentFiles.SpecName,
                };
            }
        }

        return null;
    }

    /// <summary>Null if the spec cannot be read.</summary>
    private static async Task<string?> NameInAsync(FileInfo spec, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = spec.OpenRead();
            using var document = await JsonDocument.ParseAsync(stream, cancellationToken: cancellationToken);
            return document.RootElement.ValueKind == JsonValueKind.Object
                && document.RootElement.TryGetProperty("name", out var name) && name.ValueKind == JsonValueKind.String
                ? name.GetString()
                : null;
        }
        catch (Exception e) when (e is JsonException or IOException or UnauthorizedAccessException)
        {
            // One run must not fail the list; it is shown without a name.
            return null;
        }
    }

    private sealed record Entry(RunListing Listing, string SortKey, DateTime ChangedAt);
}
