namespace ScaleOut.Statistics;

/// <summary>What a fitted law says of a number of workers.</summary>
/// <param name="Workers">How many.</param>
/// <param name="Rate">Their rate together.</param>
/// <param name="Interval95">95% interval of the mean rate; single runs scatter around it.</param>
/// <param name="Extrapolated">Whether it is more workers than any that were measured.</param>
public sealed record ScalabilityPrediction(int Workers, double Rate, Interval Interval95, bool Extrapolated);
