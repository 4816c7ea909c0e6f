namespace ScaleOut.Measurement;

/// <summary>
/// UTC that never steps: the wall clock, read once, plus the monotonic time since. Setting the wall clock later does not change this
/// clock, so durations and orders by one such clock are correct. <see cref="Step"/> says by how much the wall clock was set.
/// </summary>
public sealed class AnchoredClock
{
    /// <summary>A thread may be delayed between reading the two clocks, so the fastest of several readings is used.</summary>
    private const int Readings = 5;

    private readonly long _origin;
    private readonly double _ticks;

    public AnchoredClock(TimeProvider time)
    {
        Time = time;
        _ticks = (double)TimeSpan.TicksPerSecond / time.TimestampFrequency;
        (_origin, AnchoredAt) = Enumerable.Range(0, Readings).Select(_ => Read(time)).MinBy(reading => reading.Took).Reading;
    }

    /// <summary>The clock that timestamps and the wall clock's time are read from.</summary>
    public TimeProvider Time { get; }

    /// <summary>When the wall clock was read.</summary>
    public DateTimeOffset AnchoredAt { get; }

    public DateTimeOffset UtcNow => UtcOf(Time.GetTimestamp());

    /// <summary>How far the wall clock is ahead of this one: the sum of all changes to it since this clock was created.</summary>
    public TimeSpan Step => Time.GetUtcNow() - UtcNow;

    /// <summary>The instant of a timestamp of <see cref="Time"/>.</summary>
    public DateTimeOffset UtcOf(long timestamp) => AnchoredAt + Elapsed(_origin, timestamp);

    /// <summary>
    /// As <see cref="TimeProvider.GetElapsedTime(long, long)"/>, without reading the frequency: it is used for each operation.
    /// </summary>
    public TimeSpan Elapsed(long from, long to) => new((long)((to - from) * _ticks));

    private static (long Took, (long Origin, DateTimeOffset At) Reading) Read(TimeProvider time)
    {
        var before = time.GetTimestamp();
        var at = time.GetUtcNow();
        var took = time.GetTimestamp() - before;
        return (took, (before + (took / 2), at));
    }
}
