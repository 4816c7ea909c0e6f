namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A position in the changes, valid until the next write. After writes, reading continues by log sequence number.</summary>
/// <param name="Arena">Position in the arena, after the last document.</param>
/// <param name="Peeked">Address of a document that was read ahead; -1 for none.</param>
/// <param name="LogIndex">The next change of the log.</param>
/// <param name="AfterLsn">Every change up to this log sequence number was met.</param>
internal readonly record struct ChangeCursor(ScanCursor Arena, long Peeked, int LogIndex, long AfterLsn);

/// <summary>The documents of one physical partition, guarded by the partition's lock.</summary>
internal sealed class PartitionStore
{
    private readonly ChangeLog _log = new();
    private readonly Predicate<LoggedChange> _isCurrent;
    private DocumentArena _arena = new();
    private DocumentIndex _index;

    /// <summary>Bytes of each partition key, by its hash; null until a key could be full.</summary>
    private Dictionary<ulong, long>? _bytesByKey;

    public PartitionStore()
    {
        _index = new DocumentIndex(_arena);
        _isCurrent = change => FindChanged(change) >= 0;
    }

    public int Count => _index.Count;

    /// <summary>Bytes of the documents as sent.</summary>
    public long StoredBytes { get; private set; }

    /// <summary>Null for a container without time to live and unique keys.</summary>
    public PartitionRules? Rules { get; private set; }

    /// <summary>Bytes of the arrays for documents, index and changes.</summary>
    public long ReservedBytes => _arena.ReservedBytes + _index.ReservedBytes + _log.ReservedBytes;

    /// <summary>The highest place in the order of scanning.</summary>
    public long LastSequence => _arena.LastSequence;

    /// <summary>The document's address, or -1. Valid until the next write.</summary>
    public long Find(DocumentKey key) => _index.Find(key);

    public ref DocumentRecord Record(long address) => ref _arena.Record(address);

    public ReadOnlySpan<byte> Body(long address) => _arena.Body(address);

    /// <summary>Whether a partition key would have more than <paramref name="most"/> bytes.</summary>
    public bool WouldExceed(ulong partitionKeyHash, long added, long most)
    {
        // While all documents together have fewer bytes, no key can be full, and nothing is counted per key.
        if (added <= 0 || StoredBytes + added <= most)
            return false;
        _bytesByKey ??= CountBytesByKey();
        return _bytesByKey.GetValueOrDefault(partitionKeyHash) + added > most;
    }

    /// <summary>Applies other rules to the documents.</summary>
    public void Follow(PartitionRules? rules)
    {
        Rules = rules;
        var cursor = _arena.SeekAfter(0);
        while (rules is not null && _arena.TryNext(ref cursor, out var address))
            rules.Added(in _arena.Record(address), _arena.Body(address));
    }

    public long Add(DocumentRecord record, ReadOnlySpan<byte> body)
    {
        record.Sequence = record.Version;
        return Adopt(in record, body);
    }

    /// <summary>Adds a document of another partition at its place in the order of scanning. Must be called in that order.</summary>
    public long Adopt(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var address = _arena.Append(record, body);
        _index.Add(record.Key, address);
        CountBytes(record.Key, body.Length);
        LogUnlessInOrder(address);
        Rules?.Added(in record, body);
        return address;
    }

    /// <summary>Gives a document another body, version, timestamp and perhaps key. The number stays.</summary>
    public long Replace(long address, DocumentRecord record, ReadOnlySpan<byte> body)
    {
        ref var old = ref _arena.Record(address);
        var oldKey = old.Key;
        Rules?.Removed(oldKey, _arena.Body(address));
        CountBytes(oldKey, body.Length - old.BodyLength);
        if (record.Key == oldKey && _arena.TryOverwrite(address, body))
        {
            old.Version = record.Version;
            old.TimestampSeconds = record.TimestampSeconds;
            old.LaterInTransaction = record.LaterInTransaction;
            LogUnlessInOrder(address);
            Rules?.Added(in old, body);
            return address;
        }

        record.Number = old.Number;
        var moved = _arena.Move(address, record, body);
        if (record.Key == oldKey)
        {
            _index.Move(oldKey, moved);
        }
        else
        {
            _index.Remove(oldKey);
            _index.Add(record.Key, moved);
        }

        LogUnlessInOrder(moved);
        _arena.Leave(address, moved);
        Rules?.Added(in record, body);
        return CompactIfSparse() ? _index.Find(record.Key) : moved;
    }

    public void Remove(long address)
    {
        var key = _arena.Record(address).Key;
        Rules?.Removed(key, _arena.Body(address));
        CountBytes(key, -_arena.Record(address).BodyLength);
        _index.Remove(key);
        _arena.Kill(address);
        CompactIfSparse();
    }

    public ScanCursor SeekAfter(long sequence) => _arena.SeekAfter(sequence);

    public bool TryNext(ref ScanCursor cursor, out long address) => _arena.TryNext(ref cursor, out address);

    /// <summary>The cursor before the first change after a log sequence number. Valid until the next write.</summary>
    public ChangeCursor SeekChangesAfter(long lsn) => new(_arena.SeekAfter(lsn), Peeked: -1, _log.IndexAfter(lsn), lsn);

    /// <summary>
    /// Goes one step in the order of changes. False at its end. The address is -1 if the step meets no document at its last change.
    /// </summary>
    public bool TryNextChange(ref ChangeCursor cursor, out long address)
    {
        (var arena, var peeked, var index, var after) = cursor;
        if (peeked < 0 && !_arena.TryNext(ref arena, out peeked))
            peeked = -1;
        var isLogged = index < _log.Count && (peeked < 0 || _log[index].Lsn <= _arena.Record(peeked).Sequence);
        address = -1;
        if (!isLogged && peeked < 0)
            return false;
        if (isLogged)
        {
            var change = _log[index];
            if (IsFirst(index++))
                address = FindChanged(change);
            after = Math.Max(after, change.Lsn);
        }
        else
        {
            ref var record = ref _arena.Record(peeked);
            if (record.Version == record.Sequence)
                address = peeked;
            after = record.Sequence;
            peeked = -1;
        }

        cursor = new ChangeCursor(arena, peeked, index, after);
        return true;
    }

    /// <summary>
    /// Whether no earlier logged change is the same, because an undone transaction may log one twice. Changes of other documents may have
    /// the same number in merged partitions.
    /// </summary>
    private bool IsFirst(int index)
    {
        var change = _log[index];
        for (var i = index - 1; i >= 0 && _log[i].Lsn == change.Lsn; i--)
        {
            if (_log[i].Key == change.Key)
                return false;
        }

        return true;
    }

    /// <summary>The address of a document whose last change this is, if the arena has it elsewhere in the order; else -1.</summary>
    private long FindChanged(LoggedChange change)
    {
        var address = _index.Find(change.Key);
        if (address < 0)
            return -1;
        ref var record = ref _arena.Record(address);
        return record.Version == change.Lsn && record.Sequence != change.Lsn ? address : -1;
    }

    private void LogUnlessInOrder(long address)
    {
        ref var record = ref _arena.Record(address);
        if (record.Sequence != record.Version)
            _log.Add(new LoggedChange(record.Version, record.Key), _isCurrent);
    }

    private void CountBytes(DocumentKey key, long bytes)
    {
        StoredBytes += bytes;
        if (_bytesByKey is not null)
            CountBytes(_bytesByKey, key, bytes);
    }

    private static void CountBytes(Dictionary<ulong, long> bytesByKey, DocumentKey key, long bytes)
    {
        ref var ofKey = ref CollectionsMarshal.GetValueRefOrAddDefault(bytesByKey, key.PartitionKeyHash, out _);
        ofKey += bytes;
        if (ofKey == 0)
            bytesByKey.Remove(key.PartitionKeyHash);
    }

    private Dictionary<ulong, long> CountBytesByKey()
    {
        var bytesByKey = new Dictionary<ulong, long>();
        var cursor = _arena.SeekAfter(0);
        while (_arena.TryNext(ref cursor, out var address))
            CountBytes(bytesByKey, _arena.Record(address).Key, _arena.Record(address).BodyLength);
        return bytesByKey;
    }

    private bool CompactIfSparse()
    {
        if (!_arena.IsSparse)
            return false;
        var arena = new DocumentArena();
        var index = new DocumentIndex(arena);
        var cursor = _arena.SeekAfter(0);
        while (_arena.TryNext(ref cursor, out var address))
        {
            var record = _arena.Record(address);
            index.Add(record.Key, arena.Append(record, _arena.Body(address)));
        }

        _arena = arena;
        _index = index;
        return true;
    }
}

/// <summary>A change of a document whose place in the arena is still that of an earlier write.</summary>
/// <param name="Lsn">The document's <see cref="DocumentRecord.Version"/> after it.</param>
internal readonly record struct LoggedChange(long Lsn, DocumentKey Key);

/// <summary>
/// The changes that a scan of the arena does not meet in order, by log sequence number. New documents are not among them, so inserts cost
/// nothing here. When the log has doubled it drops outdated entries, so it has at most twice as many as documents. Not thread-safe.
/// </summary>
internal sealed class ChangeLog
{
    private const int MinLimit = 64;

    private readonly List<LoggedChange> _changes = [];
    private bool _isSorted = true;
    private int _limit = MinLimit;

    public int Count => _changes.Count;

    public long ReservedBytes => _changes.Capacity * 24L;

    public LoggedChange this[int index] => _changes[index];

    /// <param name="isCurrent">Whether a change is its document's last one.</param>
    public void Add(LoggedChange change, Predicate<LoggedChange> isCurrent)
    {
        if (_changes.Count >= _limit)
        {
            _changes.RemoveAll(one => !isCurrent(one));
            _changes.Capacity = Math.Min(_changes.Capacity, Math.Max(MinLimit, _changes.Count * 2));
            _limit = Math.Max(MinLimit, _changes.Count * 2);
        }

        _isSorted &= _changes.Count == 0 || change.Lsn >= _changes[^1].Lsn;
        _changes.Add(change);
    }

    /// <summary>Index of the first change after a log sequence number; <see cref="Count"/> if there is none.</summary>
    public int IndexAfter(long lsn)
    {
        // Only splits and undone transactions add changes out of order.
        if (!_isSorted)
        {
            _changes.Sort(static (one, other) => one.Lsn.CompareTo(other.Lsn));
            _isSorted = true;
        }

        (var low, var high) = (0, _changes.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_changes[middle].Lsn <= lsn)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }
}
