namespace ScaleOut.Measurement;

/// <summary>How far clocks and legs may be apart before what they say is not believed.</summary>
public static class ClockLimits
{
    /// <summary>
    /// Longest time between two legs that is the run's own. What is longer, with no worker at work, is an interruption: schedules do not
    /// make up for it, and no rate counts it.
    /// </summary>
    public static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(10);

    /// <summary>Most that the clocks of two machines may differ. Machines in Azure and those that use NTP differ by milliseconds.</summary>
    public static readonly TimeSpan Skew = TimeSpan.FromSeconds(5);

    /// <summary>Most that instants may contradict each other that were read from one clock.</summary>
    public static readonly TimeSpan SameClock = TimeSpan.FromSeconds(0.5);

    /// <summary>Most that a leg may last beyond its <c>legDuration</c>: to drain, and on a machine that is held up.</summary>
    public static readonly TimeSpan LegOverrun = TimeSpan.FromMinutes(10);
}
