namespace ScaleOut.Analysis.Reports;

/// <summary>Whether the simulated account delayed its responses as its physics say, see <see cref="DeliveredDelays"/>.</summary>
public sealed record DelayReport
{
    /// <summary>Why latencies and rates count for nothing if <see cref="HaveSlipped"/>, as the end of a sentence.</summary>
    public const string CameLate = "the simulated account's responses came late";

    /// <summary>The same with its cause, for a sentence that stands once in a report.</summary>
    public const string BusyMachine = $"the machine was too busy: {CameLate}";

    /// <summary>Delayed responses in the seconds by which the run is judged: its overlap window if it has one.</summary>
    public required long Responses { get; init; }

    /// <summary>Responses that were late by more than 1 ms and by more than 10% of their delay.</summary>
    public required long Slipped { get; init; }

    /// <summary><see cref="Slipped"/> / <see cref="Responses"/>; 0 without any.</summary>
    [JsonIgnore]
    public double SlippedShare => Responses == 0 ? 0 : Slipped / (double)Responses;

    /// <summary>
    /// Whether more than 1% of the responses slipped, and so the 99th percentile. Then the latencies and rates are those of a machine that
    /// was too busy, and the run counts for no finding.
    /// </summary>
    public required bool HaveSlipped { get; init; }

    /// <summary>Delays that the physics asked for. The next two figures are of the same seconds.</summary>
    public required LatencySummary ConfiguredMs { get; init; }

    public required LatencySummary DeliveredMs { get; init; }

    public required LatencySummary SlipMs { get; init; }

    /// <summary>Judges the delays of the seconds by which the run is judged.</summary>
    public static DelayReport From(DeliveredDelays delays)
    {
        return new DelayReport
        {
            Responses = delays.Responses,
            Slipped = delays.Slipped,
            HaveSlipped = delays.HaveSlipped,
            ConfiguredMs = delays.Configured,
            DeliveredMs = delays.Delivered,
            SlipMs = delays.Slip,
        };
    }
}
