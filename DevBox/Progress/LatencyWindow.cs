namespace ScaleOut.DevBox.Progress;

/// <summary>Percentiles of the latencies of the last few seconds, from what workers report of them.</summary>
internal sealed class LatencyWindow
{
    /// <summary>Long enough that the 99th percentile of a slow run rests on more than a few operations.</summary>
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(10);

    private readonly List<(TimeSpan At, IReadOnlyList<LatencyBucket> Buckets)> _reports = [];

    /// <summary>Takes the latencies that ended since a worker's report before.</summary>
    public void Add(TimeSpan at, IReadOnlyList<LatencyBucket> buckets)
    {
        _reports.RemoveAll(report => at - report.At > Length);
        if (buckets.Count > 0)
            _reports.Add((at, buckets));
    }

    /// <summary>Null where nothing ended within the window.</summary>
    public LiveLatency? At(TimeSpan now)
    {
        var counts = new SortedDictionary<double, long>();
        foreach (var bucket in _reports.Where(report => now - report.At <= Length).SelectMany(report => report.Buckets))
            counts[bucket.UpperBoundMs] = counts.GetValueOrDefault(bucket.UpperBoundMs) + bucket.Count;
        return counts.Count == 0 ? null : new LiveLatency(Percentile(counts, 0.5), Percentile(counts, 0.99));
    }

    private static double Percentile(SortedDictionary<double, long> counts, double share)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(share * counts.Values.Sum()));
        long seen = 0;
        return counts.First(bucket => (seen += bucket.Value) >= rank).Key;
    }
}

/// <summary>Latencies of operations with their waits, ms: upper bounds, at most 12.5% above.</summary>
internal readonly record struct LiveLatency(double P50Ms, double P99Ms);
