namespace ScaleOut.Simulator.Engine.Physics;

/// <param name="Start">A <see cref="DelayTimer.Timestamp"/>.</param>
/// <param name="ConfiguredMs">0 if the response is not delayed.</param>
internal readonly record struct ResponseDelay(long Start, double ConfiguredMs);

/// <summary>Measures the configured and the delivered delays of responses, until they are given to the connection.</summary>
internal sealed class DelayMeter(DelayTimer timer, AccountClock clock)
{
    /// <summary>Largest number of seconds that are kept: the latest ones.</summary>
    private const int MaxSeconds = 7_200;

    private readonly Queue<(long Second, PackedSecond Delays)> _seconds = new();
    private readonly DelaySums _before = new();
    private readonly Lock _gate = new();
    private DelaySums _current = new();
    private long _second;
    private TimeSpan _cpu = Environment.CpuUsage.TotalTime;

    /// <summary>Called when a response is given to its connection.</summary>
    public void Record(in ResponseDelay delay)
    {
        if (delay.ConfiguredMs < DelayTimer.ToleranceMs)
            return;
        var delivered = timer.ElapsedSince(delay.Start);
        var configured = TimeSpan.FromMilliseconds(delay.ConfiguredMs);
        var second = AccountClock.UnixSecond(clock.NowTicks);
        lock (_gate)
        {
            if (second > _second)
                Begin_NeedsLock(second);
            _current.Record(configured, delivered);
        }
    }

    /// <param name="seconds">The only UTC seconds that count; null for all, even those that are not kept any more.</param>
    public DeliveredDelays Read(NumberSet? seconds = null)
    {
        var sums = new DelaySums();
        PackedSecond[] kept;
        lock (_gate)
        {
            if (seconds is null)
                sums.Add(_before);
            kept = seconds is null ? [] : [.. _seconds.Where(one => seconds.Contains(one.Second)).Select(one => one.Delays)];
            if (seconds?.Contains(_second) != false)
            {
                sums.Add(_current);
                sums.CpuSeconds += (Environment.CpuUsage.TotalTime - _cpu).TotalSeconds;
            }
        }

        // This runs outside of the lock, because every response takes the lock.
        foreach (var delays in kept)
            delays.AddTo(sums);
        return sums.Read();
    }

    private void Begin_NeedsLock(long second)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        _current.CpuSeconds = (cpu - _cpu).TotalSeconds;
        _cpu = cpu;
        _before.Add(_current);
        if (_current.Responses > 0)
            _seconds.Enqueue((_second, PackedSecond.From(_current)));
        if (_seconds.Count > MaxSeconds)
            _seconds.Dequeue();
        (_current, _second) = (new DelaySums { Seconds = 1 }, second);
    }
}

/// <summary>Delays that count together. Not thread-safe.</summary>
internal sealed class DelaySums
{
    public LatencyHistogram Configured { get; } = new();

    public LatencyHistogram Delivered { get; } = new();

    public LatencyHistogram Slip { get; } = new();

    public long Responses { get; private set; }

    public long Slipped { get; private set; }

    /// <summary>CPU time of the account's process until the next second with a delayed response.</summary>
    public double CpuSeconds { get; set; }

    /// <summary>Seconds with delayed responses.</summary>
    public int Seconds { get; set; }

    public void Record(TimeSpan configured, TimeSpan delivered)
    {
        Configured.Record(configured);
        Delivered.Record(delivered);
        Slip.Record(delivered - configured);
        Count(1, DeliveredDelays.IsSlip(configured, delivered) ? 1 : 0);
    }

    public void Add(DelaySums other)
    {
        Configured.Add(other.Configured);
        Delivered.Add(other.Delivered);
        Slip.Add(other.Slip);
        Count(other.Responses, other.Slipped);
        CpuSeconds += other.CpuSeconds;
        Seconds += other.Seconds;
    }

    public void Count(long responses, long slipped)
    {
        Responses += responses;
        Slipped += slipped;
    }

    public DeliveredDelays Read() => new()
    {
        Responses = Responses,
        Slipped = Slipped,
        CpuSeconds = Responses > 0 ? CpuSeconds : null,
        Seconds = Seconds,
        Configured = LatencySummary.From(Configured),
        Delivered = LatencySummary.From(Delivered),
        Slip = LatencySummary.From(Slip),
    };
}

/// <summary>The delays of a past second.</summary>
internal sealed record PackedSecond(
    PackedHistogram Configured, PackedHistogram Delivered, PackedHistogram Slip, long Responses, long Slipped,
    double CpuSeconds)
{
    public static PackedSecond From(DelaySums sums) => new(
        PackedHistogram.From(sums.Configured), PackedHistogram.From(sums.Delivered), PackedHistogram.From(sums.Slip), sums.Responses,
        sums.Slipped, sums.CpuSeconds);

    public void AddTo(DelaySums sums)
    {
        Configured.AddTo(sums.Configured);
        Delivered.AddTo(sums.Delivered);
        Slip.AddTo(sums.Slip);
        sums.Count(Responses, Slipped);
        sums.CpuSeconds += CpuSeconds;
        sums.Seconds++;
    }
}
