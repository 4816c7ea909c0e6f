namespace ScaleOut.Progress;

/// <summary>The state of one worker during a run, from its reports.</summary>
/// <param name="index">From 0.</param>
/// <param name="stall">How long the worker may finish no document before there is a warning; null for no warning.</param>
/// <param name="warmup">Warm-up of the run.</param>
internal sealed class WorkerTally(int index, long slice, TimeSpan? stall = null, TimeSpan warmup = default)
{
    private readonly RateWindow _window = new();
    private WorkerTotals _before = WorkerTotals.None;
    private WorkerProgress? _current;
    private int _endedLeg;
    private int _lostInARow;
    private (Counts Counts, TimeSpan At)? _advanced;
    private WorkerState _state;
    private string? _lastError;

    /// <summary>
    /// Whether all operations of the last report ended after the warm-up. The latencies of the run's report leave the warm-up out.
    /// </summary>
    public bool IsWarm { get; private set; }

    private bool HasEnded => _state is WorkerState.Done or WorkerState.Stopped or WorkerState.Failed;

    private Counts Total => _before.Counts + (_current?.Counts ?? default);

    /// <summary>
    /// Begins the worker. If it had ended, it starts from zero, because all its legs are reported again: those with results and those that
    /// are repeated.
    /// </summary>
    public void Begin()
    {
        if (!HasEnded)
            return;
        (_before, _current, _endedLeg, _state) = (WorkerTotals.None, null, 0, WorkerState.Restarting);
    }

    /// <summary>Takes a report of the worker's leg. Returns false for a report that comes late or twice, which is ignored.</summary>
    public bool Take(WorkerProgress progress, TimeSpan at)
    {
        if (progress.Leg <= _endedLeg || (_current is { } last && progress.Order.CompareTo(last.Order) <= 0))
            return false;
        IsWarm = warmup <= TimeSpan.Zero || progress.Leg > 1 || _current?.Seconds >= warmup.TotalSeconds;
        (_before, _current) = (progress.Before, progress);
        _lastError = progress.LastError ?? _lastError;
        _state = StateOf(progress);
        _window.Add(at, Total);
        if (_advanced is not { } known || known.Counts.Done != Total.Done || progress.Activity != WorkerState.Running)
            _advanced = (Total, at);
        return true;
    }

    /// <summary>The warning that the worker stalls, with the reason. Null if it does not, or if its reports show no reason.</summary>
    public string? Stall(TimeSpan at) =>
        _current is { Activity: WorkerState.Running } current && _advanced is { } known && at - known.At >= stall
            ? StallWarning.TextOf(at - known.At, current.LastError, throttled: Total.Throttled > known.Counts.Throttled)
            : null;

    /// <summary>Takes the result of a leg, which replaces the leg's reports.</summary>
    public void EndLeg(LegOutput leg, TimeSpan at)
    {
        Restore(leg);
        _current = null;
        _advanced = null;
        _lostInARow = 0;
        _lastError = leg.Reason ?? _lastError;
        _window.Add(at, Total);
    }

    /// <summary>Takes the result of a leg that ended before this program was started. It does not count in any rate.</summary>
    public void Restore(LegOutput leg)
    {
        _before = _before.Plus(leg);
        _endedLeg = leg.Leg;
    }

    /// <summary>Records that the current leg left no result. The next attempt counts from the leg's beginning.</summary>
    /// <returns>Number of lost attempts at the leg, including this one.</returns>
    public int LoseLeg(string reason)
    {
        _current = null;
        _advanced = null;
        _state = WorkerState.Restarting;
        _lastError = reason;
        return ++_lostInARow;
    }

    public void End(WorkerOutcome outcome)
    {
        _before = _before with { Counts = outcome.Counts };
        _current = null;
        _state = outcome.End;
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

    /// <summary>Rates over the last few seconds, or the mean over the working time if messages come too seldom.</summary>
    private Rates RatesAt(TimeSpan now) => HasEnded ? default
        : _current is { } only && _window.HasOneFreshSample(now) ? Rates.From(Total, _before.Seconds + only.Seconds)
        : _window.At(now);

    private static WorkerState StateOf(WorkerProgress progress) => progress switch
    {
        { Activity: not WorkerState.Ended } => progress.Activity,
        { End: LegEnd.SliceDone or LegEnd.StepsDone } => WorkerState.Done,
        { End: LegEnd.Stopped } => WorkerState.Stopped,
        { End: LegEnd.Rejected } => WorkerState.Failed,
        _ => WorkerState.Restarting,
    };
}
