namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Applies a container's time to live and unique keys to one partition. Not thread-safe.</summary>
internal sealed class PartitionRules
{
    private readonly ExpirySchedule? _expiry;
    private readonly UniqueKeyIndex? _uniqueKeys;

    private PartitionRules(PartitionStore store, int? defaultTtl, IReadOnlyList<IReadOnlyList<JsonPath>> uniqueKeys)
    {
        _expiry = defaultTtl is { } seconds ? new ExpirySchedule(store, seconds) : null;
        _uniqueKeys = uniqueKeys.Count > 0 ? new UniqueKeyIndex(uniqueKeys) : null;
    }

    /// <summary>The rules of an empty store; null for a container without any.</summary>
    /// <param name="defaultTtl">Null if documents do not expire.</param>
    public static PartitionRules? Create(PartitionStore store, int? defaultTtl, IReadOnlyList<IReadOnlyList<JsonPath>> uniqueKeys) =>
        defaultTtl is null && uniqueKeys.Count == 0 ? null : new PartitionRules(store, defaultTtl, uniqueKeys);

    public bool ConflictsWith(DocumentKey key, ReadOnlySpan<byte> body) => _uniqueKeys?.Conflicts(key, body) == true;

    /// <summary>Takes the next expired document. False if there is none.</summary>
    public bool TryTakeExpired(long nowSecond, out long address)
    {
        address = -1;
        return _expiry?.TryTakeDue(nowSecond, out address) == true;
    }

    public void Added(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        _expiry?.Added(in record, body);
        _uniqueKeys?.Added(record.Key, body);
    }

    public void Removed(DocumentKey key, ReadOnlySpan<byte> body) => _uniqueKeys?.Removed(key, body);
}
