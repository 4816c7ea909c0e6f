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
}

/// <summary>
/// Reports interval by interval what a histogram that goes on being written to has counted, in eight buckets to each power of two: few
/// enough for a telemetry record, and always with the same bounds, so that percentiles of many records come from their added counts.
/// </summary>
public sealed class LatencyIntervals(LatencyHistogram histogram)
{
    /// <summary>Buckets of the histogram that make one here.</summary>
    private const int Joined = 8;

    private readonly long[] _seen = new long[LatencyHistogram.BucketCount];

    /// <summary>What was counted since the last call, or since the beginning; empty buckets are left out.</summary>
    public IReadOnlyList<LatencyBucket> Next()
    {
        var buckets = new List<LatencyBucket>();
        var counts = histogram.Counts;
        for (var first = 0; first < counts.Length; first += Joined)
        {
            var end = Math.Min(first + Joined, counts.Length);
            long fresh = 0;
            for (var bucket = first; bucket < end; bucket++)
            {
                var count = Volatile.Read(in counts[bucket]);
                fresh += count - _seen[bucket];
                _seen[bucket] = count;
            }

            if (fresh > 0)
                buckets.Add(new LatencyBucket(LatencyHistogram.EndOf(end - 1) / 1000.0, fresh));
        }

        return buckets;
    }
}
