namespace ScaleOut.Measurement;

/// <summary>
/// How long the simulated account's responses were to be delayed, and how long they really were, from the request's beginning until the
/// response was given to its connection. Requests that are not delayed are not in it.
/// </summary>
/// <remarks>
/// A response has slipped when it came later than it was due by more than 1 ms or 10% of its delay, whichever is larger: 1 ms is the grain
/// of the timer. Delays of a run have slipped when more than 1% of the responses in its judged seconds have, and half of all responses or
/// the 99th percentile with them by as much: a few late ones that leave the distribution as it was change no figure. Then the latencies,
/// and the rates that follow from them, are the machine's and not the physics'.
/// </remarks>
public sealed record DeliveredDelays
{
    /// <summary>By how many ms any response may come late.</summary>
    public const double AllowedMs = 1;

    /// <summary>By how much of its delay a response may come late.</summary>
    public const double AllowedShare = 0.1;

    /// <summary>Share of responses that may come later than that.</summary>
    public const double MaxSlippedShare = 0.01;

    /// <summary>Responses that were delayed.</summary>
    public required long Responses { get; init; }

    /// <summary>Responses that have slipped.</summary>
    public required long Slipped { get; init; }

    /// <summary>What the physics said.</summary>
    public required LatencySummary Configured { get; init; }

    /// <summary>How long it took.</summary>
    public required LatencySummary Delivered { get; init; }

    /// <summary>How much longer than due; what came early counts as 0.</summary>
    public required LatencySummary Slip { get; init; }

    /// <summary>
    /// CPU time of the account's process in the seconds that count; null if no response was delayed.
    /// </summary>
    public double? CpuSeconds { get; init; }

    /// <summary>Of the seconds that count, those in which responses were delayed and whose delays are kept: the latest two hours.</summary>
    public int? Seconds { get; init; }

    /// <summary>
    /// Whether more than 1% of the responses have slipped, and half of all responses or the 99th percentile with them by more than 1 ms or
    /// 10%, whichever is larger. The median of how late they were is asked, not how much later the median is: where throttled responses and
    /// batches share a run, that one jumps from the ones to the others.
    /// </summary>
    [JsonIgnore]
    public bool HaveSlipped => Slipped > MaxSlippedShare * Responses
        && (IsSlip(Configured.P50, Configured.P50 + Slip.P50) || IsSlip(Configured.P99, Delivered.P99));

    /// <summary>Whether a quantile came too late; true if it is unknown.</summary>
    private static bool IsSlip(double? configuredMs, double? deliveredMs) => configuredMs is not { } configured
        || deliveredMs is not { } delivered || IsSlip(TimeSpan.FromMilliseconds(configured), TimeSpan.FromMilliseconds(delivered));

    /// <summary>Whether a response came too late.</summary>
    public static bool IsSlip(TimeSpan configured, TimeSpan delivered) =>
        (delivered - configured).TotalMilliseconds > Math.Max(AllowedMs, AllowedShare * configured.TotalMilliseconds);
}
