using ScaleOut.Evidence;
using ScaleOut.Orchestration;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Accounts;

/// <summary>
/// A run's note, written before it creates its container, that the container of that name is its own. A container without the note is somebody else's;
/// after a crash between note and preparation the next attempt finds both and goes on with them.
/// </summary>
internal sealed class ContainerClaim(IRunStore store, string runId)
{
    private const string ItemName = "container-claim.json";

    private string Item => $"{runId}/{ItemName}";

    /// <summary>Whether an attempt of this run, this or an earlier one, has set out to create the container.</summary>
    public async Task<bool> IsHeldAsync(CancellationToken cancellationToken) =>
        await store.ReadAsync(runId, ItemName, cancellationToken) is { } content && StoredItem.Read<Note>(Item, content).Held;

    /// <summary>Notes that this run sets out to create the container.</summary>
    public Task HoldAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        WriteAsync(new Note(target.Database, target.Name, Held: true), cancellationToken);

    /// <summary>Notes that the container of that name is not, or no longer, this run's.</summary>
    public Task ReleaseAsync(ContainerTarget target, CancellationToken cancellationToken) =>
        WriteAsync(new Note(target.Database, target.Name, Held: false), cancellationToken);

    private Task WriteAsync(Note note, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, ItemName, StoredItem.Write(Item, note), cancellationToken);

    private sealed record Note(string Database, string Name, bool Held);
}
