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

    public AnchoredClock(TimeProvider time)
    {
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

/// <summary>How far clocks and legs may be apart before what they say is not believed.</summary>
public static class ClockLimits
{
    /// <summary>
    /// Longest time between two legs that is the run's own. What is longer, with no worker at work, is an interruption: schedules do not
    /// make up for it, and no rate counts it.
    /// </summary>
    public static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(10);

    /// <summary>Most that the clocks of two machines may differ. Machines in Azure and those that use NTP differ by milliseconds.</summary>
    public static readonly TimeSpan Skew = TimeSpan.FromSeconds(5);

    /// <summary>Most that instants may contradict each other that were read from one clock.</summary>
    public static readonly TimeSpan SameClock = TimeSpan.FromSeconds(0.5);

    /// <summary>Most that a leg may last beyond its <c>legDuration</c>: to drain, and on a machine that is held up.</summary>
    public static readonly TimeSpan LegOverrun = TimeSpan.FromMinutes(10);
}
