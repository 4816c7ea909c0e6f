using ScaleOut.Evidence;

namespace ScaleOut.Storage;

/// <summary>
/// What a run's report is about to be made from, kept for the case that making it fails: whoever goes on then needs not be given it again.
/// </summary>
public sealed class ReportInput(IRunStore store, string runId)
{
    private const string Name = "input-of-report.json";

    private string Item => $"{runId}/{Name}";

    public Task KeepAsync(RunEnding ending, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, Name, StoredItem.Write(Item, ending), cancellationToken);

    /// <summary>Null when none is kept.</summary>
    public async Task<RunEnding?> ReadAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, Name, cancellationToken) is { } content ? StoredItem.Read<RunEnding>(Item, content) : null;

    public Task DeleteAsync(CancellationToken cancellationToken) => store.DeleteAsync(runId, name => name == Name, cancellationToken);
}
