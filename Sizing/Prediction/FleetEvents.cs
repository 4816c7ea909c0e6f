namespace ScaleOut.Sizing.Prediction;

/// <summary>An event of an operation loop, a request or a client.</summary>
internal enum FleetEvent
{
    Turn,

    /// <summary>A loop can send its request.</summary>
    Ready,

    /// <summary>A response arrives: of a bulk request, or of a loop.</summary>
    Response,

    /// <summary>The client has handled the response to a bulk request.</summary>
    Handled,

    /// <summary>A client sends its partial bulk requests.</summary>
    Flush,
}

/// <summary>
/// Future events by time. Only events of the next fraction of a millisecond are sorted. Later events wait unsorted in slots by their time,
/// so the cost per event does not grow with their number. The queue allocates nothing once it has reached its size.
/// </summary>
internal sealed class FleetEvents
{
    private const int KindBits = 3;

    /// <summary>A slot has 2^12 ticks: 0.4 ms.</summary>
    private const int SlotBits = 12;

    /// <summary>Number of slots, for 1.7 s. Later events are sorted separately.</summary>
    private const int Slots = 4_096;

    private readonly PriorityQueue<long, long> _now;
    private readonly PriorityQueue<long, long> _later = new();
    private readonly List<(long Packed, long At)>[] _slots = new List<(long Packed, long At)>[Slots];
    private long _slot;
    private int _inSlots;

    /// <param name="capacity">Roughly how many events wait at once.</param>
    public FleetEvents(int capacity)
    {
        _now = new PriorityQueue<long, long>(capacity);
        for (var slot = 0; slot < Slots; slot++)
            _slots[slot] = [];
    }

    public void Add(FleetEvent kind, int index, long at)
    {
        var packed = ((long)index << KindBits) | (long)kind;
        var slot = at >> SlotBits;
        if (slot <= _slot)
        {
            _now.Enqueue(packed, at);
        }
        else if (slot < _slot + Slots)
        {
            _slots[slot % Slots].Add((packed, at));
            _inSlots++;
        }
        else
        {
            _later.Enqueue(packed, at);
        }
    }

    public bool TryTake(out FleetEvent kind, out int index, out long at)
    {
        long packed;
        while (!_now.TryDequeue(out packed, out at))
        {
            if (!TryAdvance())
            {
                (kind, index) = (default, 0);
                return false;
            }
        }

        kind = (FleetEvent)(packed & ((1 << KindBits) - 1));
        index = (int)(packed >> KindBits);
        return true;
    }

    /// <summary>Moves to the next slot, or to that of the next event if all are empty. False if nothing is left.</summary>
    private bool TryAdvance()
    {
        if (_inSlots > 0)
            _slot++;
        else if (_later.TryPeek(out _, out var next))
            _slot = next >> SlotBits;
        else
            return false;

        var due = _slots[_slot % Slots];
        foreach ((var packed, var time) in due)
            _now.Enqueue(packed, time);
        _inSlots -= due.Count;
        due.Clear();
        while (_later.TryPeek(out _, out var at) && at >> SlotBits <= _slot)
            _now.Enqueue(_later.Dequeue(), at);
        return true;
    }
}
