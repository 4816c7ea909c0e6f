namespace ScaleOut.Analysis.Reports;

/// <summary>
/// A latency distribution in ms. Percentiles are off by at most 1%, mean and maximum are exact; all are null when nothing was measured.
/// </summary>
public sealed record LatencySummary
{
    public double? Mean { get; init; }

    public double? P50 { get; init; }

    public double? P90 { get; init; }

    public double? P95 { get; init; }

    /// <summary>The percentile that older published load tests quote.</summary>
    public double? P96 { get; init; }

    public double? P99 { get; init; }

    /// <summary>99.9%.</summary>
    public double? P999 { get; init; }

    public double? Max { get; init; }

    /// <summary>Reads the figures off a histogram.</summary>
    public static LatencySummary From(LatencyHistogram histogram)
    {
        double? Percentile(double percent) => Rounding.Latency(histogram.PercentileMs(percent));
        return new()
        {
            Mean = Rounding.Latency(histogram.MeanMs),
            P50 = Percentile(50),
            P90 = Percentile(90),
            P95 = Percentile(95),
            P96 = Percentile(96),
            P99 = Percentile(99),
            P999 = Percentile(99.9),
            Max = Rounding.Latency(histogram.Count == 0 ? null : histogram.MaxRecordedMicroseconds / 1000.0),
        };
    }
}

/// <summary>Latencies of all workers or of one, of one merged histogram each.</summary>
public sealed record LatencyReport
{
    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencySummary Operation { get; init; }

    /// <summary>From handing an operation to the SDK to its response, whatever it was.</summary>
    public required LatencySummary Attempt { get; init; }

    /// <summary>
    /// How many operations took how long, in buckets whose bounds are 12.5% apart at most, ascending; only of all workers together, and
    /// empty in what earlier versions wrote.
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
