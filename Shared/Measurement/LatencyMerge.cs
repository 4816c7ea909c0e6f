namespace ScaleOut.Measurement;

/// <summary>Merges histograms by adding their counts; percentiles are never averaged.</summary>
public static class LatencyMerge
{
    /// <summary>One histogram of all values.</summary>
    public static LatencyHistogram Merge(IEnumerable<LatencyHistogram> histograms)
    {
        ArgumentNullException.ThrowIfNull(histograms);
        var merged = new LatencyHistogram();
        foreach (var histogram in histograms)
            merged.Add(histogram);
        return merged;
    }
}
