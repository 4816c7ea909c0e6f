using ScaleOut.Storage;

namespace ScaleOut.Workers.Storage;

/// <summary>A run store in a folder: <c>{root}/{run id}/{name}</c>. Several processes may use it at once.</summary>
public sealed class FolderRunStore(string root) : IRunStore
{
    private const string TemporaryMark = ".tmp-";

    /// <inheritdoc/>
    public async Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var path = PathOf(runId, name);
        if (File.Exists(path))
            return false;

        var temporary = await WriteTemporaryAsync(path, content, cancellationToken);
        try
        {
            return NewFile.TryPublish(temporary, path);
        }
        finally
        {
            File.Delete(temporary);
        }
    }

    /// <inheritdoc/>
    public async Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var path = PathOf(runId, name);
        File.Move(await WriteTemporaryAsync(path, content, cancellationToken), path, overwrite: true);
    }

    /// <inheritdoc/>
    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
    {
        try
        {
            return await File.ReadAllBytesAsync(PathOf(runId, name), cancellationToken);
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
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal) && !name.Contains(TemporaryMark, StringComparison.Ordinal))
                .Order(StringComparer.Ordinal),
        ];
        return Task.FromResult(names);
    }

    /// <inheritdoc/>
    public async Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        foreach (var name in (await ListAsync(runId, "", cancellationToken)).Where(isMeant))
            File.Delete(PathOf(runId, name));
    }

    /// <summary>The folder of a run.</summary>
    public string FolderOf(string runId) => Path.Combine(root, runId);

    private static async Task<string> WriteTemporaryAsync(string path, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        var temporary = $"{path}{TemporaryMark}{Guid.NewGuid():N}";
        await using var stream = new FileStream(temporary, FileMode.CreateNew, FileAccess.Write, FileShare.None);
        await stream.WriteAsync(content, cancellationToken);
        return temporary;
    }

    private string PathOf(string runId, string name) => Path.Combine(FolderOf(runId), name);
}
