namespace ScaleOut.Statistics;

/// <summary>The mean of what was measured with one number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Rate">Mean rate.</param>
/// <param name="Count">How many rates it is the mean of.</param>
internal readonly record struct ScalabilityLevel(double Workers, double Rate, double Count);
