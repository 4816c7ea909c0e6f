namespace ScaleOut.Analysis.Reports;

/// <summary>Compares the delays of the simulated account's responses with the configured ones, see <see cref="DeliveredDelays"/>.</summary>
public sealed record DelayReport
{
    /// <summary>Why figures are not valid if <see cref="HaveSlipped"/>, as the end of a sentence.</summary>
    public const string CameLate = "the simulated account's responses came late";

    /// <summary>The same reason with its cause, for a sentence that a report contains once.</summary>
    public const string BusyMachine = $"the machine was too busy: {CameLate}";

    /// <summary>Delayed responses in the seconds by which the run is judged: its overlap window if it has one.</summary>
    public required long Responses { get; init; }

    /// <summary>Responses that were late by more than 1 ms and by more than 10% of their delay.</summary>
    public required long Slipped { get; init; }

    /// <summary><see cref="Slipped"/> / <see cref="Responses"/>; 0 without any.</summary>
    [JsonIgnore]
    public double SlippedShare => Responses == 0 ? 0 : Slipped / (double)Responses;

    /// <summary>
    /// Whether more than 1% of the responses slipped, and the median or the 99th percentile did as well. Then the latencies are those of a
    /// machine that was too busy, and so is the rate unless something else sets it (<see cref="Validity"/>).
    /// </summary>
    public required bool HaveSlipped { get; init; }

    /// <summary>Configured delays, in the same seconds as <see cref="DeliveredMs"/> and <see cref="SlipMs"/>.</summary>
    public required LatencySummary ConfiguredMs { get; init; }

    public required LatencySummary DeliveredMs { get; init; }

    public required LatencySummary SlipMs { get; init; }

    /// <summary>
    /// CPU time of the workers for each attempt in the same seconds, ms. Null where an attempt is not one request (bulk, queries, reads of
    /// two replicas, planned faults, splits and merges), without an overlap window, and in reports of earlier versions.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? ClientMs { get; init; }

    /// <summary>Judges the delays of the seconds by which the run is judged.</summary>
    public static DelayReport From(DeliveredDelays delays, double? clientMs)
    {
        return new DelayReport
        {
            ClientMs = Rounding.Latency(clientMs),
            Responses = delays.Responses,
            Slipped = delays.Slipped,
            HaveSlipped = delays.HaveSlipped,
            ConfiguredMs = delays.Configured,
            DeliveredMs = delays.Delivered,
            SlipMs = delays.Slip,
        };
    }
}
