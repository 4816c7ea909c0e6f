namespace ScaleOut.Statistics;

/// <summary>One measured rate of a number of workers.</summary>
/// <param name="Workers">1 and more.</param>
/// <param name="Rate">Per second, above 0.</param>
/// <param name="LeftOut">Why the fit leaves it out, such as <c>bound by request units</c>; null when it is used.</param>
public sealed record ScalabilityPoint(int Workers, double Rate, string? LeftOut = null);
