using ScaleOut.Evidence;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Storage;

/// <summary>
/// A run store in a folder: <c>{root}/{run id}/{name}</c>. Several processes may use it at once. What was written is on disk when the call
/// returns (<see cref="DurableFile"/>).
/// </summary>
public sealed class FolderRunStore(string root) : IRunStore
{
    /// <summary>Far more than the largest item, a report of 1,000 workers over a day.</summary>
    private const long MaxItemBytes = 256L << 20;

    /// <inheritdoc/>
    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        DurableFile.TryCreateAsync(PathOf(runId, name), content, cancellationToken);

    /// <inheritdoc/>
    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(PathOf(runId, name), content, cancellationToken);

    /// <inheritdoc/>
    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
    {
        try
        {
            var path = PathOf(runId, name);
            if (RegularFile.LengthOf(path) > MaxItemBytes)
                throw EvidenceException.Damaged($"{runId}/{name}", $"it is larger than {MaxItemBytes >> 20} MiB");
            return await File.ReadAllBytesAsync(path, cancellationToken);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public async Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        List<string> paths = [.. (await ListAsync(runId, "", cancellationToken)).Where(isMeant).Select(name => PathOf(runId, name))];
        paths.ForEach(File.Delete);
        foreach (var folder in paths.Select(path => Path.GetDirectoryName(path)!).Distinct())
            DurableFile.FlushFolder(folder);
    }

    /// <summary>The folder of a run.</summary>
    public string FolderOf(string runId) => Path.Combine(root, runId);

    private string PathOf(string runId, string name) => Path.Combine(FolderOf(runId), name);
}
