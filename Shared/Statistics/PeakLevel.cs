namespace ScaleOut.Statistics;

/// <summary>One level of a search for a peak.</summary>
/// <param name="Level">Such as operations in flight; the levels ascend.</param>
/// <param name="Rates">What was measured there, above 0.</param>
public sealed record PeakLevel(double Level, IReadOnlyList<double> Rates);
