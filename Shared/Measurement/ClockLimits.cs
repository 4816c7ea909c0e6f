namespace ScaleOut.Measurement;

/// <summary>Tolerances for instants of clocks and legs. Instants that differ by more are not trusted.</summary>
public static class ClockLimits
{
    /// <summary>
    /// Longest time between two legs that belongs to the run. A longer time with no worker at work is an interruption: schedules do not
    /// catch up on it, and no rate counts it.
    /// </summary>
    public static readonly TimeSpan LongestPauseBetweenLegs = TimeSpan.FromSeconds(10);

    /// <summary>Largest difference of two machines' clocks. Machines in Azure and those that use NTP differ by milliseconds.</summary>
    public static readonly TimeSpan Skew = TimeSpan.FromSeconds(5);

    /// <summary>Largest contradiction between instants that were read from one clock.</summary>
    public static readonly TimeSpan SameClock = TimeSpan.FromSeconds(0.5);

    /// <summary>Longest time that a leg may last beyond its <c>legDuration</c>, to drain its operations or on a stalled machine.</summary>
    public static readonly TimeSpan LegOverrun = TimeSpan.FromMinutes(10);
}
