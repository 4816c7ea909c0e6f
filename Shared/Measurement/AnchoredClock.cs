namespace ScaleOut.Measurement;

/// <summary>
/// UTC that never steps: the wall clock, read once, plus the monotonic time since. Setting the wall clock later does not change this
/// clock, so durations and orders by one such clock are correct. <see cref="Step"/> says by how much the wall clock was set.
/// </summary>
public sealed class AnchoredClock
{
    /// <summary>A thread may be delayed between reading the two clocks, so the fastest of several readings is used.</summary>
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

    /// <summary>How far the wall clock is ahead of this one: the sum of all changes to it since this clock was created.</summary>
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
