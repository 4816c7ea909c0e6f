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

/// <summary>The property <c>ttl</c> of documents, and <c>defaultTtl</c> of containers.</summary>
internal static class TimeToLive
{
    public const int Never = -1;

    private static readonly JsonPath Path = JsonPath.Parse("/ttl")!;

    /// <summary>The error for a value that <see cref="IsValid"/> rejects.</summary>
    public static string Invalid(string value) =>
        $"The input ttl '{value}' is invalid. Ensure to provide a nonzero positive integer less than or equal to '{int.MaxValue}', "
        + "or -1 for never.";

    public static bool IsValid(JsonElement value, out int seconds)
    {
        seconds = 0;
        return value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out seconds) && seconds is Never or > 0;
    }

    /// <summary>The error in the time to live of a document's body; null if it is valid or missing.</summary>
    public static string? Check(ReadOnlySpan<byte> body)
    {
        if (!Path.TryFind(body, out var reader))
            return null;
        using var value = JsonDocument.ParseValue(ref reader);
        return value.RootElement.ValueKind == JsonValueKind.Null || IsValid(value.RootElement, out _)
            ? null : Invalid(value.RootElement.ToString());
    }

    /// <summary>The document's own seconds or <see cref="Never"/>; null without a valid one.</summary>
    public static int? Read(ReadOnlySpan<byte> body) =>
        Path.TryFind(body, out var reader) && reader.TokenType == JsonTokenType.Number
        && reader.TryGetInt32(out var seconds) && seconds is Never or > 0 ? seconds : null;
}

/// <summary>The owners of unique values in one partition. Values are unique within a logical partition. Not thread-safe.</summary>
/// <param name="keys">Paths of each unique key, whose values together are unique.</param>
internal sealed class UniqueKeyIndex(IReadOnlyList<IReadOnlyList<JsonPath>> keys)
{
    private readonly Dictionary<UInt128, DocumentKey> _owners = [];

    /// <summary>Whether another document has the same values.</summary>
    public bool Conflicts(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (var i = 0; i < keys.Count; i++)
        {
            if (_owners.TryGetValue(HashOf(i, key, body), out var owner) && owner != key)
                return true;
        }

        return false;
    }

    public void Added(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (var i = 0; i < keys.Count; i++)
            _owners[HashOf(i, key, body)] = key;
    }

    public void Removed(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (var i = 0; i < keys.Count; i++)
            _owners.Remove(HashOf(i, key, body));
    }

    /// <summary>Hashes the logical partition, the unique key's number and the values.</summary>
    private UInt128 HashOf(int number, DocumentKey key, ReadOnlySpan<byte> body)
    {
        var paths = keys[number];
        Span<UInt128> hashes = stackalloc UInt128[paths.Count + 1];
        hashes[0] = new UInt128(key.PartitionKeyHash, (ulong)number);
        for (var i = 0; i < paths.Count; i++)
            hashes[i + 1] = HashOf(paths[i], body);
        return MurmurHash3.Hash128(MemoryMarshal.AsBytes(hashes));
    }

    /// <summary>Hashes a value, an object whatever the order of its properties. A missing value is null.</summary>
    private static UInt128 HashOf(JsonPath path, ReadOnlySpan<byte> body)
    {
        if (!path.TryFind(body, out var reader) || reader.TokenType == JsonTokenType.Null)
            return UInt128.Zero;
        // Partition keys are doubles, which do not tell large integers apart, but the two zeros.
        var isDouble = reader.TokenType != JsonTokenType.Number
            || (reader.TryGetDouble(out var number) && number != 0 && Math.Abs(number) < JsonNumber.ExactLimit);
        if (isDouble && HierarchicalKey.TryHash(ref reader, out var hash))
            return hash;
        using var value = JsonDocument.ParseValue(ref reader);
        return DatumHash.From(Datum.From(value.RootElement));
    }
}

/// <summary>When documents of one partition expire. Not thread-safe.</summary>
/// <param name="defaultSeconds">Time to live of documents without their own; <see cref="TimeToLive.Never"/> for none.</param>
internal sealed class ExpirySchedule(PartitionStore store, int defaultSeconds)
{
    private const int SweepFrom = 1_024;

    private readonly PriorityQueue<(DocumentKey Key, long Version), long> _due = new();
    private int _sweepAt = SweepFrom;

    /// <summary>Adds a document that was written. The time of an earlier version does not count any more.</summary>
    public void Added(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var seconds = TimeToLive.Read(body) ?? defaultSeconds;
        if (seconds == TimeToLive.Never)
            return;
        _due.Enqueue((record.Key, record.Version), record.TimestampSeconds + (long)seconds);
        if (_due.Count >= _sweepAt)
            Sweep();
    }

    /// <summary>Takes the next document whose time is over. False if there is none.</summary>
    public bool TryTakeDue(long nowSecond, out long address)
    {
        while (_due.TryPeek(out var next, out var second) && second <= nowSecond)
        {
            _due.Dequeue();
            if (IsCurrent(next, out address))
                return true;
        }

        address = -1;
        return false;
    }

    private bool IsCurrent((DocumentKey Key, long Version) entry, out long address)
    {
        address = store.Find(entry.Key);
        return address >= 0 && store.Record(address).Version == entry.Version;
    }

    /// <summary>Drops outdated versions once they may be half of all.</summary>
    private void Sweep()
    {
        ((DocumentKey Key, long Version) Element, long Priority)[] current =
            [.. _due.UnorderedItems.Where(entry => IsCurrent(entry.Element, out _))];
        _due.Clear();
        _due.EnqueueRange(current);
        _sweepAt = Math.Max(SweepFrom, current.Length * 2);
    }
}
