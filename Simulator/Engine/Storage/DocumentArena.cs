namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A scan's position in an arena, valid until the next write. After writes, a scan continues by its sequence.</summary>
internal readonly record struct ScanCursor(int Chunk, int Offset, long AfterSequence);

/// <summary>
/// Records in a few large arrays: no object per document. An address is the chunk's number above 20 bits of offset. Chunks grow with the
/// arena, so that thousands of small partitions stay small. Not thread-safe.
/// </summary>
internal sealed class DocumentArena
{
    private const int OffsetBits = 20;
    private const int MinChunk = 4 * 1024;
    internal const int MaxChunk = 1 << OffsetBits;

    /// <summary>Dead bytes from which the arena may be sparse.</summary>
    private const long MinSparse = 1024 * 1024;

    /// <summary>Size from which a record gets a chunk of its own.</summary>
    private const int OwnChunkFrom = MaxChunk / 4;

    private readonly List<Chunk> _chunks = [];

    /// <summary>First places of the records that were moved, by their present addresses.</summary>
    private readonly Dictionary<long, long> _firstPlaces = [];
    private long _reserved;
    private long _nextSequence = 1;

    public static int RecordSize { get; } = Unsafe.SizeOf<DocumentRecord>();

    public long DeadBytes { get; private set; }

    /// <summary>Bytes of all records, dead ones too.</summary>
    public long UsedBytes { get; private set; }

    public long ReservedBytes => _reserved;

    /// <summary>Whether at least half of the records' bytes are dead, so that the owner should compact the arena.</summary>
    public bool IsSparse => DeadBytes >= MinSparse && DeadBytes * 2 >= UsedBytes;

    public ref DocumentRecord Record(long address)
    {
        var buffer = _chunks[(int)(address >> OffsetBits)].Buffer!;
        return ref Unsafe.As<byte, DocumentRecord>(ref buffer[(int)(address & (MaxChunk - 1))]);
    }

    public ReadOnlySpan<byte> Body(long address)
    {
        var buffer = _chunks[(int)(address >> OffsetBits)].Buffer!;
        var offset = (int)(address & (MaxChunk - 1));
        return buffer.AsSpan(offset + RecordSize, Unsafe.As<byte, DocumentRecord>(ref buffer[offset]).BodyLength);
    }

    public long LastSequence => _nextSequence - 1;

    /// <summary>Appends a copy of the record with the body. It gets a higher sequence if an earlier record has its own.</summary>
    public long Append(DocumentRecord record, ReadOnlySpan<byte> body)
    {
        record.Sequence = Math.Max(record.Sequence, _nextSequence);
        record.IsMoved = false;
        _nextSequence = record.Sequence + 1;
        return Place(record, record.Sequence, body);
    }

    /// <summary>
    /// Writes a copy of the record with a larger body to another address. It keeps its place in the order of scanning. Call
    /// <see cref="Leave"/> once nothing finds the record at its old address.
    /// </summary>
    public long Move(long address, DocumentRecord record, ReadOnlySpan<byte> body)
    {
        var first = _firstPlaces.GetValueOrDefault(address, address);
        record.Sequence = Record(first).Sequence;
        record.IsMoved = true;
        var moved = Place(record, _nextSequence, body);
        _firstPlaces[moved] = first;
        return moved;
    }

    /// <summary>Gives up the old address of a moved record, or makes it the first place, which leads to the record.</summary>
    public void Leave(long address, long moved)
    {
        if (_firstPlaces.Remove(address))
            Free(address);
        else
            DeadBytes += Record(address).Capacity;
        Record(_firstPlaces[moved]).LeadTo(moved);
    }

    private long Place(DocumentRecord record, long firstSequence, ReadOnlySpan<byte> body)
    {
        var capacity = (body.Length + 7) & ~7;
        var size = RecordSize + capacity;
        if (_chunks.Count == 0 || !_chunks[^1].Fits(size))
            AddChunk(size);
        var chunk = _chunks[^1];
        record.BodyLength = body.Length;
        record.Capacity = capacity;
        var offset = chunk.Used;
        Unsafe.As<byte, DocumentRecord>(ref chunk.Buffer![offset]) = record;
        body.CopyTo(chunk.Buffer.AsSpan(offset + RecordSize));
        if (offset == 0)
            chunk.FirstSequence = firstSequence;
        chunk.Used += size;
        chunk.Live++;
        UsedBytes += size;
        return ((long)(_chunks.Count - 1) << OffsetBits) | (long)offset;
    }

    /// <summary>Writes another body in the record's place. False if it does not fit.</summary>
    public bool TryOverwrite(long address, ReadOnlySpan<byte> body)
    {
        ref var record = ref Record(address);
        if (body.Length > record.Capacity || body.Length < record.Capacity / 2)
            return false;
        record.BodyLength = body.Length;
        ref var target = ref Unsafe.AddByteOffset(ref Unsafe.As<DocumentRecord, byte>(ref record), RecordSize);
        body.CopyTo(MemoryMarshal.CreateSpan(ref target, record.Capacity));
        return true;
    }

    public void Kill(long address)
    {
        if (_firstPlaces.Remove(address, out var first))
            Free(first);
        Free(address);
    }

    private void Free(long address)
    {
        var chunk = _chunks[(int)(address >> OffsetBits)];
        ref var record = ref Record(address);
        // The bytes of a body that was moved away are dead already.
        DeadBytes += record.LeadsElsewhere ? RecordSize : RecordSize + record.Capacity;
        record.Die();
        if (--chunk.Live == 0 && chunk != _chunks[^1])
        {
            DeadBytes -= chunk.Used;
            UsedBytes -= chunk.Used;
            _reserved -= chunk.Buffer!.Length;
            chunk.Buffer = null;
        }
    }

    /// <summary>The cursor before the first record with a higher sequence.</summary>
    public ScanCursor SeekAfter(long sequence)
    {
        var low = 0;
        var high = _chunks.Count - 1;
        while (low < high)
        {
            var middle = (low + high + 1) / 2;
            if (_chunks[middle].FirstSequence <= sequence)
                low = middle;
            else
                high = middle - 1;
        }

        return new ScanCursor(Math.Max(low, 0), 0, sequence);
    }

    /// <summary>Moves to the next live record. False at the arena's end.</summary>
    public bool TryNext(ref ScanCursor cursor, out long address)
    {
        (var number, var offset, var after) = cursor;
        for (; number < _chunks.Count; number++, offset = 0)
        {
            var chunk = _chunks[number];
            while (chunk.Buffer is not null && offset < chunk.Used)
            {
                address = ((long)number << OffsetBits) | (long)offset;
                ref var record = ref Record(address);
                offset += RecordSize + record.Capacity;
                if (record.Sequence <= after || record.IsDead || record.IsMoved)
                    continue;
                cursor = new ScanCursor(number, offset, record.Sequence);
                if (record.LeadsElsewhere)
                    address = record.Number;
                return true;
            }
        }

        cursor = new ScanCursor(number, 0, after);
        address = -1;
        return false;
    }

    private void AddChunk(int size)
    {
        var wanted = Math.Clamp((_reserved / 4) & ~(MinChunk - 1L), MinChunk, MaxChunk);
        var length = size >= OwnChunkFrom ? size : (int)Math.Max(wanted, size);
        _chunks.Add(new Chunk { Buffer = GC.AllocateUninitializedArray<byte>(length), FirstSequence = long.MaxValue });
        _reserved += length;
    }

    private sealed class Chunk
    {
        public byte[]? Buffer { get; set; }

        public long FirstSequence { get; set; }

        public int Used { get; set; }

        public int Live { get; set; }

        public bool Fits(int size) => Buffer is not null && Used < MaxChunk && Used + size <= Buffer.Length;
    }
}

/// <summary>The head of each body in the arena.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DocumentRecord
{
    public DocumentKey Key;

    /// <summary>Unique in the container and part of the resource id; it stays through splits.</summary>
    public long Number;

    /// <summary>Place in the order of scanning: the log sequence number of the write that created the document in the partition.</summary>
    public long Sequence;

    /// <summary>Log sequence number of the last write; the ETag is made from it.</summary>
    public long Version;

    /// <summary>Last write, in seconds since 1970.</summary>
    public uint TimestampSeconds;

    /// <summary>Negative for a record without a body.</summary>
    public int BodyLength;

    /// <summary>Bytes that the body may grow to in place.</summary>
    public int Capacity;

    /// <summary>Whether another record, its first place, stands for it in the order of scanning.</summary>
    public bool IsMoved;

    /// <summary>Number of later writes of the transaction that wrote the document last; at most <see cref="MaxLater"/>.</summary>
    public ushort LaterInTransaction;

    /// <summary>Log sequence number of the last write for clients, to whom a transaction is one write.</summary>
    public readonly long TransactionLsn => Version + LaterInTransaction;

    /// <summary>Fits ten bits. Of more writes of a script, the first ones are like a transaction of their own.</summary>
    public const int MaxLater = 1_023;

    private const int Dead = -1;
    private const int Elsewhere = -2;

    public readonly bool IsDead => BodyLength == Dead;

    /// <summary>Whether its <see cref="Number"/> is the address of the document.</summary>
    public readonly bool LeadsElsewhere => BodyLength == Elsewhere;

    public void Die() => BodyLength = Dead;

    public void LeadTo(long address) => (BodyLength, Number) = (Elsewhere, address);
}

/// <summary>
/// A document's identity in its container: 64 bits of hashes of the partition key and of the id. Two documents collide if all bits agree.
/// For a billion documents, the probability of a collision is about 1 in 10^21.
/// </summary>
internal readonly record struct DocumentKey(ulong PartitionKeyHash, ulong IdHash)
{
    /// <summary>Well-mixed bits for the index.</summary>
    public ulong Mixed => (PartitionKeyHash ^ (IdHash >> 29 | IdHash << 35)) * 0x9E3779B97F4A7C15;

    public static ulong HashId(ReadOnlySpan<byte> utf8) => (ulong)MurmurHash3.Hash128(utf8);
}

/// <summary>A partition key value: its position among the ranges, and a hash that distinguishes logical partitions.</summary>
internal readonly record struct PartitionKeyIdentity(EffectivePartitionKey Position, ulong Hash)
{
    public static PartitionKeyIdentity From(PartitionKeyVersion version, PartitionKeyValue value)
    {
        // Version 1 has only 32 bits and looks at only 100 characters, so many keys share a position.
        var wide = EffectivePartitionKey.From(PartitionKeyVersion.V2, value);
        return new(version == PartitionKeyVersion.V2 ? wide : EffectivePartitionKey.From(version, value), (ulong)wide.Position);
    }
}

/// <summary>
/// Finds a document's address by its key: open addressing with linear probing in one array of 8-byte slots (24 bits of the key's hash above
/// the address plus 1). The full keys are in the records. Not thread-safe.
/// </summary>
internal sealed class DocumentIndex(DocumentArena arena)
{
    private const int AddressBits = 40;
    private const long AddressMask = (1L << AddressBits) - 1;

    private long[] _slots = new long[16];

    public int Count { get; private set; }

    public long ReservedBytes => (long)_slots.Length * sizeof(long);

    /// <summary>The address, or -1.</summary>
    public long Find(DocumentKey key)
    {
        var slot = FindSlot(key);
        return slot < 0 ? -1 : (_slots[slot] & AddressMask) - 1;
    }

    public void Add(DocumentKey key, long address)
    {
        if ((Count + 1) * 4L > _slots.Length * 3L)
            Grow();
        Place(_slots, key.Mixed, address);
        Count++;
    }

    public void Move(DocumentKey key, long address) => _slots[FindSlot(key)] = Slot(key.Mixed, address);

    public void Remove(DocumentKey key)
    {
        var mask = _slots.Length - 1;
        var hole = FindSlot(key);
        Count--;
        // Later entries of the run move up, so that the run has no gap, which would end a probe.
        var next = hole;
        while (true)
        {
            next = (next + 1) & mask;
            if (_slots[next] == 0)
                break;
            var home = Home(arena.Record((_slots[next] & AddressMask) - 1).Key.Mixed, mask);
            if (((next - home) & mask) >= ((next - hole) & mask))
            {
                _slots[hole] = _slots[next];
                hole = next;
            }
        }

        _slots[hole] = 0;
    }

    private int FindSlot(DocumentKey key)
    {
        var mixed = key.Mixed;
        var mask = _slots.Length - 1;
        var tag = Tag(mixed);
        for (var slot = Home(mixed, mask); _slots[slot] != 0; slot = (slot + 1) & mask)
        {
            var entry = _slots[slot];
            if ((entry & ~AddressMask) == tag && arena.Record((entry & AddressMask) - 1).Key == key)
                return slot;
        }

        return -1;
    }

    private void Grow()
    {
        var slots = new long[_slots.Length * 2];
        foreach (var entry in _slots)
        {
            if (entry != 0)
            {
                var address = (entry & AddressMask) - 1;
                Place(slots, arena.Record(address).Key.Mixed, address);
            }
        }

        _slots = slots;
    }

    private static void Place(long[] slots, ulong mixed, long address)
    {
        var mask = slots.Length - 1;
        var slot = Home(mixed, mask);
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = Slot(mixed, address);
    }

    // Uses other bits than the tag. With the same bits, all entries of a run would have similar tags.
    private static int Home(ulong mixed, int mask) => (int)(mixed >> 8) & mask;

    private static long Tag(ulong mixed) => (long)(mixed >> AddressBits << AddressBits);

    private static long Slot(ulong mixed, long address) => Tag(mixed) | (address + 1);
}
