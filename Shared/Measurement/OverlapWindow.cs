namespace ScaleOut.Measurement;

/// <summary>
/// The whole UTC seconds in which all workers were at work: each past its warm-up, none finished, none between two legs. After an
/// interruption workers warm up again.
/// </summary>
public sealed class OverlapWindow
{
    /// <summary>Fewest seconds that a rate may rest on.</summary>
    public const int MinSeconds = 5;

    private OverlapWindow(SecondSet seconds) => Seconds = seconds;

    public SecondSet Seconds { get; }

    /// <summary>Whether there are at least <see cref="MinSeconds"/>.</summary>
    public bool IsUsable => Seconds.Count >= MinSeconds;

    public bool Contains(long second) => Seconds.Contains(second);

    /// <summary>Finds the window.</summary>
    /// <param name="workers">The legs of each worker in their order. A worker without any was never at work, so there is no window.</param>
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
    /// The times that a worker was at work without a pause. A second that a pause touches is not whole. Where clocks let one leg begin
    /// before the other ended, the time that both claim is left out as well.
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
