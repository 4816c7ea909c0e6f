namespace ScaleOut.Measurement;

/// <summary>What one leg did in the time of one step of its load.</summary>
public sealed record StepSample
{
    /// <summary>From 0.</summary>
    public required int Step { get; init; }

    /// <summary>Documents written, read, queried or deleted.</summary>
    public long Inserted { get; init; }

    /// <summary>Operations that ended without failing.</summary>
    public long Operations { get; init; }

    /// <summary>Operations handed to the SDK, each try counted; of queries the pages asked for.</summary>
    public long Attempts { get; init; }

    /// <summary>Requests that the SDK sent.</summary>
    public long Calls { get; init; }

    /// <summary>Attempts that got a 429.</summary>
    public long Throttled { get; init; }

    /// <summary>RU charged to the workload.</summary>
    public double RequestUnits { get; init; }

    /// <summary>Of the operations.</summary>
    public required LatencyHistogram OperationLatency { get; init; }
}
