namespace ScaleOut.Measurement;

/// <summary>
/// A latency distribution in ms, to 0.001. Percentiles are as exact as the histogram, mean and maximum are exact; all are null when nothing
/// was measured.
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
        double? Percentile(double percent) => Rounded(histogram.PercentileMs(percent));
        return new()
        {
            Mean = Rounded(histogram.MeanMs),
            P50 = Percentile(50),
            P90 = Percentile(90),
            P95 = Percentile(95),
            P96 = Percentile(96),
            P99 = Percentile(99),
            P999 = Percentile(99.9),
            Max = Rounded(histogram.Count == 0 ? null : histogram.MaxRecordedMicroseconds / 1000.0),
        };
    }

    private static double? Rounded(double? milliseconds) => milliseconds is { } known ? Math.Round(known, 3) : null;
}
