namespace ScaleOut.Orchestrator.Experiments;

/// <summary>
/// The run store as the preparation of a run that is measured again sees it: the run has no container yet. What its earlier measurement
/// kept is discarded when the new container is ready, and not before.
/// </summary>
internal sealed class RemeasuredRunStore(IRunStore store) : IRunStore
{
    public async Task<bool> TryCreateAsync(
        string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (name == RunFiles.PreparedName)
            await new RunFiles(store, runId).DiscardAsync(cancellationToken, except: ContainerClaim.ItemName);
        return await store.TryCreateAsync(runId, name, content, cancellationToken);
    }

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        store.WriteAsync(runId, name, content, cancellationToken);

    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
        name == RunFiles.PreparedName ? null : await store.ReadAsync(runId, name, cancellationToken);

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
        store.ListAsync(runId, prefix, cancellationToken);

    public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
        store.DeleteAsync(runId, isMeant, cancellationToken);
}
