using ScaleOut.Specs;

namespace ScaleOut.Analysis.Calibration;

/// <summary>Latencies of one kind of request under one load.</summary>
public sealed record LatencySample
{
    public required LatencyKind Kind { get; init; }

    public required ConnectionMode Mode { get; init; }

    /// <summary>From the call of the SDK to its response, in ms; in any order.</summary>
    public required IReadOnlyList<double> Ms { get; init; }

    /// <summary>
    /// Of the same requests at the same time to a simulated account on this machine whose every response takes
    /// <see cref="LatencyEstimator.ReferenceMs"/>: what is beyond that is the client's own. In any order.
    /// </summary>
    public required IReadOnlyList<double> ReferenceMs { get; init; }

    /// <summary>Whether they are of 429s, which take no service time.</summary>
    public bool Throttled { get; init; }

    /// <summary>Operations of a batch; else 1.</summary>
    public int Operations { get; init; } = 1;

    /// <summary>What is written or given back, all operations together.</summary>
    public double Kilobytes { get; init; } = 1;

    /// <summary>Share of its budget that the partition used, 0 to 1.</summary>
    public double Utilization { get; init; }
}

/// <summary>What a latency is of.</summary>
public enum LatencyKind
{
    /// <summary>A create or a batch of creates.</summary>
    Write,

    /// <summary>A point read.</summary>
    Read,
}
