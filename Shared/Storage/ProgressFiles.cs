using ScaleOut.Progress;

namespace ScaleOut.Storage;

/// <summary>
/// Reads and writes the newest progress of each worker of a run in the run store. The queue trigger writes it, and the status of the run is
/// made from it. Each measurement of a run has its own folder, so that late messages of an earlier one are not shown.
/// </summary>
public sealed class ProgressFiles(IRunStore store, string runId)
{
    private const string Prefix = "progress/";
    private const int MaxReadsAtOnce = 32;

    private readonly RunFiles _files = new(store, runId);

    /// <summary>
    /// Stores a message, unless the run has ended or there is a newer message of that worker. Returns whether it was stored.
    /// </summary>
    public async Task<bool> WriteIfNewerAsync(WorkerProgress message, CancellationToken cancellationToken)
    {
        // Messages are deleted when the run ends, so one that is stored later would stay for ever.
        if (await _files.ReadEndedAsync(cancellationToken) is not null)
            return false;
        var name = FolderOf(message.RunInstanceId) + message.Worker.ToString("D4", CultureInfo.InvariantCulture) + ".json";
        // The partitions are those of the current leg only, so no status shows them.
        var content = JsonSerializer.SerializeToUtf8Bytes(message with { Partitions = [] }, ScaleOutJson.Compact);
        // Race: two instances of the app store two messages of one worker at once. The newer one stays, whichever is written last.
        return await store.UpdateAsync(
            runId, name, known => known is not null && message.Order.CompareTo(Read(known)!.Order) <= 0 ? null : content,
            cancellationToken);
    }

    /// <summary>The newest message of each worker that sent one.</summary>
    /// <param name="runInstanceId">Instance id of the run's orchestration; null for the run's id.</param>
    public async Task<IReadOnlyList<WorkerProgress>> ReadAllAsync(string? runInstanceId, CancellationToken cancellationToken)
    {
        var names = await store.ListAsync(runId, FolderOf(runInstanceId), cancellationToken);
        var messages = new List<WorkerProgress?>(names.Count);
        foreach (var some in names.Chunk(MaxReadsAtOnce))
            messages.AddRange(await Task.WhenAll(some.Select(name => ReadAsync(name, cancellationToken))));
        return [.. messages.OfType<WorkerProgress>()];
    }

    /// <summary>
    /// The longest time since the run's start that a status has shown: the given one if it is longer, or the stored one. Instances of the
    /// app whose clocks differ share it, so that the time does not fall from one response to the next.
    /// </summary>
    /// <param name="runInstanceId">Instance id of the run's orchestration.</param>
    /// <param name="isOver">Whether the workers have ended. Then nothing is stored, because it could stay after the run's end.</param>
    public async Task<double> LongestShownAsync(string runInstanceId, double seconds, bool isOver, CancellationToken cancellationToken)
    {
        var name = FolderOf(runInstanceId).TrimEnd('/') + ".elapsed.json";
        var shown = await store.ReadAsync(runId, name, cancellationToken) is { } bytes
            ? JsonSerializer.Deserialize<double>(bytes, ScaleOutJson.Compact)
            : 0;
        if (seconds <= shown)
            return shown;
        if (!isOver)
            await store.WriteAsync(runId, name, JsonSerializer.SerializeToUtf8Bytes(seconds, ScaleOutJson.Compact), cancellationToken);
        return seconds;
    }

    public Task DeleteAsync(CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, name => name.StartsWith(Prefix, StringComparison.Ordinal), cancellationToken);

    /// <summary>Replaces the colons of instance ids, which not every file system permits in names.</summary>
    private string FolderOf(string? runInstanceId) => $"{Prefix}{(runInstanceId ?? runId).Replace(':', '_')}/";

    private async Task<WorkerProgress?> ReadAsync(string name, CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, name, cancellationToken) is { } bytes ? Read(bytes) : null;

    private static WorkerProgress? Read(byte[] message) => JsonSerializer.Deserialize<WorkerProgress>(message, ScaleOutJson.Compact);
}
