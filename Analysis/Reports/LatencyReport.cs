namespace ScaleOut.Analysis.Reports;

/// <summary>Latencies of all workers or of one worker, from merged histograms.</summary>
public sealed record LatencyReport
{
    /// <summary>Latencies from the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencySummary Operation { get; init; }

    /// <summary>Latencies from handing an operation to the SDK to its response, whatever the response was.</summary>
    public required LatencySummary Attempt { get; init; }

    /// <summary>
    /// How many operations took how long, in buckets whose bounds are 12.5% apart at most, ascending; only for all workers together.
    /// </summary>
    public IReadOnlyList<LatencyBucket> Operations { get; init; } = [];

    /// <summary>
    /// Quantiles of <see cref="Attempt"/> by ascending probability, from 1% on, as far as there are enough attempts on both sides of
    /// them; only for all workers together.
    /// </summary>
    public IReadOnlyList<LatencyQuantile> AttemptQuantiles { get; init; } = [];

    /// <summary>
    /// Whether the latencies include the warm-up, which rates exclude. True in a run without an overlap rate, and if the warm-up was not
    /// measured separately.
    /// </summary>
    public bool IncludesWarmup { get; init; }

    /// <summary>
    /// Whether each operation waits for the one before. Then a stall shows only in the operations that met it, not in those that it delayed
    /// (coordinated omission). At a fixed rate, percentiles would be higher.
    /// </summary>
    public bool ClosedLoop { get; init; }
}
