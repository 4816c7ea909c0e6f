namespace ScaleOut.Sizing;

/// <summary>
/// The largest expected errors of simulated fleets against real runs that they were not based on, as shares. Source: <c>bench --
/// size-truth</c>, whose results are in docs/scale.md. Its largest errors are rounded up.
/// </summary>
internal static class ModelError
{
    /// <summary>
    /// Largest expected error of the rate of a closed loop, or of an open one that falls behind, as a share. A client with little to do
    /// needs more CPU per operation than a busy one that was measured. So closed loops with few operations in flight are slower.
    /// </summary>
    public const double Rate = 0.15;

    /// <summary>Largest expected error of a simulated 99th percentile, as a share. It is used for the other percentiles, too.</summary>
    public const double Latency = 0.35;
}
