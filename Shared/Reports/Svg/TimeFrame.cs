using System.Xml.Linq;

namespace ScaleOut.Reports.Svg;

/// <summary>The room of a plot over time: its bins, where they lie, and its axes.</summary>
internal sealed class TimeFrame
{
    private readonly PlotSize _size;
    private readonly IReadOnlyList<double> _ticks;
    private readonly string _unit;
    private readonly Scale _x;

    /// <param name="size">Size of the picture.</param>
    /// <param name="seconds">Seconds that the series have.</param>
    /// <param name="max">Largest value to show, limits included.</param>
    /// <param name="unit">Unit of the values.</param>
    public TimeFrame(PlotSize size, int seconds, double max, string unit)
    {
        (_size, _unit) = (size, unit);
        _ticks = Ticks.Linear(max, most: 5);
        _x = Scale.Linear(0, seconds, PlotSize.Left, size.PlotRight);
        Y = Scale.Linear(0, _ticks[^1], size.PlotBottom, PlotSize.Top);
        Bins = new TimeBins(seconds, size.MaxBins);
        Edges = [.. Enumerable.Range(0, Bins.Count + 1).Select(bin => _x.At(Bins.Start(bin)))];
    }

    public TimeBins Bins { get; }

    /// <summary>Where bins begin, and where the last one ends.</summary>
    public IReadOnlyList<double> Edges { get; }

    public Scale Y { get; }

    /// <summary>Heights of the bins' means.</summary>
    public IReadOnlyList<double> Levels(IReadOnlyList<double> perSecond) => [.. Bins.Means(perSecond).Select(Y.At)];

    /// <summary>Grid and value axis; to be drawn first.</summary>
    public IEnumerable<XElement> Behind() => Axes.Values(_size, Y, _ticks, _unit);

    /// <summary>Time axis; to be drawn last.</summary>
    public IEnumerable<XElement> InFront() => Axes.Time(_size, _x, Bins.Seconds);

    /// <summary>Where a second starts.</summary>
    public double X(int second) => _x.At(second);
}
