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

    /// <summary>Joins numbers that follow each other into ranges.</summary>
    /// <param name="units">First number and count of each unit, in any order, without overlap.</param>
    public static IReadOnlyList<Slice> Join(IEnumerable<Slice> units)
    {
        var joined = new List<Slice>();
        foreach (var unit in units.OrderBy(unit => unit.First))
        {
            if (joined.Count > 0 && joined[^1].End == unit.First)
                joined[^1] = joined[^1] with { Count = joined[^1].Count + unit.Count };
            else
                joined.Add(unit);
        }

        return joined;
    }
}
