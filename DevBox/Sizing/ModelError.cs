namespace ScaleOut.DevBox.Sizing;

/// <summary>
/// By how much simulated fleets may miss real runs that they were not made from, as shares. The real runs of bench/README.md, which are
/// bound by RU or by operations in flight, were missed by up to 1.3% in rate and 3% in p99. Nothing was measured near the CPU's limit, so
/// the p99 gets the quarter that the benchmark aims at. <c>bench -- size-truth</c> measures both again.
/// </summary>
internal static class ModelError
{
    /// <summary>Largest expected error of a simulated rate, as a share.</summary>
    public const double Rate = 0.03;

    /// <summary>Largest expected error of a simulated 99th percentile, as a share. It is used for the other percentiles, too.</summary>
    public const double Latency = 0.25;
}
