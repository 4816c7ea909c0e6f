using ScaleOut.Measurement;
using ScaleOut.Orchestration;

namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>When a request began and how long after that its response is due.</summary>
/// <param name="Start">A <see cref="DelayTimer.Timestamp"/>.</param>
/// <param name="ConfiguredMs">0 for a response that is not delayed.</param>
internal readonly record struct ResponseDelay(long Start, double ConfiguredMs);

/// <summary>
/// Measures how long responses were to be delayed and how long they really were, until they were given to the connection.
/// </summary>
internal sealed class DelayMeter(DelayTimer timer, AccountClock clock)
{
    /// <summary>Seconds that are kept; of a longer run the latest.</summary>
    private const int MostSeconds = 7_200;

    private readonly LatencyHistogram _configured = new();
    private readonly LatencyHistogram _delivered = new();
    private readonly LatencyHistogram _slip = new();
    private readonly Queue<DelaySecond> _seconds = new();
    private readonly Lock _gate = new();
    private DelaySecond _current;
    private long _responses;
    private long _slipped;
    private TimeSpan _cpu;

    /// <summary>Called when a response is given to its connection.</summary>
    public void Record(in ResponseDelay delay)
    {
        if (delay.ConfiguredMs < DelayTimer.ToleranceMs)
            return;
        TimeSpan delivered = timer.ElapsedSince(delay.Start);
        var configured = TimeSpan.FromMilliseconds(delay.ConfiguredMs);
        bool slipped = DeliveredDelays.IsSlip(configured, delivered);
        long second = AccountClock.UnixSecond(clock.NowTicks);
        lock (_gate)
        {
            _configured.Record(configured);
            _delivered.Record(delivered);
            _slip.Record(delivered - configured);
            if (second > _current.Second)
                Begin(second);
            _current = _current with { Responses = _current.Responses + 1, Slipped = _current.Slipped + (slipped ? 1 : 0) };
            _responses++;
            _slipped += slipped ? 1 : 0;
        }
    }

    /// <summary>What was measured so far.</summary>
    public DeliveredDelays Read()
    {
        lock (_gate)
        {
            return new DeliveredDelays
            {
                Responses = _responses,
                Slipped = _slipped,
                Configured = QuantilesOf(_configured),
                Delivered = QuantilesOf(_delivered),
                Slip = QuantilesOf(_slip),
                Seconds = [.. _seconds, .. _current.Responses > 0 ? [_current] : Array.Empty<DelaySecond>()],
            };
        }
    }

    private static DelayQuantiles QuantilesOf(LatencyHistogram histogram) => histogram.Count == 0
        ? new DelayQuantiles(null, null, null)
        : new DelayQuantiles(
            Math.Round(histogram.PercentileMs(50)!.Value, 3), Math.Round(histogram.PercentileMs(99)!.Value, 3),
            histogram.MaxRecordedMicroseconds / 1000.0);

    private void Begin(long second)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        if (_current.Responses > 0)
            _seconds.Enqueue(_current with { CpuSeconds = (cpu - _cpu).TotalSeconds });
        _cpu = cpu;
        if (_seconds.Count >= MostSeconds)
            _seconds.Dequeue();
        _current = new DelaySecond(second, 0, 0);
    }
}
