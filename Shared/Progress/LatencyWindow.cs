namespace ScaleOut.Progress;

/// <summary>Latencies of the last few seconds, from the reports of the workers.</summary>
internal sealed class LatencyWindow
{
    /// <summary>Long enough that the 99th percentile of a slow run comes from more than a few operations.</summary>
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(10);

    private readonly List<(TimeSpan At, PackedHistogram Latency)> _reports = [];

    /// <summary>Adds the latencies of operations that ended since the worker's previous report.</summary>
    public void Add(TimeSpan at, PackedHistogram? latency)
    {
        _reports.RemoveAll(report => at - report.At > Length);
        if (latency is not null)
            _reports.Add((at, latency));
    }

    /// <summary>The latencies in the window; null if no operation ended in it.</summary>
    public LatencySummary? At(TimeSpan now)
    {
        var merged = LatencyMerge.Merge(_reports.Where(report => now - report.At <= Length).Select(report => report.Latency));
        return merged.Count == 0 ? null : LatencySummary.From(merged);
    }
}
