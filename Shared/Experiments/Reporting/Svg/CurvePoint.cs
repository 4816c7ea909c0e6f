using ScaleOut.Statistics;

namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>One measured point of a <see cref="CurvePlot"/>.</summary>
/// <param name="X">Such as a number of workers.</param>
/// <param name="Y">Such as a rate.</param>
/// <param name="Interval">Of <paramref name="Y"/>; null when there is none.</param>
/// <param name="Title">Name and values, for those who point at it.</param>
/// <param name="LeftOut">Whether it is shown but not used.</param>
internal sealed record CurvePoint(double X, double Y, Interval? Interval, string Title, bool LeftOut = false);
