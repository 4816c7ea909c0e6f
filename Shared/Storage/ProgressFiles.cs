using ScaleOut.Progress;

namespace ScaleOut.Storage;

/// <summary>
/// The newest progress of each worker of a run, as items of the run store. The queue trigger writes them and whoever watches the run reads
/// them, so that no instance with a worker on it has work with progress. Each measurement of a run has a folder of its own: what a former
/// one sends late is not shown in the next.
/// </summary>
public sealed class ProgressFiles(IRunStore store, string runId)
{
    private const string Prefix = "progress/";

    private readonly RunFiles _files = new(store, runId);

    /// <summary>Keeps a message, unless the run has ended or a newer message of that worker is there.</summary>
    /// <returns>Whether it was kept.</returns>
    public async Task<bool> KeepAsync(WorkerProgress message, CancellationToken cancellationToken)
    {
        // What comes after the report would stay for ever.
        if (await _files.ReadEndedAsync(cancellationToken) is not null)
            return false;
        var name = FolderOf(message.RunInstanceId) + message.Worker.ToString("D4", CultureInfo.InvariantCulture) + ".json";
        if (await ReadAsync(name, cancellationToken) is { } known && message.Order.CompareTo(known.Order) <= 0)
            return false;
        // The partitions are those of the current leg alone, so no status shows them.
        var content = JsonSerializer.SerializeToUtf8Bytes(message with { Partitions = [] }, ScaleOutJson.Compact);
        await store.WriteAsync(runId, name, content, cancellationToken);
        return true;
    }

    /// <summary>The newest message of each worker that sent one.</summary>
    /// <param name="runInstanceId">Instance id of the run's orchestration; null for the run's id.</param>
    public async Task<IReadOnlyList<WorkerProgress>> ReadAllAsync(string? runInstanceId, CancellationToken cancellationToken)
    {
        var names = await store.ListAsync(runId, FolderOf(runInstanceId), cancellationToken);
        var messages = await Task.WhenAll(names.Select(name => ReadAsync(name, cancellationToken)));
        return [.. messages.OfType<WorkerProgress>()];
    }

    /// <summary>Deletes all of it, once the report says more.</summary>
    public Task DeleteAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, name => name.StartsWith(Prefix, StringComparison.Ordinal), cancellationToken);

    /// <summary>A colon, which separates the parts of an instance id, is no part of a file's name everywhere.</summary>
    private string FolderOf(string? runInstanceId) => $"{Prefix}{(runInstanceId ?? runId).Replace(':', '_')}/";

    private async Task<WorkerProgress?> ReadAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is { } bytes
            ? JsonSerializer.Deserialize<WorkerProgress>(bytes, ScaleOutJson.Compact)
            : null;
}
