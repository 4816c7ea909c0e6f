namespace ScaleOut.Http;

/// <summary>What is counted per second: over the last few seconds, or since its beginning where a host hears of its workers too seldom.</summary>
/// <param name="Documents">Documents done.</param>
/// <param name="Throttled">Operations answered 429.</param>
/// <param name="RequestUnits">RU charged.</param>
public sealed record HostedRates(double Documents, double Throttled, double RequestUnits);
