using System.Text.Json.Serialization;

namespace ScaleOut.Reports;

/// <summary>Documents inserted per second, counted in two ways. Documents that were already present count in neither.</summary>
public sealed record ThroughputReport
{
    /// <summary>
    /// Inserted / <see cref="MakespanSeconds"/>, as published tables count. Null when nothing ran, and for a run with
    /// <see cref="RunReport.TimeErrors"/>, of which no rate is claimed.
    /// </summary>
    public double? MakespanPerSecond { get; init; }

    /// <summary>
    /// Last end - first start without <see cref="RunReport.Interruptions"/>; for a worker between its own start and end. Null as the rate
    /// is.
    /// </summary>
    public double? MakespanSeconds { get; init; }

    /// <summary>
    /// Inserted per second over the whole UTC seconds in which all workers were at work (<see cref="RunReport.Overlap"/>): past warm-up,
    /// none finished, none between two legs. For a worker its own share of it. Null when there are fewer than 5 such seconds.
    /// </summary>
    public double? OverlapPerSecond { get; init; }

    /// <summary>Seconds that <see cref="OverlapPerSecond"/> rests on.</summary>
    public required int OverlapSeconds { get; init; }

    /// <summary>The rate to go by: the overlap rate, else the makespan rate; null when there is neither.</summary>
    [JsonIgnore]
    public double? Rate => OverlapPerSecond ?? MakespanPerSecond;
}
