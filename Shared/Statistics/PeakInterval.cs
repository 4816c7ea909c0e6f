namespace ScaleOut.Statistics;

/// <summary>Interval of a number of workers that may be without end.</summary>
/// <param name="Low">Null when even this end is beyond any number: there is no sign of a peak.</param>
/// <param name="High">Null when the measurements are compatible with there being no peak.</param>
public sealed record PeakInterval(double? Low, double? High);
