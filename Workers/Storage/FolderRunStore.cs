using ScaleOut.Experiments;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// A run store in a folder: <c>{root}/{run id}/{name}</c>. Several processes may use it at once. Writes are durable
/// (<see cref="DurableFile"/>). Only the claim of an id creates the run's folder. If somebody deletes or moves it, later items are
/// rejected, because they would look like a run without its other items.
/// </summary>
public sealed class FolderRunStore(string root) : IRunStore
{
    /// <summary>
    /// More than the largest item, which is a report: about 5 bytes for each worker and second, so 430 MB for 1,000 workers over a day.
    /// </summary>
    private const long MaxItemBytes = 1L << 30;

    /// <exception cref="DirectoryNotFoundException">The run's folder is not there, and the item is no claim.</exception>
    public async Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var isClaim = name is RunFiles.SpecName or ExperimentFiles.SpecName;
        return await DurableFile.TryCreateAsync(PathOf(runId, name), content, cancellationToken, isClaim ? null : FolderOf(runId));
    }

    /// <exception cref="DirectoryNotFoundException">The run's folder is not there.</exception>
    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(PathOf(runId, name), content, cancellationToken, within: FolderOf(runId));

    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
    {
        try
        {
            var path = PathOf(runId, name);
            if (RegularFile.WhyTooLarge(path, MaxItemBytes) is { } reason)
                throw EvidenceException.Damaged($"{runId}/{name}", $"it {reason}");
            return await File.ReadAllBytesAsync(path, cancellationToken);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            // The item was not written.
            return null;
        }
    }

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken)
    {
        var runFolder = FolderOf(runId);
        var start = Path.Combine(runFolder, prefix[..(prefix.LastIndexOf('/') + 1)]);
        if (!Directory.Exists(start))
            return Task.FromResult<IReadOnlyList<string>>([]);

        IReadOnlyList<string> names =
        [
            .. Directory.EnumerateFiles(start, "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(runFolder, path).Replace(Path.DirectorySeparatorChar, '/'))
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal) && !DurableFile.IsTemporary(name))
                .Order(StringComparer.Ordinal),
        ];
        return Task.FromResult(names);
    }

    public async Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        List<string> paths = [.. (await ListAsync(runId, "", cancellationToken)).Where(isMeant).Select(name => PathOf(runId, name))];
        paths.ForEach(File.Delete);
        foreach (var folder in paths.Select(path => Path.GetDirectoryName(path)!).Distinct())
            DurableFile.FlushFolder(folder);
    }

    public string FolderOf(string runId) => Path.Combine(root, runId);

    private string PathOf(string runId, string name) => Path.Combine(FolderOf(runId), name);
}

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
