using System.Collections;

namespace ScaleOut.Measurement;

/// <summary>
/// The whole UTC seconds in which all workers were at work: each past its warm-up, none finished, none between two legs. Workers warm up
/// again after an interruption.
/// </summary>
public sealed class OverlapWindow
{
    /// <summary>Minimum number of seconds for a rate.</summary>
    public const int MinSeconds = 5;

    private OverlapWindow(SecondSet seconds) => Seconds = seconds;

    public SecondSet Seconds { get; }

    /// <summary>Whether the window has at least <see cref="MinSeconds"/>.</summary>
    public bool IsUsable => Seconds.Count >= MinSeconds;

    public bool Contains(long second) => Seconds.Contains(second);

    /// <param name="workers">The legs of each worker in their order. If a worker has no legs, there is no window.</param>
    /// <param name="warmup">Left out after the start of each worker's first leg, and of its first leg after an interruption.</param>
    /// <param name="interruptions">Times in which no worker was at work because the run was interrupted.</param>
    public static OverlapWindow From(
        IReadOnlyList<IReadOnlyList<WorkSpan>> workers, TimeSpan warmup, IReadOnlyList<WorkSpan>? interruptions = null)
    {
        if (workers.Count == 0)
            return new OverlapWindow(SecondSet.Empty);
        return new OverlapWindow(workers
            .Select(legs => SecondSet.From(Continuous(legs, warmup, interruptions ?? []).Select(SecondRange.Within)))
            .Aggregate((all, worker) => all.Intersect(worker)));
    }

    /// <summary>
    /// The times that a worker was at work without a pause. A second that a pause touches is not whole. If, by their clocks, one leg began
    /// before the previous one ended, their common time is left out as well.
    /// </summary>
    private static IEnumerable<WorkSpan> Continuous(IReadOnlyList<WorkSpan> legs, TimeSpan warmup, IReadOnlyList<WorkSpan> interruptions)
    {
        if (legs.Count == 0)
            yield break;
        var start = legs[0].Start + warmup;
        for (var leg = 1; leg < legs.Count; leg++)
        {
            var (before, next) = (legs[leg - 1], legs[leg]);
            if (next.Start == before.End)
                continue;
            var wasInterrupted = interruptions.Any(interruption => interruption.Start >= before.End && interruption.End <= next.Start);
            yield return new WorkSpan(start, Earlier(before.End, next.Start));
            start = Later(start, wasInterrupted ? next.Start + warmup : Later(before.End, next.Start));
        }

        yield return new WorkSpan(start, legs[^1].End);
    }

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;
}

/// <summary>Whole UTC seconds from one (inclusive) to another (exclusive), in seconds since 1970.</summary>
public readonly record struct SecondRange(long From, long To)
{
    public long Count => To - From;

    /// <summary>The whole seconds within a time.</summary>
    public static SecondRange Within(WorkSpan span) => new(UtcSeconds.Ceiling(span.Start), UtcSeconds.Floor(span.End));

    /// <summary>The seconds that a time touches.</summary>
    public static SecondRange Around(WorkSpan span) => new(UtcSeconds.Floor(span.Start), UtcSeconds.Ceiling(span.End));
}

/// <summary>A set of whole UTC seconds. Its cost grows with the number of its ranges, not with their lengths or gaps.</summary>
public sealed class SecondSet : IEnumerable<long>
{
    public static readonly SecondSet Empty = new([]);

    private SecondSet(IReadOnlyList<SecondRange> ranges)
    {
        Ranges = ranges;
        Count = ranges.Sum(range => range.Count);
    }

    /// <summary>Ranges in ascending order that do not touch each other.</summary>
    public IReadOnlyList<SecondRange> Ranges { get; }

    /// <summary>Number of seconds.</summary>
    public long Count { get; }

    /// <summary>The union of ranges, in any order. Empty ranges are ignored.</summary>
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

    /// <summary>Enumerates the seconds in ascending order.</summary>
    public IEnumerator<long> GetEnumerator()
    {
        foreach (var (from, to) in Ranges)
        {
            for (var second = from; second < to; second++)
                yield return second;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The seconds at or after the given one.</summary>
    public SecondSet StartingAt(long second) =>
        new([.. Ranges.Where(range => range.To > second).Select(range => range with { From = Math.Max(range.From, second) })]);
}

/// <summary>Figures of one worker in one whole UTC second. Operations count in the second in which they ended.</summary>
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
    /// Latencies of the operations that succeeded in the second, in a coarse histogram; null without any.
    /// </summary>
    public PackedHistogram? Latency { get; init; }

    /// <summary>Errors of the second in the form of <see cref="LegResult.OtherErrors"/>; null without any.</summary>
    public IReadOnlyDictionary<string, long>? Errors { get; init; }
}

/// <summary>Whole seconds since 1970-01-01 UTC.</summary>
public static class UtcSeconds
{
    /// <summary>The second that contains an instant.</summary>
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
