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
