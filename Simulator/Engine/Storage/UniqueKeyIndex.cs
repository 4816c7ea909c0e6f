using System.Buffers;
using System.Buffers.Binary;
using ScaleOut.PartitionKeys;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// Which document of one partition has which unique values. Values are unique within a logical partition. Not safe for threads.
/// </summary>
/// <param name="keys">The container's unique keys: paths whose values together are unique.</param>
internal sealed class UniqueKeyIndex(IReadOnlyList<IReadOnlyList<JsonPath>> keys)
{
    private readonly Dictionary<UInt128, DocumentKey> _owners = [];
    private readonly ArrayBufferWriter<byte> _scratch = new();

    /// <summary>Whether a document of the given key and body would have the values of another.</summary>
    public bool Conflicts(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (int i = 0; i < keys.Count; i++)
        {
            if (_owners.TryGetValue(HashOf(i, key, body), out DocumentKey owner) && owner != key)
                return true;
        }

        return false;
    }

    public void Added(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (int i = 0; i < keys.Count; i++)
            _owners[HashOf(i, key, body)] = key;
    }

    public void Removed(DocumentKey key, ReadOnlySpan<byte> body)
    {
        for (int i = 0; i < keys.Count; i++)
            _owners.Remove(HashOf(i, key, body));
    }

    /// <summary>128 bits of the logical partition, the unique key's number and the values.</summary>
    private UInt128 HashOf(int number, DocumentKey key, ReadOnlySpan<byte> body)
    {
        _scratch.ResetWrittenCount();
        Span<byte> head = _scratch.GetSpan(sizeof(ulong) + sizeof(int));
        BinaryPrimitives.WriteUInt64LittleEndian(head, key.PartitionKeyHash);
        BinaryPrimitives.WriteInt32LittleEndian(head[sizeof(ulong)..], number);
        _scratch.Advance(sizeof(ulong) + sizeof(int));
        foreach (JsonPath path in keys[number])
            path.AppendValue(body, _scratch);
        return MurmurHash3.Hash128(_scratch.WrittenSpan);
    }
}
