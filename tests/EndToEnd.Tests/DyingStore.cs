namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// A run store whose program dies at the first write of an item. From then on no call returns, neither with a result nor with an
/// exception, so the program runs no error handler and no clean-up.
/// </summary>
/// <param name="store">Keeps what the program leaves behind.</param>
/// <param name="diesAt">The program dies at the first write of this item. A deletion counts as one item. Default: never.</param>
/// <param name="written">Whether the program dies after that write instead of before it.</param>
internal sealed class DyingStore(IRunStore store, string? diesAt = null, bool written = false) : IRunStore
{
    private const string Deletion = "a deletion";

    private readonly TaskCompletionSource _died = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentQueue<string> _items = new();

    /// <summary>Completes when the program dies.</summary>
    public Task Died => _died.Task;

    /// <summary>The items that were written so far, without repetition.</summary>
    public IReadOnlyList<string> Items => [.. _items.Distinct()];

    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        WriteAsync(name, () => store.TryCreateAsync(runId, name, content, CancellationToken.None));

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        WriteAsync(name, async () =>
        {
            await store.WriteAsync(runId, name, content, CancellationToken.None);
            return true;
        });

    public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
        WriteAsync(Deletion, async () =>
        {
            await store.DeleteAsync(runId, isMeant, CancellationToken.None);
            return true;
        });

    public Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
        LivingAsync(() => store.ReadAsync(runId, name, CancellationToken.None));

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
        LivingAsync(() => store.ListAsync(runId, prefix, CancellationToken.None));

    private async Task<T> WriteAsync<T>(string name, Func<Task<T>> writeAsync)
    {
        if (name == diesAt && !written)
            _died.TrySetResult();
        var result = await LivingAsync(writeAsync);
        _items.Enqueue(name);
        if (name == diesAt)
            _died.TrySetResult();
        return await LivingAsync(() => Task.FromResult(result));
    }

    private async Task<T> LivingAsync<T>(Func<Task<T>> callAsync)
    {
        if (_died.Task.IsCompleted)
            await Task.Delay(Timeout.Infinite);
        return await callAsync();
    }
}
