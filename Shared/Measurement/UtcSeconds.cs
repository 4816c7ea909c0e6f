namespace ScaleOut.Measurement;

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
