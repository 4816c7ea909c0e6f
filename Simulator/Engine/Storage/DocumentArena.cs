namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// Where a scan of an arena stands. Good only as long as nothing is written; across writes a scan continues by its sequence.
/// </summary>
internal readonly record struct ScanCursor(int Chunk, int Offset, long AfterSequence);

/// <summary>
/// Records one behind the other in a few large arrays: no object per document. An address is the chunk's number above 20 bits of offset.
/// Chunks grow with the arena, so that thousands of small partitions stay small. Not safe for threads.
/// </summary>
internal sealed class DocumentArena
{
    private const int OffsetBits = 20;
    private const int SmallestChunk = 4 * 1024;
    internal const int LargestChunk = 1 << OffsetBits;
    private const int OwnChunkFrom = LargestChunk / 4;

    private readonly List<Chunk> _chunks = [];
    private long _reserved;
    private long _nextSequence = 1;

    public static int RecordSize { get; } = Unsafe.SizeOf<DocumentRecord>();

    /// <summary>Bytes of records that are dead.</summary>
    public long DeadBytes { get; private set; }

    /// <summary>Bytes of all records, dead ones too.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>Bytes of all arrays, those without records too.</summary>
    public long ReservedBytes => _reserved;

    public ref DocumentRecord Record(long address)
    {
        byte[] buffer = _chunks[(int)(address >> OffsetBits)].Buffer!;
        return ref Unsafe.As<byte, DocumentRecord>(ref buffer[(int)(address & (LargestChunk - 1))]);
    }

    public ReadOnlySpan<byte> Body(long address)
    {
        byte[] buffer = _chunks[(int)(address >> OffsetBits)].Buffer!;
        int offset = (int)(address & (LargestChunk - 1));
        return buffer.AsSpan(offset + RecordSize, Unsafe.As<byte, DocumentRecord>(ref buffer[offset]).BodyLength);
    }

    /// <summary>The highest sequence that a record was given.</summary>
    public long LastSequence => _nextSequence - 1;

    /// <summary>
    /// Appends a copy of the record with the body; keeps the record's sequence unless a record before it has as high a one.
    /// </summary>
    public long Append(DocumentRecord record, ReadOnlySpan<byte> body)
    {
        int capacity = (body.Length + 7) & ~7;
        int size = RecordSize + capacity;
        if (_chunks.Count == 0 || !_chunks[^1].Fits(size))
            AddChunk(size);
        Chunk chunk = _chunks[^1];
        record.Sequence = Math.Max(record.Sequence, _nextSequence);
        _nextSequence = record.Sequence + 1;
        record.BodyLength = body.Length;
        record.Capacity = capacity;
        int offset = chunk.Used;
        Unsafe.As<byte, DocumentRecord>(ref chunk.Buffer![offset]) = record;
        body.CopyTo(chunk.Buffer.AsSpan(offset + RecordSize));
        if (offset == 0)
            chunk.FirstSequence = record.Sequence;
        chunk.Used += size;
        chunk.Live++;
        UsedBytes += size;
        return ((long)(_chunks.Count - 1) << OffsetBits) | (long)offset;
    }

    /// <summary>Writes another body in the record's place; false when it does not fit.</summary>
    public bool TryOverwrite(long address, ReadOnlySpan<byte> body)
    {
        ref DocumentRecord record = ref Record(address);
        if (body.Length > record.Capacity || body.Length < record.Capacity / 2)
            return false;
        record.BodyLength = body.Length;
        ref byte target = ref Unsafe.AddByteOffset(ref Unsafe.As<DocumentRecord, byte>(ref record), RecordSize);
        body.CopyTo(MemoryMarshal.CreateSpan(ref target, record.Capacity));
        return true;
    }

    public void Kill(long address)
    {
        Chunk chunk = _chunks[(int)(address >> OffsetBits)];
        ref DocumentRecord record = ref Record(address);
        int size = RecordSize + record.Capacity;
        record.BodyLength = -1;
        DeadBytes += size;
        if (--chunk.Live == 0 && chunk != _chunks[^1])
        {
            DeadBytes -= chunk.Used;
            UsedBytes -= chunk.Used;
            _reserved -= chunk.Buffer!.Length;
            chunk.Buffer = null;
        }
    }

    /// <summary>The cursor in front of the first record whose sequence is above the given one.</summary>
    public ScanCursor SeekAfter(long sequence)
    {
        int low = 0;
        int high = _chunks.Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) / 2;
            if (_chunks[middle].FirstSequence <= sequence)
                low = middle;
            else
                high = middle - 1;
        }

        return new ScanCursor(Math.Max(low, 0), 0, sequence);
    }

    /// <summary>Moves to the next record that lives; false at the arena's end.</summary>
    public bool TryNext(ref ScanCursor cursor, out long address)
    {
        (int number, int offset, long after) = cursor;
        for (; number < _chunks.Count; number++, offset = 0)
        {
            Chunk chunk = _chunks[number];
            while (chunk.Buffer is not null && offset < chunk.Used)
            {
                address = ((long)number << OffsetBits) | (long)offset;
                ref DocumentRecord record = ref Record(address);
                offset += RecordSize + record.Capacity;
                if (!record.IsDead && record.Sequence > after)
                {
                    cursor = new ScanCursor(number, offset, record.Sequence);
                    return true;
                }
            }
        }

        cursor = new ScanCursor(number, 0, after);
        address = -1;
        return false;
    }

    private void AddChunk(int size)
    {
        long wanted = Math.Clamp((_reserved / 4) & ~(SmallestChunk - 1L), SmallestChunk, LargestChunk);
        int length = size >= OwnChunkFrom ? size : (int)Math.Max(wanted, size);
        _chunks.Add(new Chunk { Buffer = GC.AllocateUninitializedArray<byte>(length), FirstSequence = long.MaxValue });
        _reserved += length;
    }

    private sealed class Chunk
    {
        public byte[]? Buffer { get; set; }

        public long FirstSequence { get; set; }

        public int Used { get; set; }

        public int Live { get; set; }

        public bool Fits(int size) => Buffer is not null && Used < LargestChunk && Used + size <= Buffer.Length;
    }
}

/// <summary>What stands in front of each body in the arena.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DocumentRecord
{
    public DocumentKey Key;

    /// <summary>Number in the container, part of the resource id; kept for the document's life, through splits too.</summary>
    public long Number;

    /// <summary>
    /// Place in the order of scanning: the log sequence number of the write that brought the document there, which is a later one when the
    /// document moves to the arena's end.
    /// </summary>
    public long Sequence;

    /// <summary>Log sequence number of the last write; the ETag is made of it.</summary>
    public long Version;

    /// <summary>Last write, in seconds since 1970.</summary>
    public uint TimestampSeconds;

    /// <summary>Indexed leaves, for what a delete costs.</summary>
    public int Leaves;

    /// <summary>Bytes of the body; negative for a record that is dead.</summary>
    public int BodyLength;

    /// <summary>Bytes the body may grow to in place.</summary>
    public int Capacity;

    public readonly bool IsDead => BodyLength < 0;
}

/// <summary>
/// Identity of a document in its container: 64 bits of a hash of the partition key and 64 of the id. Two documents are taken for one when
/// all 128 bits agree, which for a billion documents has a chance of about 1 in 10^21.
/// </summary>
internal readonly record struct DocumentKey(ulong PartitionKeyHash, ulong IdHash)
{
    /// <summary>Well-mixed bits for the index.</summary>
    public ulong Mixed => (PartitionKeyHash ^ (IdHash >> 29 | IdHash << 35)) * 0x9E3779B97F4A7C15;

    public static ulong HashId(ReadOnlySpan<byte> utf8) => (ulong)MurmurHash3.Hash128(utf8);
}

/// <summary>
/// A partition key value as the store knows it: where it lies among the ranges, and a hash that distinguishes logical partitions.
/// </summary>
internal readonly record struct PartitionKeyIdentity(EffectivePartitionKey Position, ulong Hash)
{
    public static PartitionKeyIdentity From(PartitionKeyVersion version, PartitionKeyValue value)
    {
        // Version 1 has 32 bits only and looks at 100 characters only, so many keys share a position there.
        EffectivePartitionKey wide = EffectivePartitionKey.From(PartitionKeyVersion.V2, value);
        return new(version == PartitionKeyVersion.V2 ? wide : EffectivePartitionKey.From(version, value), (ulong)wide.Position);
    }
}
