using System.Collections.Concurrent;
using System.Text.Json;
using ScaleOut.Evidence;
using ScaleOut.Experiments;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// The list of runs and experiments over the folders of a <see cref="FolderRunStore"/>. One that was claimed and never added, as the
/// console's are, is listed too: with its spec's name, and the time at which its spec was written. It is read again only when something
/// came into its folder since.
/// </summary>
public sealed class FolderRunCatalog(string root) : IRunCatalog
{
    /// <summary>Time stamps of folders may be that coarse: what is newer may change again without another one.</summary>
    private static readonly TimeSpan StampGrain = TimeSpan.FromSeconds(2);

    private readonly FolderRunStore _store = new(root);
    private readonly ConcurrentDictionary<string, Entry> _known = new();

    /// <inheritdoc/>
    public Task AddAsync(RunListing run, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new RunFiles(_store, run.Id).KeepListingAsync(run, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<RunPage> ListAsync(
        string? continuation, int pageSize, Func<RunListing, bool>? where, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pageSize, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(pageSize, IRunCatalog.LargestPage);
        if (continuation is not null && RunListing.ReadSortKey(continuation) is null)
            throw new FormatException("The continuation is none that this list gave.");
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

    /// <summary>A run as it was read before, or is read now; null where there is none.</summary>
    private async Task<Entry?> FindAsync(DirectoryInfo folder, CancellationToken cancellationToken)
    {
        // Before it is read, so that what comes meanwhile is seen the next time.
        var changedAt = folder.LastWriteTimeUtc;
        if (_known.TryGetValue(folder.Name, out var known) && known.ChangedAt == changedAt)
            return known;
        if (await ReadAsync(folder.Name, cancellationToken) is not { } listing)
            return null;
        var entry = new Entry(listing, listing.SortKey, changedAt);
        if (DateTime.UtcNow - changedAt > StampGrain)
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
            // Damaged, or somebody's own file: the spec may still have it.
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

    /// <summary>A spec that cannot be read makes a run without a name; it does not fail the list.</summary>
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
            return null;
        }
    }

    private sealed record Entry(RunListing Listing, string SortKey, DateTime ChangedAt);
}
