namespace ScaleOut.Analysis.Reports;

/// <summary>Latencies of all workers or of one, of one merged histogram each.</summary>
public sealed record LatencyReport
{
    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencySummary Operation { get; init; }

    /// <summary>From handing an operation to the SDK to its response, whatever it was.</summary>
    public required LatencySummary Attempt { get; init; }

    /// <summary>
    /// How many operations took how long, in buckets whose bounds are 12.5% apart at most, ascending; only of all workers together.
    /// </summary>
    public IReadOnlyList<LatencyBucket> Operations { get; init; } = [];

    /// <summary>
    /// Quantiles of <see cref="Attempt"/> by ascending probability, from 1% on, as far as there are enough attempts on both sides of
    /// them; only of all workers together.
    /// </summary>
    public IReadOnlyList<LatencyQuantile> AttemptQuantiles { get; init; } = [];

    /// <summary>
    /// Whether the warm-up, which rates leave out, is in them: in a run without an overlap rate, and where it was not kept apart.
    /// </summary>
    public bool IncludesWarmup { get; init; }

    /// <summary>
    /// Whether they are of operations that wait for each other, so that a stall shows in those that met it and not in those that it delayed
    /// (coordinated omission): at a fixed rate percentiles would be higher.
    /// </summary>
    public bool ClosedLoop { get; init; }
}
