using System.Text.Json.Serialization;
using ScaleOut.Measurement;
using ScaleOut.Orchestration;

namespace ScaleOut.Analysis.Reports;

/// <summary>Whether the simulated account delayed its responses as its physics say, see <see cref="DeliveredDelays"/>.</summary>
public sealed record DelayReport
{
    /// <summary>Delayed responses in the seconds by which the run is judged: its overlap window where it has one.</summary>
    public required long Responses { get; init; }

    /// <summary>Those of them that came more than 1 ms and more than 10% of their delay too late.</summary>
    public required long Slipped { get; init; }

    /// <summary><see cref="Slipped"/> / <see cref="Responses"/>; 0 without any.</summary>
    [JsonIgnore]
    public double SlippedShare => Responses == 0 ? 0 : Slipped / (double)Responses;

    /// <summary>
    /// Whether more than 1% have slipped, and the 99th percentile with them: then the latencies and rates are those of a machine that was
    /// too busy, and the run counts for no finding.
    /// </summary>
    public required bool HaveSlipped { get; init; }

    /// <summary>What the physics said, of the account's whole life, as are the next two.</summary>
    public required DelayQuantiles ConfiguredMs { get; init; }

    public required DelayQuantiles DeliveredMs { get; init; }

    public required DelayQuantiles SlipMs { get; init; }

    /// <summary>Judges delays by some of their seconds.</summary>
    public static DelayReport From(DeliveredDelays delays, SecondSet judged)
    {
        ArgumentNullException.ThrowIfNull(delays);
        ArgumentNullException.ThrowIfNull(judged);
        var seconds = delays.Seconds.Where(second => judged.Contains(second.Second)).ToList();
        var (responses, slipped) = (seconds.Sum(second => second.Responses), seconds.Sum(second => second.Slipped));
        return new DelayReport
        {
            Responses = responses,
            Slipped = slipped,
            HaveSlipped = slipped > DeliveredDelays.MostSlippedShare * responses && delays.PercentileHasSlipped(),
            ConfiguredMs = delays.Configured,
            DeliveredMs = delays.Delivered,
            SlipMs = delays.Slip,
        };
    }
}
