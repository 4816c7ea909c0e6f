namespace ScaleOut.Progress;

/// <summary>What is known of one worker while it runs.</summary>
/// <param name="index">From 0.</param>
/// <param name="stall">How long it may finish nothing, with an error to show for it, before that is worth a word; null for ever.</param>
/// <param name="warmup">The run's.</param>
internal sealed class WorkerTally(int index, long slice, TimeSpan? stall = null, TimeSpan warmup = default)
{
    private readonly RateWindow _window = new();
    private WorkerTotals _before = WorkerTotals.None;
    private WorkerProgress? _current;
    private int _endedLeg;
    private int _lostInARow;
    private (Counts Counts, TimeSpan At)? _advanced;
    private string _state = "starting";
    private string? _lastError;

    /// <summary>
    /// Whether all operations of the last report ended after the warm-up, which the latencies of the run's report leave out.
    /// </summary>
    public bool IsWarm { get; private set; }

    private bool HasEnded => _state is "done" or "stopped" or "failed";

    private Counts Total => _before.Counts + (_current?.Counts ?? default);

    /// <summary>
    /// The worker begins. One that had ended begins once more: its legs are taken again, those that are kept and those that are repeated.
    /// </summary>
    public void Begin()
    {
        if (!HasEnded)
            return;
        (_before, _current, _endedLeg, _state) = (WorkerTotals.None, null, 0, "restarting");
    }

    /// <summary>Takes what the worker reports of its leg. A report that comes late or twice is left out: then it is false.</summary>
    public bool Take(WorkerProgress progress, TimeSpan at)
    {
        if (progress.Leg <= _endedLeg || (_current is { } last && progress.Order.CompareTo(last.Order) <= 0))
            return false;
        IsWarm = warmup <= TimeSpan.Zero || progress.Leg > 1 || _current?.Seconds >= warmup.TotalSeconds;
        (_before, _current) = (progress.Before, progress);
        _lastError = progress.LastError ?? _lastError;
        _state = StateOf(progress);
        _window.Add(at, Total);
        if (_advanced is not { } known || known.Counts.Done != Total.Done || progress.Activity != WorkerActivity.Running)
            _advanced = (Total, at);
        return true;
    }

    /// <summary>
    /// Says of a worker that runs and finishes nothing why that is, as far as it has reported; null while there is nothing to say.
    /// </summary>
    public string? Stall(TimeSpan at)
    {
        if (_current is not { Activity: WorkerActivity.Running } current || _advanced is not { } known || !(at - known.At >= stall))
            return null;
        var reason = current.LastError is { } error ? $"the last error is {error}"
            : Total.Throttled > known.Counts.Throttled ? "its operations are throttled (429)"
            : null;
        return reason is null
            ? null
            : string.Create(
                CultureInfo.InvariantCulture, $"has finished no document for {(at - known.At).TotalSeconds:N0} s: {reason}; tried again");
    }

    /// <summary>Takes the result of a leg; it replaces what the leg reported while it ran.</summary>
    public void EndLeg(LegOutput leg, TimeSpan at)
    {
        Restore(leg);
        _current = null;
        _advanced = null;
        _lostInARow = 0;
        _lastError = leg.Reason ?? _lastError;
        _window.Add(at, Total);
    }

    /// <summary>Takes the result of a leg that ended before this program was started: no rate comes from it.</summary>
    public void Restore(LegOutput leg)
    {
        _before = _before.Plus(leg);
        _endedLeg = leg.Leg;
    }

    /// <summary>The present leg left no result; the next attempt counts from its beginning.</summary>
    /// <returns>Attempts at it that were lost, this one included.</returns>
    public int LoseLeg(string reason)
    {
        _current = null;
        _advanced = null;
        _state = "restarting";
        _lastError = reason;
        return ++_lostInARow;
    }

    public void End(WorkerOutcome outcome)
    {
        _before = _before with { Counts = outcome.Counts };
        _current = null;
        _state = outcome.End switch
        {
            WorkerEnd.Done => "done",
            WorkerEnd.Stopped => "stopped",
            _ => "failed",
        };
        _lastError = outcome.Reason ?? _lastError;
    }

    public WorkerStatus StatusAt(TimeSpan now) => new()
    {
        Index = index,
        State = _state,
        Leg = _current?.Leg ?? _endedLeg,
        Asked = slice,
        Counts = Total.Rounded(),
        PerSecond = RatesAt(now).Rounded(),
        InFlight = _current?.InFlight ?? 0,
        LastError = _lastError,
    };

    /// <summary>Where messages come too seldom for the last few seconds, the mean over the time at work.</summary>
    private Rates RatesAt(TimeSpan now) => HasEnded ? default
        : _current is { } only && _window.HasOneFreshSample(now) ? Rates.From(Total, _before.Seconds + only.Seconds)
        : _window.At(now);

    private static string StateOf(WorkerProgress progress) => (progress.Activity, progress.End) switch
    {
        (WorkerActivity.Warming, _) => "warming",
        (WorkerActivity.Preloading, _) => "preloading",
        (WorkerActivity.Waiting, _) => "waiting",
        (WorkerActivity.Running, _) => "running",
        (WorkerActivity.Draining, _) => "draining",
        (_, LegEnd.SliceDone or LegEnd.StepsDone) => "done",
        (_, LegEnd.Stopped) => "stopped",
        (_, LegEnd.Rejected) => "failed",
        _ => "restarting",
    };
}
