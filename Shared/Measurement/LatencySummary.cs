namespace ScaleOut.Measurement;

/// <summary>
/// A latency distribution in ms, rounded to 0.001. Percentiles are as exact as the histogram's buckets; mean and maximum are exact. All are
/// null if nothing was measured.
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

/// <summary>Merges histograms by adding their counts; percentiles are never averaged.</summary>
public static class LatencyMerge
{
    public static LatencyHistogram Merge(IEnumerable<LatencyHistogram> histograms)
    {
        var merged = new LatencyHistogram();
        foreach (var histogram in histograms)
            merged.Add(histogram);
        return merged;
    }

    public static LatencyHistogram Merge(IEnumerable<PackedHistogram> coarse)
    {
        var merged = LatencyHistogram.Coarse();
        foreach (var histogram in coarse)
            histogram.AddTo(merged);
        return merged;
    }

    /// <summary>Merges the latencies of the legs' seconds.</summary>
    public static IReadOnlyDictionary<long, PackedHistogram> BySecond(IEnumerable<LegResult> legs)
    {
        var merged = new Dictionary<long, PackedHistogram>();
        foreach (var leg in legs)
            AddBySecond(merged, leg);
        return merged;
    }

    /// <summary>Adds the latencies of a leg's seconds to those of the legs before it.</summary>
    public static void AddBySecond(Dictionary<long, PackedHistogram> merged, LegResult leg)
    {
        foreach (var sample in leg.Seconds)
        {
            if (sample.Latency is { } latency)
                merged[sample.Second] = merged.TryGetValue(sample.Second, out var sum) ? Packed(sum, latency) : latency;
        }

        static PackedHistogram Packed(PackedHistogram first, PackedHistogram second) => PackedHistogram.From(Merge([first, second]));
    }
}

/// <summary>
/// Splits the counts of a histogram into intervals while it is still written to. Each interval is a coarse histogram, which is small
/// enough for a message or a telemetry record. All intervals have the same buckets, so their counts can be added for percentiles.
/// </summary>
public sealed class LatencyIntervals(Func<LatencyHistogram> read)
{
    private readonly long[] _seen = new long[read().Counts.Length];
    private long _seenMicroseconds;

    /// <summary>The counts since the last call, or since the beginning. The maximum is only as exact as the fine buckets.</summary>
    public LatencyHistogram Next()
    {
        var interval = LatencyHistogram.Coarse();
        var histogram = read();
        var counts = histogram.Counts;
        long longest = 0;
        for (var bucket = 0; bucket < counts.Length; bucket++)
        {
            var count = Volatile.Read(in counts[bucket]);
            if (count == _seen[bucket])
                continue;
            interval.AddFine(bucket, count - _seen[bucket]);
            longest = LatencyHistogram.EndOf(bucket) - 1;
            _seen[bucket] = count;
        }

        var microseconds = histogram.SumMicroseconds;
        interval.Add([], microseconds - _seenMicroseconds, Math.Min(longest, histogram.MaxRecordedMicroseconds));
        _seenMicroseconds = microseconds;
        return interval;
    }
}
