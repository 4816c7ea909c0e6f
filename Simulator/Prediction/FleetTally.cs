namespace ScaleOut.Simulator.Prediction;

/// <summary>What a simulated fleet did, by second and partition.</summary>
internal sealed class FleetTally
{
    private readonly long _warmupTicks;
    private readonly long _endTicks;
    private long _throttled;
    private long _measuredAttempts;
    private long _measuredThrottled;

    public FleetTally(FleetSpec spec)
    {
        _warmupTicks = spec.Warmup.Ticks;
        _endTicks = spec.Duration.Ticks;
        Seconds = (int)Math.Ceiling(spec.Duration.TotalSeconds);
        Documents = new long[Seconds];
        UnitHundredths = new long[spec.Partitions][];
        for (int partition = 0; partition < spec.Partitions; partition++)
            UnitHundredths[partition] = new long[Seconds];
    }

    public int Seconds { get; }

    /// <summary>Documents done, by the second in which their operation ended.</summary>
    public long[] Documents { get; }

    /// <summary>Charged, by partition and second.</summary>
    public long[][] UnitHundredths { get; }

    /// <summary>From the first attempt (open loop: from the intended start) to the end, waits included; warm-up left out.</summary>
    public LatencyHistogram Operation { get; } = new();

    /// <summary>From handing an operation over to its response, whatever it was; warm-up left out.</summary>
    public LatencyHistogram Attempt { get; } = new();

    public long Attempts { get; private set; }

    public Counts Counts => new() { Attempts = Attempts, Throttled = _throttled };

    /// <summary>Attempts and 429s past warm-up.</summary>
    public Counts Measured => new() { Attempts = _measuredAttempts, Throttled = _measuredThrottled };

    /// <summary>Operations that have ended.</summary>
    public long Ended { get; private set; }

    /// <summary>Requests that carried operations: fewer than these in bulk.</summary>
    public long Requests { get; set; }

    public void Admit(int partition, RequestUnits charge, long now)
    {
        Begin(now);
        if (now < _endTicks)
            UnitHundredths[partition][now / TimeSpan.TicksPerSecond] += charge.Hundredths;
    }

    public void Throttle(long now)
    {
        Begin(now);
        _throttled++;
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

    private void Begin(long now)
    {
        Attempts++;
        if (now >= _warmupTicks)
            _measuredAttempts++;
    }
}
