namespace ScaleOut.Tests.Support.Storage;

internal sealed class MemoryRunStore : IRunStore
{
    private readonly ConcurrentDictionary<(string Run, string Name), byte[]> _items = new();

    /// <summary>Called with the name of each item before it is written. What it throws is the store's error.</summary>
    public Action<string> BeforeWrite { get; set; } = _ => { };

    /// <summary>Called with the name of each item before it is read.</summary>
    public Action<string> BeforeRead { get; set; } = _ => { };

    /// <summary>Awaited before an item is read.</summary>
    public Func<Task> AtRead { get; set; } = () => Task.CompletedTask;

    public Task<bool> TryCreateAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        BeforeWrite(name);
        return Task.FromResult(_items.TryAdd((runId, name), content.ToArray()));
    }

    public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        BeforeWrite(name);
        _items[(runId, name)] = content.ToArray();
        return Task.CompletedTask;
    }

    public async Task<bool> UpdateAsync(string runId, string name, Func<byte[]?, byte[]?> change, CancellationToken cancellationToken)
    {
        while (true)
        {
            var known = await ReadAsync(runId, name, cancellationToken);
            if (change(known) is not { } content)
                return false;
            BeforeWrite(name);
            if (known is null ? _items.TryAdd((runId, name), content) : _items.TryUpdate((runId, name), content, known))
                return true;
        }
    }

    public async Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken)
    {
        BeforeRead(name);
        await AtRead();
        return _items.TryGetValue((runId, name), out var content) ? content : null;
    }

    public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<string>>(
        [
            .. _items.Keys
                .Where(key => key.Run == runId && key.Name.StartsWith(prefix, StringComparison.Ordinal))
                .Select(key => key.Name).Order(StringComparer.Ordinal),
        ]);

    public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken)
    {
        foreach (var item in _items.Where(item => item.Key.Run == runId && isMeant(item.Key.Name)).ToList())
            _items.TryRemove(item);
        return Task.CompletedTask;
    }
}
