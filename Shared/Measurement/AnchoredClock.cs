using System.Diagnostics;

namespace ScaleOut.Measurement;

/// <summary>
/// UTC that never steps: the wall clock, read once, plus the monotonic time since. Setting the wall clock later changes nothing that this
/// clock shows, so that durations and orders by one such clock are true; <see cref="Step"/> says by how much the wall clock was set.
/// </summary>
public sealed class AnchoredClock
{
    /// <summary>A thread may be held up between reading the two clocks; the reading that took least is taken.</summary>
    private const int Readings = 5;

    private readonly TimeProvider _time;
    private readonly long _origin;

    /// <param name="time">The wall clock to read.</param>
    public AnchoredClock(TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        (_origin, AnchoredAt) = Enumerable.Range(0, Readings).Select(_ => Read(time)).MinBy(reading => reading.Took).Reading;
    }

    /// <summary>When the wall clock was read.</summary>
    public DateTimeOffset AnchoredAt { get; }

    public DateTimeOffset UtcNow => UtcOf(Stopwatch.GetTimestamp());

    /// <summary>How far the wall clock is ahead of this one by now: all that it was set by since this one was made.</summary>
    public TimeSpan Step => _time.GetUtcNow() - UtcNow;

    /// <summary>The instant of a timestamp of <see cref="Stopwatch"/>.</summary>
    public DateTimeOffset UtcOf(long timestamp) => AnchoredAt + Stopwatch.GetElapsedTime(_origin, timestamp);

    private static (long Took, (long Origin, DateTimeOffset At) Reading) Read(TimeProvider time)
    {
        var before = Stopwatch.GetTimestamp();
        var at = time.GetUtcNow();
        var took = Stopwatch.GetTimestamp() - before;
        return (took, (before + (took / 2), at));
    }
}
