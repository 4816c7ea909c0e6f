namespace ScaleOut.Analysis.Reports;

/// <summary>
/// What a run did in the time of one step of its load, over all workers. Operations count in the step in which they ended.
/// </summary>
public sealed record StepReport
{
    /// <summary>From 0.</summary>
    public required int Index { get; init; }

    /// <summary>Operations in flight over all workers; null when the step sets another kind of load.</summary>
    public int? Users { get; init; }

    /// <summary>Operations in flight per worker; null when the step sets another kind of load.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Documents per second and worker; null in a closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>How long the step lasted; shorter than asked for where the run ended in it.</summary>
    public required double Seconds { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public required long Operations { get; init; }

    /// <summary>Operations / <see cref="Seconds"/>; null when the step was not reached.</summary>
    public double? PerSecond { get; init; }

    public required Counts Counts { get; init; }

    public required LatencySummary LatencyMs { get; init; }

    /// <summary>RU / operation; null without operations.</summary>
    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>RU / <see cref="Seconds"/>; null when the step was not reached.</summary>
    public double? RequestUnitsPerSecond { get; init; }

    /// <summary>Requests that the SDK sent / operation; null in bulk and without operations.</summary>
    public double? CallsPerOperation { get; init; }
}
