namespace ScaleOut.Measurement;

/// <summary>
/// The configured and the measured delays of the simulated account's responses. Times run from the start of a request until its response
/// was handed to the connection. Requests without a delay are not counted.
/// </summary>
/// <remarks>
/// A response has slipped if it was late by more than 1 ms or 10% of its delay, whichever is larger. 1 ms is the resolution of the timer.
/// The delays of a run have slipped if more than 1% of the responses in its judged seconds have, and the median or the 99th percentile is
/// late by as much too. A few late responses that do not change the distribution do not change any figure. If the delays have slipped,
/// latencies, and the rates that follow from them, show the machine and not the simulated physics.
/// </remarks>
public sealed record DeliveredDelays
{
    /// <summary>How late any response may be, in ms.</summary>
    public const double AllowedMs = 1;

    /// <summary>How late a response may be, as a share of its delay.</summary>
    public const double AllowedShare = 0.1;

    /// <summary>Largest share of responses that may be later than both.</summary>
    public const double MaxSlippedShare = 0.01;

    /// <summary>Responses that were delayed.</summary>
    public required long Responses { get; init; }

    /// <summary>Responses that have slipped.</summary>
    public required long Slipped { get; init; }

    /// <summary>The delays that the physics set.</summary>
    public required LatencySummary Configured { get; init; }

    /// <summary>The delays that were measured.</summary>
    public required LatencySummary Delivered { get; init; }

    /// <summary>How late the responses were. Early responses count as 0.</summary>
    public required LatencySummary Slip { get; init; }

    /// <summary>
    /// CPU time of the account's process in the judged seconds; null if no response was delayed.
    /// </summary>
    public double? CpuSeconds { get; init; }

    /// <summary>
    /// Number of judged seconds in which responses were delayed. Delays are kept for two hours, so older seconds are not counted.
    /// </summary>
    public int? Seconds { get; init; }

    /// <summary>
    /// Whether more than 1% of the responses have slipped, and the median or the 99th percentile by more than 1 ms or 10%, whichever is
    /// larger. For the median this uses the median lateness, not the difference of the medians. The latter jumps in a run with both fast
    /// throttled responses and slow batches.
    /// </summary>
    [JsonIgnore]
    public bool HaveSlipped => Slipped > MaxSlippedShare * Responses
        && (IsSlip(Configured.P50, Configured.P50 + Slip.P50) || IsSlip(Configured.P99, Delivered.P99));

    /// <summary>Whether a quantile is too late; true if it is unknown.</summary>
    private static bool IsSlip(double? configuredMs, double? deliveredMs) => configuredMs is not { } configured
        || deliveredMs is not { } delivered || IsSlip(TimeSpan.FromMilliseconds(configured), TimeSpan.FromMilliseconds(delivered));

    /// <summary>Whether a response was too late.</summary>
    public static bool IsSlip(TimeSpan configured, TimeSpan delivered) =>
        (delivered - configured).TotalMilliseconds > Math.Max(AllowedMs, AllowedShare * configured.TotalMilliseconds);
}
