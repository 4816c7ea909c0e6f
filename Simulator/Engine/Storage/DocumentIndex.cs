namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// From a document's key to its address: open addressing with linear probing in one array of 8-byte slots (24 bits of the key's hash above
/// the address plus 1). The full keys lie with the records. Not safe for threads.
/// </summary>
internal sealed class DocumentIndex(DocumentArena arena)
{
    private const int AddressBits = 40;
    private const long AddressMask = (1L << AddressBits) - 1;

    private long[] _slots = new long[16];

    public int Count { get; private set; }

    /// <summary>Bytes of all slots, empty ones too.</summary>
    public long ReservedBytes => (long)_slots.Length * sizeof(long);

    /// <summary>The address, or -1.</summary>
    public long Find(DocumentKey key)
    {
        int slot = FindSlot(key);
        return slot < 0 ? -1 : (_slots[slot] & AddressMask) - 1;
    }

    /// <summary>Adds a key that is not there yet.</summary>
    public void Add(DocumentKey key, long address)
    {
        if ((Count + 1) * 4L > _slots.Length * 3L)
            Grow();
        Place(_slots, key.Mixed, address);
        Count++;
    }

    /// <summary>Points an existing key to another address.</summary>
    public void Move(DocumentKey key, long address) => _slots[FindSlot(key)] = Slot(key.Mixed, address);

    public void Remove(DocumentKey key)
    {
        int mask = _slots.Length - 1;
        int hole = FindSlot(key);
        Count--;
        // Later entries of the same run move up, so that probing never meets a gap inside a run.
        int next = hole;
        while (true)
        {
            next = (next + 1) & mask;
            if (_slots[next] == 0)
                break;
            int home = Home(arena.Record((_slots[next] & AddressMask) - 1).Key.Mixed, mask);
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
        ulong mixed = key.Mixed;
        int mask = _slots.Length - 1;
        long tag = Tag(mixed);
        for (int slot = Home(mixed, mask); _slots[slot] != 0; slot = (slot + 1) & mask)
        {
            long entry = _slots[slot];
            if ((entry & ~AddressMask) == tag && arena.Record((entry & AddressMask) - 1).Key == key)
                return slot;
        }

        return -1;
    }

    private void Grow()
    {
        var slots = new long[_slots.Length * 2];
        foreach (long entry in _slots)
        {
            if (entry != 0)
            {
                long address = (entry & AddressMask) - 1;
                Place(slots, arena.Record(address).Key.Mixed, address);
            }
        }

        _slots = slots;
    }

    private static void Place(long[] slots, ulong mixed, long address)
    {
        int mask = slots.Length - 1;
        int slot = Home(mixed, mask);
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = Slot(mixed, address);
    }

    // The home comes from other bits than the tag, which would else be alike for all entries of a run.
    private static int Home(ulong mixed, int mask) => (int)(mixed >> 8) & mask;

    private static long Tag(ulong mixed) => (long)(mixed >> AddressBits << AddressBits);

    private static long Slot(ulong mixed, long address) => Tag(mixed) | (address + 1);
}
