using System.Xml.Linq;
using ScaleOut.Analysis.Charts;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>The room of a plot over time: its bins, where they lie, and its axes.</summary>
internal sealed class TimeFrame
{
    private readonly PlotSize _size;
    private readonly IReadOnlyList<double> _ticks;
    private readonly string _unit;
    private readonly ReportTimeline _time;
    private readonly Scale _x;

    /// <param name="size">Size of the picture.</param>
    /// <param name="time">The report's.</param>
    /// <param name="max">Largest value to show, limits included.</param>
    /// <param name="unit">Unit of the values.</param>
    /// <param name="leastOfLog">Smallest value of a logarithmic axis; null for one that begins at 0.</param>
    public TimeFrame(PlotSize size, ReportTimeline time, double max, string unit, double? leastOfLog = null)
    {
        (_size, _unit, _time) = (size, unit, time);
        var seconds = time.Seconds;
        _ticks = leastOfLog is { } least ? Ticks.Log(least, Math.Max(least, max)) : Ticks.Linear(max, most: 5);
        _x = Scale.Linear(0, seconds, PlotSize.Left, size.PlotRight);
        Y = leastOfLog is null
            ? Scale.Linear(0, _ticks[^1], size.PlotBottom, PlotSize.Top)
            : Scale.Log(_ticks[0], _ticks[^1], size.PlotBottom, PlotSize.Top);
        Bins = new TimeBins(seconds, size.MaxBins);
        Edges = [.. Enumerable.Range(0, Bins.Count + 1).Select(bin => _x.At(Bins.Start(bin)))];
    }

    public TimeBins Bins { get; }

    /// <summary>Where bins begin, and where the last one ends.</summary>
    public IReadOnlyList<double> Edges { get; }

    public Scale Y { get; }

    /// <summary>Means of the bins.</summary>
    /// <param name="perEntry">Values by entry of the report's series.</param>
    public double[] Means(IReadOnlyList<double> perEntry) => Bins.Means(_time.Positions, perEntry);

    /// <summary>Heights of the bins' means.</summary>
    /// <param name="perEntry">Values by entry of the report's series.</param>
    public IReadOnlyList<double> Levels(IReadOnlyList<double> perEntry) => [.. Means(perEntry).Select(Y.At)];

    /// <summary>Grid and value axis; to be drawn first.</summary>
    public IEnumerable<XElement> Behind() => Axes.Values(_size, Y, _ticks, _unit);

    /// <summary>Time axis, and where interruptions are left out of it; to be drawn last.</summary>
    public IEnumerable<XElement> InFront() => [.. Axes.Cuts(_size, _x, _time.Cuts), .. Axes.Time(_size, _x, Bins.Seconds)];

    /// <summary>Where a second starts.</summary>
    public double X(int second) => _x.At(second);
}

/// <summary>
/// Draws the seconds of long runs together so that a picture has at most so many points; each bin shows the mean of its seconds.
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

    /// <summary>Start of a bin, in seconds; for <see cref="Count"/> the end of the last one.</summary>
    public int Start(int bin) => Math.Min(bin * SecondsPerBin, Seconds);

    /// <summary>Mean of each bin over all of its seconds.</summary>
    /// <param name="positions">Seconds that have a value, from the beginning; the others count 0.</param>
    /// <param name="values">One for each of those.</param>
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
