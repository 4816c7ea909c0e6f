namespace ScaleOut.Statistics;

/// <summary>One step that a search for a peak tried.</summary>
/// <param name="From">The best level so far.</param>
/// <param name="To">The level that was tried.</param>
/// <param name="Ratio">Typical rate there over the best so far.</param>
/// <param name="Interval95">95% interval of <paramref name="Ratio"/>; null with a single measurement.</param>
/// <param name="Accepted">Whether it was shown to be better.</param>
public sealed record PeakStep(double From, double To, double Ratio, Interval? Interval95, bool Accepted);
