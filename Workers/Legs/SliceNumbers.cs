namespace ScaleOut.Workers.Legs;

/// <summary>
/// Hands out the numbers of a slice and tracks which are finished. Numbers come in units of one operation's documents. Units are finished
/// in any order, and <see cref="Next"/> is the first number of the lowest unfinished one. Thread-safe.
/// </summary>
internal sealed class SliceNumbers
{
    private const int FirstWindow = 1 << 10;

    private readonly Lock _lock = new();
    private readonly NumberRange _slice;
    private readonly int _unit;
    private readonly NumberSet _doneBefore;

    // Whether units from _low on are finished: a ring that is at least as long as the distance between _low and _taken.
    private bool[] _finished = new bool[FirstWindow];
    private long _low;
    private long _taken;

    /// <param name="slice">All numbers of the worker, from a unit's boundary.</param>
    /// <param name="next">Lowest number that is not done, on a unit's boundary.</param>
    /// <param name="unit">Documents per operation.</param>
    /// <param name="doneBefore">Numbers from <paramref name="next"/> on that an earlier leg has done.</param>
    public SliceNumbers(NumberRange slice, long next, int unit, NumberSet doneBefore)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(next, slice.First);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(next, slice.End);
        if ((next - slice.First) % unit != 0 && next != slice.End)
            throw new ArgumentException($"{next} is not on a boundary of {unit}.", nameof(next));
        _slice = slice;
        _unit = unit;
        _doneBefore = doneBefore;
        _low = _taken = next == slice.End ? UnitCount : (next - slice.First) / unit;
        SkipDoneBefore_NeedsLock();
    }

    /// <summary>Lowest number that is not finished; the slice's end when all are.</summary>
    public long Next
    {
        get
        {
            lock (_lock)
                return NumberOf(_low);
        }
    }

    private long UnitCount => (_slice.Count + _unit - 1) / _unit;

    public bool TryTake(out NumberRange unit)
    {
        lock (_lock)
        {
            while (_taken < UnitCount)
            {
                EnsureWindow_NeedsLock();
                var index = _taken++;
                unit = UnitAt(index);
                if (!_doneBefore.Contains(unit.First))
                    return true;

                MarkFinished_NeedsLock(index);
            }
        }

        unit = default;
        return false;
    }

    public void Finish(NumberRange unit)
    {
        lock (_lock)
        {
            MarkFinished_NeedsLock((unit.First - _slice.First) / _unit);
        }
    }

    /// <summary>Ranges after <see cref="Next"/> that are finished, those of earlier legs included.</summary>
    public IReadOnlyList<NumberRange> DoneAhead()
    {
        lock (_lock)
        {
            var ahead = new List<NumberRange>();
            for (var index = _low; index < _taken; index++)
            {
                if (_finished[index & (_finished.Length - 1)])
                    ahead.Add(UnitAt(index));
            }

            for (var index = _taken; NumberOf(index) < _doneBefore.End; index++)
            {
                if (_doneBefore.Contains(NumberOf(index)))
                    ahead.Add(UnitAt(index));
            }

            return NumberSet.From(ahead).Ranges;
        }
    }

    private void MarkFinished_NeedsLock(long index)
    {
        var mask = _finished.Length - 1;
        _finished[index & mask] = true;
        while (_low < _taken && _finished[_low & mask])
        {
            _finished[_low & mask] = false;
            _low++;
        }

        SkipDoneBefore_NeedsLock();
    }

    /// <summary>Skips what an earlier leg has done, so that <see cref="Next"/> is never a number that is done.</summary>
    private void SkipDoneBefore_NeedsLock()
    {
        while (_low == _taken && _taken < UnitCount && _doneBefore.Contains(NumberOf(_taken)))
            _low = ++_taken;
    }

    private void EnsureWindow_NeedsLock()
    {
        if (_taken - _low < _finished.Length)
            return;
        var wider = new bool[_finished.Length * 2];
        for (var index = _low; index < _taken; index++)
            wider[index & (wider.Length - 1)] = _finished[index & (_finished.Length - 1)];
        _finished = wider;
    }

    private long NumberOf(long index) => Math.Min(_slice.First + (index * _unit), _slice.End);

    private NumberRange UnitAt(long index)
    {
        var first = NumberOf(index);
        return new NumberRange(first, NumberOf(index + 1) - first);
    }
}
