namespace ScaleOut.Simulator.Engine.Storage;

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
