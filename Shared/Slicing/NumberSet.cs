using System.Collections;

namespace ScaleOut.Slicing;

/// <summary>A contiguous range of document numbers, or of whole UTC seconds since 1970.</summary>
/// <param name="First">First number of the range.</param>
/// <param name="Count">Number of elements. A range with 0 or less is empty.</param>
public readonly record struct NumberRange(long First, long Count)
{
    /// <summary>The number after the last one.</summary>
    public long End => First + Count;

    /// <param name="first">Inclusive.</param>
    /// <param name="end">Exclusive.</param>
    public static NumberRange Between(long first, long end) => new(first, end - first);
}

/// <summary>A set of whole numbers. Its cost grows with the number of its ranges, not with their lengths or gaps.</summary>
public sealed class NumberSet : IEnumerable<long>
{
    public static readonly NumberSet Empty = new([]);

    private readonly NumberRange[] _ranges;

    private NumberSet(NumberRange[] ranges)
    {
        _ranges = ranges;
        Count = ranges.Sum(range => range.Count);
    }

    /// <summary>Ranges in ascending order that do not touch each other.</summary>
    public IReadOnlyList<NumberRange> Ranges => _ranges;

    public long Count { get; }

    /// <summary>The number after the last one; 0 if there is none.</summary>
    public long End => _ranges.Length > 0 ? _ranges[^1].End : 0;

    /// <summary>The union of ranges, in any order. Empty ranges are ignored.</summary>
    public static NumberSet From(IEnumerable<NumberRange> ranges)
    {
        var merged = new List<NumberRange>();
        foreach (var range in ranges.Where(range => range.Count > 0).OrderBy(range => range.First))
        {
            if (merged.Count > 0 && range.First <= merged[^1].End)
                merged[^1] = NumberRange.Between(merged[^1].First, Math.Max(merged[^1].End, range.End));
            else
                merged.Add(range);
        }

        return new NumberSet([.. merged]);
    }

    public bool Contains(long number)
    {
        var (low, high) = (0, _ranges.Length - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (number < _ranges[middle].First)
                high = middle - 1;
            else if (number >= _ranges[middle].End)
                low = middle + 1;
            else
                return true;
        }

        return false;
    }

    public NumberSet Intersect(NumberSet other)
    {
        var common = new List<NumberRange>();
        for (int i = 0, j = 0; i < _ranges.Length && j < other._ranges.Length;)
        {
            var (mine, its) = (_ranges[i], other._ranges[j]);
            var both = NumberRange.Between(Math.Max(mine.First, its.First), Math.Min(mine.End, its.End));
            if (both.Count > 0)
                common.Add(both);
            if (mine.End < its.End)
                i++;
            else
                j++;
        }

        return new NumberSet([.. common]);
    }

    public NumberSet StartingAt(long number) => new(
        [.. _ranges.Where(range => range.End > number).Select(range => NumberRange.Between(Math.Max(range.First, number), range.End))]);

    /// <summary>Enumerates the numbers in ascending order.</summary>
    public IEnumerator<long> GetEnumerator()
    {
        foreach (var range in _ranges)
        {
            for (var number = range.First; number < range.End; number++)
                yield return number;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
