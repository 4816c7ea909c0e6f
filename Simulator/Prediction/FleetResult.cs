namespace ScaleOut.Simulator.Prediction;

/// <summary>Which part of a fleet was simulated for how long, and stands for the rest.</summary>
/// <param name="Partitions">Physical partitions that were simulated; each sees as many requests as in the whole fleet.</param>
/// <param name="Seconds">Seconds that were simulated.</param>
/// <param name="Steady">Whether it ended early because the rate had become steady.</param>
public sealed record FleetSample(int Workers, int Partitions, int Seconds, bool Steady);

/// <summary>What a fleet does, past warm-up unless it is said otherwise.</summary>
public sealed record FleetResult
{
    /// <summary>The fleet that was asked for.</summary>
    public required FleetSpec Spec { get; init; }

    public required FleetSample Sample { get; init; }

    /// <summary>Times that the sample is in the fleet: 1 for a fleet that was simulated whole.</summary>
    public double Factor => Spec.Workers / (double)Sample.Workers;

    /// <summary>Of the sample, from the start: attempts, and those that got a 429.</summary>
    public required Counts Counts { get; init; }

    /// <summary>Of the sample, from the start: attempts that were admitted.</summary>
    public long Admitted => Counts.Attempts - Counts.Throttled;

    /// <summary>Of the sample, from the start: operations that have ended.</summary>
    public required long Ended { get; init; }

    /// <summary>429s / attempts.</summary>
    public required double ThrottledShare { get; init; }

    /// <summary>Operations of a request on average: 1 except in bulk. Null when there was no request.</summary>
    public required double? OperationsPerRequest { get; init; }

    /// <summary>Documents of the whole fleet in each second.</summary>
    public required IReadOnlyList<double> DocumentsPerSecond { get; init; }

    /// <summary>RU that each partition of the sample charged, by second.</summary>
    public required IReadOnlyList<IReadOnlyList<double>> PartitionUnits { get; init; }

    /// <summary>RU/s that each partition may use.</summary>
    public required double PartitionBudget { get; init; }

    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencyHistogram Operation { get; init; }

    /// <summary>From handing an operation over to its response, whatever it was.</summary>
    public required LatencyHistogram Attempt { get; init; }

    /// <summary>Mean over the clients: CPU time / (time x cores).</summary>
    public required double ClientCpu { get; init; }

    /// <summary>Of the busiest client.</summary>
    public required double BusiestClientCpu { get; init; }

    /// <summary>Whether no operation of an open loop began more than a second late; null in a closed loop.</summary>
    public required bool? KeptSchedule { get; init; }
}
