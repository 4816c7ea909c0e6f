using System.Diagnostics;
using ScaleOut.Slicing;
using ScaleOut.Workers.Measuring;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// When operations start. In a closed loop at once. In an open loop each unit has its intended start, from which it is measured, so that a stall of the
/// account shows in all the operations that it held up.
/// </summary>
internal sealed class Schedule
{
    /// <summary>Timers are this coarse: a start that is late by no more is measured from when it really was.</summary>
    private static readonly TimeSpan TimerGrain = TimeSpan.FromMilliseconds(2);

    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    /// <summary>A schedule is kept when no start was later than this.</summary>
    private static readonly TimeSpan Tolerance = TimeSpan.FromSeconds(1);

    private readonly double? _rate;
    private readonly long _firstNumber;
    private readonly long _startedAt = LegClock.Now;
    private int _behind;

    /// <param name="documentsPerSecond">Null for a closed loop.</param>
    /// <param name="firstNumber">The document number that is due at once.</param>
    public Schedule(double? documentsPerSecond, long firstNumber)
    {
        _rate = documentsPerSecond;
        _firstNumber = firstNumber;
    }

    /// <summary>Open loop: whether no operation started more than a second late; null in a closed loop.</summary>
    public bool? Kept => _rate is null ? null : Volatile.Read(ref _behind) == 0;

    /// <summary>Waits until a unit is due.</summary>
    /// <returns>The instant to measure it from; null when the leg closes first.</returns>
    public async ValueTask<long?> WaitForTurnAsync(Slice unit, CancellationToken closing)
    {
        if (_rate is not { } rate)
            return LegClock.Now;

        var due = _startedAt + (long)((unit.First - _firstNumber) / rate * Stopwatch.Frequency);
        // Timers cut to whole milliseconds and end early, and no operation may start before its time: what is left is waited for again.
        for (var left = Stopwatch.GetElapsedTime(LegClock.Now, due); left > TimeSpan.Zero; left = Stopwatch.GetElapsedTime(LegClock.Now, due))
        {
            await Task.Delay(left < ShortestWait ? ShortestWait : left, closing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (closing.IsCancellationRequested)
                return null;
        }

        var now = LegClock.Now;
        var late = Stopwatch.GetElapsedTime(due, now);
        if (late > Tolerance)
            Volatile.Write(ref _behind, 1);
        return late > TimerGrain ? due : now;
    }
}
