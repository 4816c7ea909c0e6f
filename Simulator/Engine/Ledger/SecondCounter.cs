namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>
/// Request units and 429s per second of one partition, in a ring that grows to a limit and then forgets the oldest. Not safe for threads.
/// </summary>
internal sealed class SecondCounter(int limit)
{
    private const int SmallestRing = 16;

    private SecondCounts[] _ring = [];
    private long _first;
    private int _count;

    public void Add(long second, long hundredths, int throttled)
    {
        if (_count == 0)
        {
            _first = second;
            _count = 1;
            EnsureCapacity();
            _ring[Index(second)] = default;
        }

        // The clock does not step back; a late caller of the second before is counted where it still can be.
        second = Math.Max(second, _first);
        if (second - _first >= _count)
            Advance(second);
        ref SecondCounts cell = ref _ring[Index(second)];
        cell.Hundredths += hundredths;
        cell.Throttled += throttled;
    }

    /// <summary>The seconds in which anything happened, oldest first.</summary>
    public IReadOnlyList<SecondLedger> Read()
    {
        var seconds = new List<SecondLedger>();
        for (long second = _first; second < _first + _count; second++)
        {
            SecondCounts cell = _ring[Index(second)];
            if (cell.Hundredths != 0 || cell.Throttled != 0)
                seconds.Add(new SecondLedger(second, cell.Hundredths / 100.0, cell.Throttled));
        }

        return seconds;
    }

    private void Advance(long second)
    {
        if (second - _first >= _count + limit)
        {
            _first = second;
            _count = 0;
        }

        while (_first + _count <= second)
        {
            if (_count == limit)
            {
                _first++;
                _count--;
            }

            _count++;
            EnsureCapacity();
            _ring[Index(_first + _count - 1)] = default;
        }
    }

    private void EnsureCapacity()
    {
        if (_count <= _ring.Length)
            return;
        var larger = new SecondCounts[Math.Min(limit, Math.Max(SmallestRing, _ring.Length * 2))];
        for (long second = _first; second < _first + _count - 1; second++)
            larger[(int)(second % larger.Length)] = _ring[Index(second)];
        _ring = larger;
    }

    private int Index(long second) => (int)(second % _ring.Length);

    private struct SecondCounts
    {
        public long Hundredths;
        public int Throttled;
    }
}
