namespace ScaleOut.Reports;

/// <summary>Latencies of all workers or of one, of one merged histogram each.</summary>
public sealed record LatencyReport
{
    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencySummary Operation { get; init; }

    /// <summary>From handing an operation to the SDK to its answer, whatever it was.</summary>
    public required LatencySummary Attempt { get; init; }
}
