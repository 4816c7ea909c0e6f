using ScaleOut.Slicing;

namespace ScaleOut.Workers.Legs;

/// <summary>A set of document numbers as ascending ranges without overlap.</summary>
public sealed class NumberRanges
{
    private readonly long[] _firsts;
    private readonly long[] _ends;

    /// <param name="ranges">In any order; they do not overlap.</param>
    public NumberRanges(IEnumerable<Slice> ranges)
    {
        var ordered = ranges.OrderBy(range => range.First).ToList();
        _firsts = [.. ordered.Select(range => range.First)];
        _ends = [.. ordered.Select(range => range.End)];
    }

    public static NumberRanges Empty { get; } = new([]);

    public bool Any => _firsts.Length > 0;

    /// <summary>The number after the last one; 0 when there is none.</summary>
    public long End => _ends.Length > 0 ? _ends[^1] : 0;

    public bool Contains(long number)
    {
        if (!Any)
            return false;
        var index = Array.BinarySearch(_firsts, number);
        if (index < 0)
            index = ~index - 1;
        return index >= 0 && number < _ends[index];
    }

    /// <summary>The units of the ranges from a number on. Ranges begin on a unit's boundary, and so does the number.</summary>
    /// <param name="from">First number that is wanted.</param>
    /// <param name="unit">Numbers a unit, 1 and more; the last unit of a range may be shorter.</param>
    public IEnumerable<Slice> UnitsFrom(long from, int unit)
    {
        for (var range = 0; range < _firsts.Length; range++)
        {
            for (var first = Math.Max(_firsts[range], from); first < _ends[range]; first += unit)
                yield return new Slice(first, Math.Min(unit, _ends[range] - first));
        }
    }

    /// <summary>Joins numbers that overlap or follow each other into ascending ranges.</summary>
    /// <param name="units">First number and count of each unit, in any order.</param>
    public static IReadOnlyList<Slice> Join(IEnumerable<Slice> units)
    {
        var joined = new List<Slice>();
        foreach (var unit in units.OrderBy(unit => unit.First))
        {
            if (joined.Count > 0 && unit.First <= joined[^1].End)
                joined[^1] = joined[^1] with { Count = Math.Max(joined[^1].End, unit.End) - joined[^1].First };
            else
                joined.Add(unit);
        }

        return joined;
    }
}
