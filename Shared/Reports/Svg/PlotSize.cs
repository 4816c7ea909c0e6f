namespace ScaleOut.Reports.Svg;

/// <summary>Size of a plot with the room that its axes need. Each plot is drawn twice, so that text stays readable on a phone.</summary>
/// <param name="Name">CSS class that shows it on screens of its kind.</param>
/// <param name="Width">Width of the picture.</param>
/// <param name="Height">Height of the picture.</param>
/// <param name="MaxBins">Most points of time that are told apart.</param>
internal sealed record PlotSize(string Name, double Width, double Height, int MaxBins)
{
    public static readonly PlotSize Wide = new("wide", 880, 300, 400);

    public static readonly PlotSize Narrow = new("narrow", 360, 240, 120);

    public const double Left = 46;

    public const double Top = 24;

    public const double Right = 12;

    public const double Bottom = 36;

    public double PlotWidth => Width - Left - Right;

    public double PlotHeight => Height - Top - Bottom;

    public double PlotBottom => Height - Bottom;

    public double PlotRight => Width - Right;
}
