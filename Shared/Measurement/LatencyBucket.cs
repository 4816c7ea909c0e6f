namespace ScaleOut.Measurement;

/// <summary>Latencies that were counted together.</summary>
/// <param name="UpperBoundMs">Every one of them is below this; the next smaller bound is at most 12.5% lower.</param>
/// <param name="Count">How many there are.</param>
public readonly record struct LatencyBucket(double UpperBoundMs, long Count);
