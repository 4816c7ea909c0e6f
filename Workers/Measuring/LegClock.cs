namespace ScaleOut.Workers.Measuring;

/// <summary>
/// A monotonic clock for a leg. It also gives the UTC second of an instant, so that an operation needs only one reading. UTC comes from an
/// <see cref="AnchoredClock"/>, so setting the wall clock during the leg changes nothing.
/// </summary>
public sealed class LegClock
{
    private readonly AnchoredClock _utc;
    private readonly long _origin;

    /// <param name="utc">The clock of the run in this process.</param>
    public LegClock(AnchoredClock utc)
    {
        (_utc, Time) = (utc, utc.Time);
        _origin = Now;
        FirstSecond = utc.UtcOf(_origin).ToUnixTimeSeconds();
    }

    /// <param name="time">The wall clock that the origin is read from.</param>
    public LegClock(TimeProvider time)
        : this(new AnchoredClock(time))
    {
    }

    /// <summary>The UTC second, since 1970, in which the clock was created.</summary>
    public long FirstSecond { get; }

    /// <summary>The clock that <see cref="Now"/> is read from.</summary>
    public TimeProvider Time { get; }

    /// <summary>Now, as a timestamp of <see cref="Time"/>.</summary>
    public long Now => Time.GetTimestamp();

    public DateTimeOffset UtcOf(long timestamp) => _utc.UtcOf(timestamp);

    /// <summary>Seconds from the creation of the clock to an instant.</summary>
    public double SecondsTo(long timestamp) => Elapsed(_origin, timestamp).TotalSeconds;

    /// <summary>The time between two timestamps.</summary>
    public TimeSpan Elapsed(long from, long to) => _utc.Elapsed(from, to);

    /// <summary>A time as a difference of timestamps.</summary>
    public long TicksOf(double seconds) => (long)(seconds * Time.TimestampFrequency);

    /// <summary>Whole UTC seconds since <see cref="FirstSecond"/>.</summary>
    public int SecondOf(long timestamp) => (int)(UtcOf(timestamp).ToUnixTimeSeconds() - FirstSecond);

    /// <summary>From the given instant to the end of its UTC second.</summary>
    public TimeSpan LeftInSecond(long timestamp) =>
        TimeSpan.FromTicks(TimeSpan.TicksPerSecond - (UtcOf(timestamp).Ticks % TimeSpan.TicksPerSecond));
}
