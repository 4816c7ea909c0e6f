namespace ScaleOut.Reports.Svg;

/// <summary>Draws the seconds of long runs together so that a picture has at most so many points; each bin shows the mean of its seconds.</summary>
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

    /// <summary>Start of a bin, in seconds; for <see cref="Count"/> the end of the last one.</summary>
    public int Start(int bin) => Math.Min(bin * SecondsPerBin, Seconds);

    /// <summary>Mean of each bin.</summary>
    public double[] Means(IReadOnlyList<double> perSecond)
    {
        var means = new double[Count];
        for (var bin = 0; bin < Count; bin++)
        {
            double sum = 0;
            for (var i = Start(bin); i < Start(bin + 1); i++)
                sum += perSecond[i];
            means[bin] = sum / (Start(bin + 1) - Start(bin));
        }

        return means;
    }
}
