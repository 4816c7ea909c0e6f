namespace ScaleOut.Measurement;

/// <summary>
/// The whole UTC seconds in which all workers were at work: each past its warm-up, none finished, none between two legs. Workers warm up
/// again after an interruption.
/// </summary>
public static class OverlapWindow
{
    /// <summary>Minimum number of seconds for a rate.</summary>
    public const int MinSeconds = 5;

    /// <summary>Whether a window has at least <see cref="MinSeconds"/>.</summary>
    public static bool IsUsable(NumberSet window) => window.Count >= MinSeconds;

    /// <param name="workers">The legs of each worker in their order. If a worker has no legs, there is no window.</param>
    /// <param name="warmup">Left out after the start of each worker's first leg, and of its first leg after an interruption.</param>
    /// <param name="interruptions">Times in which no worker was at work because the run was interrupted.</param>
    public static NumberSet From(
        IReadOnlyList<IReadOnlyList<TimeRange>> workers, TimeSpan warmup, IReadOnlyList<TimeRange>? interruptions = null)
    {
        if (workers.Count == 0)
            return NumberSet.Empty;
        return workers
            .Select(legs => NumberSet.From(Continuous(legs, warmup, interruptions ?? []).Select(span => span.WholeSeconds())))
            .Aggregate((all, worker) => all.Intersect(worker));
    }

    /// <summary>
    /// The times that a worker was at work without a pause. A second that a pause touches is not whole. If, by their clocks, one leg began
    /// before the previous one ended, their common time is left out as well.
    /// </summary>
    private static IEnumerable<TimeRange> Continuous(IReadOnlyList<TimeRange> legs, TimeSpan warmup, IReadOnlyList<TimeRange> interruptions)
    {
        if (legs.Count == 0)
            yield break;
        var start = legs[0].From + warmup;
        for (var leg = 1; leg < legs.Count; leg++)
        {
            var (before, next) = (legs[leg - 1], legs[leg]);
            if (next.From == before.To)
                continue;
            var wasInterrupted = interruptions.Any(interruption => interruption.From >= before.To && interruption.To <= next.From);
            yield return new TimeRange(start, Earlier(before.To, next.From));
            start = Later(start, wasInterrupted ? next.From + warmup : Later(before.To, next.From));
        }

        yield return new TimeRange(start, legs[^1].To);
    }

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;
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

/// <summary>A time of a run from one instant to another, such as the time in which one leg was at work.</summary>
public readonly record struct TimeRange(DateTimeOffset From, DateTimeOffset To)
{
    public NumberRange WholeSeconds() => NumberRange.Between(UtcSeconds.Ceiling(From), UtcSeconds.Floor(To));

    public NumberRange TouchedSeconds() => NumberRange.Between(UtcSeconds.Floor(From), UtcSeconds.Ceiling(To));
}
