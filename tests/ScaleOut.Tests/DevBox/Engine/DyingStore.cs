using ScaleOut.Storage;

namespace ScaleOut.Tests.DevBox.Engine;

/// <summary>
/// A run store whose program dies at a write. No call returns from then on, neither with a result nor with an exception: nothing that the
/// program would do afterwards happens, no handler of errors and no clean-up.
/// </summary>
/// <param name="store">What the program leaves behind.</param>
/// <param name="diesAt">The write at which it dies, from 1; 0 for never.</param>
/// <param name="written">Whether it dies after that write, or before it.</param>
internal sealed class DyingStore(IRunStore store, int diesAt, bool written) : IRunStore
{
    private readonly TaskCompletionSource _died = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _writes;

    /// <summary>Ends when the program dies.</summary>
    public Task Died => _died.Task;

    /// <summary>Writes so far.</summary>
    public int Writes => _writes;

    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        WriteAsync(() => store.TryCreateAsync(runId, name, content, CancellationToken.None));

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
        WriteAsync(async () =>
        {
            await store.WriteAsync(runId, name, content, CancellationToken.None);
            return true;
        });

    public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) => WriteAsync(async () =>
    {
        await store.DeleteAsync(runId, isMeant, CancellationToken.None);
        return true;
    });

    public Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
        LivingAsync(() => store.ReadAsync(runId, name, CancellationToken.None));

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
        LivingAsync(() => store.ListAsync(runId, prefix, CancellationToken.None));

    private async Task<T> WriteAsync<T>(Func<Task<T>> writeAsync)
    {
        var write = Interlocked.Increment(ref _writes);
        if (write == diesAt && !written)
            _died.TrySetResult();
        var result = await LivingAsync(writeAsync);
        if (write == diesAt)
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
