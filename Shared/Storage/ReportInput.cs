namespace ScaleOut.Storage;

/// <summary>
/// Stores the input of a run's report before the report is made. If making it fails, the retry reads the input from here, so that the
/// orchestration does not have to send it again.
/// </summary>
public sealed class ReportInput(IRunStore store, string runId)
{
    private const string Name = "input-of-report.json";

    private string Item => $"{runId}/{Name}";

    public Task WriteAsync(RunEnding ending, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, Name, StoredItem.Write(Item, ending), cancellationToken);

    /// <summary>Null if no input is stored.</summary>
    public async Task<RunEnding?> ReadAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, Name, cancellationToken) is { } content ? StoredItem.Read<RunEnding>(Item, content) : null;

    public Task DeleteAsync(CancellationToken cancellationToken) => store.DeleteAsync(runId, name => name == Name, cancellationToken);
}
