namespace ScaleOut.Analysis.Reports;

/// <summary>
/// Takes the seconds of long runs together so that a chart has at most so many points; each bin shows the mean of its seconds.
/// </summary>
internal sealed class TimeBins
{
    public TimeBins(int seconds, int maxBins)
    {
        Seconds = seconds;
        SecondsPerBin = Math.Max(1, (seconds + maxBins - 1) / maxBins);
        Count = (seconds + SecondsPerBin - 1) / SecondsPerBin;
    }

    public int Seconds { get; }

    public int SecondsPerBin { get; }

    public int Count { get; }

    /// <summary>Start of each bin, in seconds.</summary>
    public IReadOnlyList<double> Starts => [.. Enumerable.Range(0, Count).Select(bin => (double)Start(bin))];

    /// <summary>Start of a bin, in seconds; for <see cref="Count"/> the end of the last one.</summary>
    public int Start(int bin) => Math.Min(bin * SecondsPerBin, Seconds);

    /// <summary>Mean of each bin over all of its seconds.</summary>
    /// <param name="positions">Seconds that have a value, from the beginning; the others count 0.</param>
    public double[] Means(IReadOnlyList<int> positions, IReadOnlyList<double> values)
    {
        var means = new double[Count];
        for (var i = 0; i < positions.Count; i++)
            means[positions[i] / SecondsPerBin] += values[i];
        for (var bin = 0; bin < Count; bin++)
            means[bin] /= Start(bin + 1) - Start(bin);
        return means;
    }
}
