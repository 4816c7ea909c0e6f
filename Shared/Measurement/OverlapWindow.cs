namespace ScaleOut.Measurement;

/// <summary>
/// The whole UTC seconds in which all workers were at work: each past its warm-up, none finished, none between two legs.
/// </summary>
public sealed class OverlapWindow
{
    /// <summary>Fewest seconds that a rate may rest on.</summary>
    public const int MinSeconds = 5;

    private readonly HashSet<long> _seconds;

    private OverlapWindow(IReadOnlyList<long> seconds)
    {
        Seconds = seconds;
        _seconds = [.. seconds];
    }

    /// <summary>Ascending; a second is named by its start, in seconds since 1970.</summary>
    public IReadOnlyList<long> Seconds { get; }

    /// <summary>Whether there are at least <see cref="MinSeconds"/>.</summary>
    public bool IsUsable => Seconds.Count >= MinSeconds;

    public bool Contains(long second) => _seconds.Contains(second);

    /// <summary>Finds the window.</summary>
    /// <param name="workers">The legs of each worker in their order. A worker without any was never at work, so there is no window.</param>
    /// <param name="warmup">Left out after the start of each worker's first leg.</param>
    public static OverlapWindow Of(IReadOnlyList<IReadOnlyList<WorkSpan>> workers, TimeSpan warmup)
    {
        ArgumentNullException.ThrowIfNull(workers);
        if (workers.Count == 0 || workers.Any(legs => legs.Count == 0))
            return new OverlapWindow([]);

        var from = workers.Max(legs => UtcSeconds.Ceiling(legs[0].Start + warmup));
        var to = workers.Min(legs => UtcSeconds.Floor(legs[^1].End));
        if (to <= from)
            return new OverlapWindow([]);

        var together = new bool[to - from];
        Array.Fill(together, true);
        foreach (var legs in workers)
        {
            for (var leg = 1; leg < legs.Count; leg++)
                LeaveOut(together, from, legs[leg - 1].End, legs[leg].Start);
        }

        return new OverlapWindow([.. Enumerable.Range(0, together.Length).Where(i => together[i]).Select(i => from + i)]);
    }

    /// <summary>Leaves out every second that a gap touches.</summary>
    private static void LeaveOut(bool[] together, long from, DateTimeOffset gapStart, DateTimeOffset gapEnd)
    {
        if (gapEnd <= gapStart)
            return;
        var first = Math.Max(0, UtcSeconds.Floor(gapStart) - from);
        var end = Math.Min(together.Length, UtcSeconds.Ceiling(gapEnd) - from);
        for (var i = first; i < end; i++)
            together[i] = false;
    }
}
