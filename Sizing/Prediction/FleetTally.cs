namespace ScaleOut.Sizing.Prediction;

/// <summary>Counts the operations and charges of a simulated fleet, by second and partition.</summary>
internal sealed class FleetTally
{
    private readonly long _warmupTicks;
    private readonly long _endTicks;
    private long _throttled;
    private long _measuredAttempts;
    private long _measuredThrottled;

    public FleetTally(FleetSpec spec)
    {
        OperationByKind = [.. spec.Mix.Select(_ => new LatencyHistogram())];
        _warmupTicks = spec.Warmup.Ticks;
        _endTicks = spec.Duration.Ticks;
        Seconds = (int)Math.Ceiling(spec.Duration.TotalSeconds);
        Documents = new long[Seconds];
        Due = new long[Seconds];
        ThrottledInSecond = new long[Seconds];
        UnitParts = new long[spec.Partitions][];
        for (var partition = 0; partition < spec.Partitions; partition++)
            UnitParts[partition] = new long[Seconds];
    }

    public int Seconds { get; }

    /// <summary>Documents done, by the second in which their operation ended.</summary>
    public long[] Documents { get; }

    /// <summary>Documents of an open loop, by the second in which their operation was due.</summary>
    public long[] Due { get; }

    public long[] ThrottledInSecond { get; }

    /// <summary>Charges in parts, see <see cref="RequestUnits"/>, by partition and second.</summary>
    public long[][] UnitParts { get; }

    /// <summary>Latencies from the first attempt (open loop: from the intended start) to the end, with waits and without warm-up.</summary>
    public LatencyHistogram Operation { get; } = new();

    /// <summary>The same for each kind of the mix, or of the steps of an action; empty without one.</summary>
    public IReadOnlyList<LatencyHistogram> OperationByKind { get; }

    /// <summary>Latencies from handing an operation over to its response, whatever the response was, without warm-up.</summary>
    public LatencyHistogram Attempt { get; } = new();

    public long Attempts { get; private set; }

    public Counts Counts => new() { Attempts = Attempts, Throttled = _throttled };

    /// <summary>Attempts and 429s past warm-up.</summary>
    public Counts Measured => new() { Attempts = _measuredAttempts, Throttled = _measuredThrottled };

    /// <summary>Operations that have ended.</summary>
    public long Ended { get; private set; }

    /// <summary>Requests that carried operations. In bulk there are fewer requests than operations.</summary>
    public long Requests { get; set; }

    public void Plan(long due, int documents)
    {
        if (due < _endTicks)
            Due[due / TimeSpan.TicksPerSecond] += documents;
    }

    public void Admit(int partition, RequestUnits charge, long now)
    {
        Begin(now);
        if (now < _endTicks)
            UnitParts[partition][now / TimeSpan.TicksPerSecond] += charge.Parts;
    }

    public void Throttle(long now)
    {
        Begin(now);
        _throttled++;
        if (now < _endTicks)
            ThrottledInSecond[now / TimeSpan.TicksPerSecond]++;
        if (now >= _warmupTicks)
            _measuredThrottled++;
    }

    public void EndAttempt(long began, long ended)
    {
        if (ended >= _warmupTicks && ended < _endTicks)
            Attempt.Record(new TimeSpan(ended - began));
    }

    public void EndOperation(long began, long ended, int documents)
    {
        Ended++;
        if (ended >= _endTicks)
            return;
        Documents[ended / TimeSpan.TicksPerSecond] += documents;
        if (ended >= _warmupTicks)
            Operation.Record(new TimeSpan(ended - began));
    }

    /// <summary>Ends an operation of a kind, or a step of an action.</summary>
    public void EndStep(long began, long ended, int kind)
    {
        if (OperationByKind.Count > 0 && ended >= _warmupTicks && ended < _endTicks)
            OperationByKind[kind].Record(new TimeSpan(ended - began));
    }

    private void Begin(long now)
    {
        Attempts++;
        if (now >= _warmupTicks)
            _measuredAttempts++;
    }
}

/// <summary>The part of a fleet that was simulated and stands for the rest.</summary>
/// <param name="Partitions">Physical partitions that were simulated; each sees as many requests as in the whole fleet.</param>
/// <param name="Seconds">Seconds that were simulated.</param>
/// <param name="Steady">Whether it ended early because the rate had become steady.</param>
public sealed record FleetSample(int Workers, int Partitions, int Seconds, bool Steady);

/// <summary>The result of a simulated fleet. Figures exclude the warm-up unless their comment says otherwise.</summary>
internal sealed record FleetResult
{
    /// <summary>The fleet that was asked for.</summary>
    public required FleetSpec Spec { get; init; }

    public required FleetSample Sample { get; init; }

    /// <summary>Workers of the fleet / workers of the sample: 1 for a fleet that was simulated whole.</summary>
    public double Factor => Spec.Workers / (double)Sample.Workers;

    /// <summary>Attempts and 429s of the sample, from the start.</summary>
    public required Counts Counts { get; init; }

    /// <summary>Attempts of the sample that were admitted, from the start.</summary>
    public long Admitted => Counts.Attempts - Counts.Throttled;

    /// <summary>Operations of the sample that have ended, from the start.</summary>
    public required long Ended { get; init; }

    /// <summary>429s / attempts.</summary>
    public required double ThrottledShare { get; init; }

    /// <summary>429s of the sample in each second.</summary>
    public IReadOnlyList<double> ThrottledPerSecond { get; init; } = [];

    /// <summary>Mean number of operations in a request: 1 except in bulk. Null when there was no request.</summary>
    public required double? OperationsPerRequest { get; init; }

    /// <summary>Documents of the whole fleet in each second.</summary>
    public required IReadOnlyList<double> DocumentsPerSecond { get; init; }

    /// <summary>Documents of the whole fleet that were due in these seconds; 0 in a closed loop.</summary>
    public required double DocumentsDue { get; init; }

    /// <summary>RU that each partition of the sample charged, by second.</summary>
    public required IReadOnlyList<IReadOnlyList<double>> PartitionUnits { get; init; }

    /// <summary>RU/s that each partition may use.</summary>
    public required double PartitionBudget { get; init; }

    /// <summary>Latencies from the first attempt (open loop: from the intended start) to the end, waits included.</summary>
    public required LatencyHistogram Operation { get; init; }

    /// <summary>The same for each kind of the mix, in its order; empty without one.</summary>
    public IReadOnlyList<LatencyHistogram> OperationByKind { get; init; } = [];

    /// <summary>Latencies from handing an operation over to its response, whatever the response was.</summary>
    public required LatencyHistogram Attempt { get; init; }

    /// <summary>Mean over the clients: CPU time / (time x cores).</summary>
    public required double ClientCpu { get; init; }

    /// <summary>The same share for the busiest client.</summary>
    public required double BusiestClientCpu { get; init; }

    /// <summary>
    /// The busiest client's share if its operations come at even distances. If they come at random, the clients' mean share at just the
    /// rate, because in the long run all clients have it.
    /// </summary>
    public double ClientCpuAtRate => Spec is { Poisson: true, Rate: { } rate } && DocumentsDue > 0
        ? ClientCpu * Spec.Workers * rate * DocumentsPerSecond.Count / DocumentsDue
        : BusiestClientCpu;

    /// <summary>Whether no operation of an open loop began more than a second late; null in a closed loop.</summary>
    public required bool? KeptSchedule { get; init; }
}
