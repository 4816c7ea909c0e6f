namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>The documents of one physical partition. Not safe for threads: the partition's lock guards it.</summary>
internal sealed class PartitionStore
{
    private const long CompactFrom = 1024 * 1024;

    private DocumentArena _arena = new();
    private DocumentIndex _index;

    public PartitionStore() => _index = new DocumentIndex(_arena);

    public int Count => _index.Count;

    /// <summary>What the container's time to live and unique keys need; null for a container without.</summary>
    public PartitionRules? Rules { get; private set; }

    /// <summary>Bytes of the arrays that hold the documents and their index.</summary>
    public long ReservedBytes => _arena.ReservedBytes + _index.ReservedBytes;

    /// <summary>The document's address, or -1. Good until the next write.</summary>
    public long Find(DocumentKey key) => _index.Find(key);

    public ref DocumentRecord Record(long address) => ref _arena.Record(address);

    public ReadOnlySpan<byte> Body(long address) => _arena.Body(address);

    /// <summary>Gives the documents other rules.</summary>
    public void Follow(PartitionRules? rules)
    {
        Rules = rules;
        ScanCursor cursor = _arena.SeekAfter(0);
        while (rules is not null && _arena.TryNext(ref cursor, out long address))
            rules.Added(in _arena.Record(address), _arena.Body(address));
    }

    /// <summary>Adds a document that is not there yet.</summary>
    public long Add(DocumentRecord record, ReadOnlySpan<byte> body)
    {
        record.Sequence = 0;
        long address = _arena.Append(record, body);
        _index.Add(record.Key, address);
        Rules?.Added(in record, body);
        return address;
    }

    /// <summary>
    /// Adds a document of another partition, which keeps its place in the order of scanning. Documents come in that order.
    /// </summary>
    public void Adopt(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        _index.Add(record.Key, _arena.Append(record, body));
        Rules?.Added(in record, body);
    }

    /// <summary>Gives a document another body, version, timestamp and leaf count; the number stays.</summary>
    public long Replace(long address, DocumentRecord record, ReadOnlySpan<byte> body)
    {
        ref DocumentRecord old = ref _arena.Record(address);
        record.Key = old.Key;
        Rules?.Removed(old.Key, _arena.Body(address));
        if (_arena.TryOverwrite(address, body))
        {
            old.Version = record.Version;
            old.TimestampSeconds = record.TimestampSeconds;
            old.Leaves = record.Leaves;
            Rules?.Added(in old, body);
            return address;
        }

        record.Number = old.Number;
        record.Sequence = 0;
        long moved = _arena.Append(record, body);
        _index.Move(record.Key, moved);
        _arena.Kill(address);
        Rules?.Added(in record, body);
        return CompactIfSparse() ? _index.Find(record.Key) : moved;
    }

    public void Remove(long address)
    {
        DocumentKey key = _arena.Record(address).Key;
        Rules?.Removed(key, _arena.Body(address));
        _index.Remove(key);
        _arena.Kill(address);
        CompactIfSparse();
    }

    public ScanCursor SeekAfter(long sequence) => _arena.SeekAfter(sequence);

    public bool TryNext(ref ScanCursor cursor, out long address) => _arena.TryNext(ref cursor, out address);

    private bool CompactIfSparse()
    {
        if (_arena.DeadBytes < CompactFrom || _arena.DeadBytes * 2 < _arena.UsedBytes)
            return false;
        var arena = new DocumentArena();
        var index = new DocumentIndex(arena);
        ScanCursor cursor = _arena.SeekAfter(0);
        while (_arena.TryNext(ref cursor, out long address))
        {
            DocumentRecord record = _arena.Record(address);
            index.Add(record.Key, arena.Append(record, _arena.Body(address)));
        }

        _arena = arena;
        _index = index;
        return true;
    }
}
