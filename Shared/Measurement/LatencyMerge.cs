namespace ScaleOut.Measurement;

/// <summary>Merges histograms by adding their counts; percentiles are never averaged.</summary>
public static class LatencyMerge
{
    /// <summary>One histogram of all values.</summary>
    public static LatencyHistogram Merge(IEnumerable<LatencyHistogram> histograms)
    {
        var merged = new LatencyHistogram();
        foreach (var histogram in histograms)
            merged.Add(histogram);
        return merged;
    }

    /// <summary>One coarse histogram of all values.</summary>
    public static LatencyHistogram Merge(IEnumerable<PackedHistogram> coarse)
    {
        var merged = LatencyHistogram.Coarse();
        foreach (var histogram in coarse)
            histogram.AddTo(merged);
        return merged;
    }
}

/// <summary>
/// Reports interval by interval what a histogram that goes on being written to has counted. Each interval is a coarse histogram: small
/// enough for a message or a telemetry record, and always with the same buckets, so that percentiles of many come from their added counts.
/// </summary>
public sealed class LatencyIntervals(LatencyHistogram histogram)
{
    private readonly long[] _seen = new long[histogram.Counts.Length];
    private long _seenMicroseconds;

    /// <summary>What was counted since the last call, or since the beginning. Its maximum is as exact as its buckets.</summary>
    public LatencyHistogram Next()
    {
        var interval = LatencyHistogram.Coarse();
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
