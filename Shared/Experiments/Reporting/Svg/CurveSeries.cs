namespace ScaleOut.Experiments.Reporting.Svg;

/// <summary>Points of one kind, joined by a line or with a fitted curve of their own.</summary>
/// <param name="Name">For the legend.</param>
/// <param name="Points">By ascending x.</param>
/// <param name="Curve">A fitted curve in place of the line between the points; null for that line.</param>
/// <param name="CurveEnd">Largest x to which the curve is drawn.</param>
/// <param name="Peak">Where the curve is highest; null when it has no peak that is shown.</param>
internal sealed record CurveSeries(string Name, IReadOnlyList<CurvePoint> Points, Func<double, double>? Curve = null, double CurveEnd = 0, double? Peak = null);
