using System.Collections;

namespace ScaleOut.Measurement;

/// <summary>Whole UTC seconds from one (inclusive) to another (exclusive), in seconds since 1970.</summary>
public readonly record struct SecondRange(long From, long To)
{
    public long Count => To - From;

    /// <summary>The whole seconds within a time.</summary>
    public static SecondRange Within(WorkSpan span) => new(UtcSeconds.Ceiling(span.Start), UtcSeconds.Floor(span.End));

    /// <summary>The seconds that a time touches.</summary>
    public static SecondRange Around(WorkSpan span) => new(UtcSeconds.Floor(span.Start), UtcSeconds.Ceiling(span.End));
}

/// <summary>A set of whole UTC seconds. What it costs grows with its stretches, not with how long or how far apart they are.</summary>
public sealed class SecondSet : IEnumerable<long>
{
    public static readonly SecondSet Empty = new([]);

    private SecondSet(IReadOnlyList<SecondRange> ranges)
    {
        Ranges = ranges;
        Count = ranges.Sum(range => range.Count);
    }

    /// <summary>Ascending, without touching each other.</summary>
    public IReadOnlyList<SecondRange> Ranges { get; }

    /// <summary>Number of seconds.</summary>
    public long Count { get; }

    /// <summary>The union of ranges in any order; empty ones count for nothing.</summary>
    public static SecondSet From(IEnumerable<SecondRange> ranges)
    {
        var merged = new List<SecondRange>();
        foreach (var range in ranges.Where(range => range.Count > 0).OrderBy(range => range.From))
        {
            if (merged.Count > 0 && range.From <= merged[^1].To)
                merged[^1] = merged[^1] with { To = Math.Max(merged[^1].To, range.To) };
            else
                merged.Add(range);
        }

        return new SecondSet(merged);
    }

    public bool Contains(long second)
    {
        var (low, high) = (0, Ranges.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (second < Ranges[middle].From)
                high = middle - 1;
            else if (second >= Ranges[middle].To)
                low = middle + 1;
            else
                return true;
        }

        return false;
    }

    /// <summary>The seconds that are in both.</summary>
    public SecondSet Intersect(SecondSet other)
    {
        var common = new List<SecondRange>();
        for (int i = 0, j = 0; i < Ranges.Count && j < other.Ranges.Count;)
        {
            var (mine, its) = (Ranges[i], other.Ranges[j]);
            var both = new SecondRange(Math.Max(mine.From, its.From), Math.Min(mine.To, its.To));
            if (both.Count > 0)
                common.Add(both);
            if (mine.To < its.To)
                i++;
            else
                j++;
        }

        return new SecondSet(common);
    }

    /// <summary>The seconds, ascending.</summary>
    public IEnumerator<long> GetEnumerator()
    {
        foreach (var (from, to) in Ranges)
        {
            for (var second = from; second < to; second++)
                yield return second;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The seconds from one on.</summary>
    public SecondSet StartingAt(long second) =>
        new([.. Ranges.Where(range => range.To > second).Select(range => range with { From = Math.Max(range.From, second) })]);
}

/// <summary>What one worker did in one whole UTC second; operations count in the second in which they ended.</summary>
public sealed record SecondSample
{
    /// <summary>Seconds since 1970-01-01 UTC.</summary>
    public required long Second { get; init; }

    public Counts Counts { get; init; }

    /// <summary>CPU time of the worker's process.</summary>
    public double CpuSeconds { get; init; }

    /// <summary>Operations in flight at the end of the second.</summary>
    public int InFlight { get; init; }

    /// <summary>Busy share of all cores of the machine, 0 to 1; null if the machine does not report it.</summary>
    public double? MachineCpuShare { get; init; }

    /// <summary>
    /// Operations that ended in the second without failing, in a coarse histogram; null without any.
    /// </summary>
    public PackedHistogram? Latency { get; init; }

    /// <summary><see cref="LegResult.OtherErrors"/> of the second; null without any.</summary>
    public IReadOnlyDictionary<string, long>? Errors { get; init; }
}

/// <summary>Whole seconds since 1970-01-01 UTC.</summary>
public static class UtcSeconds
{
    /// <summary>The second that an instant lies in.</summary>
    public static long Floor(DateTimeOffset instant) => instant.ToUnixTimeSeconds();

    /// <summary>The first second that starts at or after an instant.</summary>
    public static long Ceiling(DateTimeOffset instant)
    {
        var floor = Floor(instant);
        return At(floor) == instant ? floor : floor + 1;
    }

    /// <summary>The instant at which a second starts.</summary>
    public static DateTimeOffset At(long second) => DateTimeOffset.FromUnixTimeSeconds(second);
}
