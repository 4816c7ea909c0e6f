using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Legs;

/// <summary>Times within a leg: how long it drains, and how often something is looked at. How long it lasts is the spec's.</summary>
public static class LegTimes
{
    /// <summary>How long operations in flight may go on after the leg's time is up.</summary>
    public static readonly TimeSpan Drain = CosmosClientFactory.RequestTimeout;

    /// <summary>How long they may go on after the run was stopped; with the polling of the stop flag a leg ends within 2 s.</summary>
    public static readonly TimeSpan DrainWhenStopped = TimeSpan.FromSeconds(0.8);

    /// <summary>How long operation loops have to let go after the drain before the leg ends without them.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(0.2);

    /// <summary>Without any response of the account for this long, the leg ends.</summary>
    public static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    /// <summary>How often the stop flag is looked at.</summary>
    public static readonly TimeSpan StopPoll = TimeSpan.FromSeconds(1);

    /// <summary>How often progress is reported.</summary>
    public static readonly TimeSpan Progress = TimeSpan.FromSeconds(0.5);
}
