namespace ScaleOut.DevBox.Progress;

/// <summary>What is known of one worker while it runs.</summary>
/// <param name="index">From 0.</param>
/// <param name="stall">How long it may finish nothing, with an error to show for it, before that is worth a word; null for ever.</param>
internal sealed class WorkerTally(int index, long slice, TimeSpan? stall = null)
{
    private readonly RateWindow _window = new();
    private Totals _before;
    private WorkerProgress? _current;
    private int _endedLeg;
    private int _lostInARow;
    private (long Documents, long Throttled, TimeSpan At)? _advanced;
    private string _state = "starting";
    private string? _lastError;

    /// <summary>
    /// The worker begins. One that had ended begins once more: its legs are taken again, those that are kept and those that are repeated.
    /// </summary>
    public void Begin()
    {
        if (!HasEnded)
            return;
        (_before, _current, _endedLeg, _state) = (default, null, 0, "restarting");
    }

    /// <summary>
    /// Takes what the worker reports of the leg it runs. A report that comes late or twice is left out: then it is false.
    /// </summary>
    public bool Take(WorkerProgress progress, TimeSpan at)
    {
        if (progress.Leg <= _endedLeg
            || progress.Activity == WorkerActivity.Ended
            || (_current is { } last && progress.Order.CompareTo(last.Order) <= 0))
            return false;
        _current = progress;
        _lastError = progress.LastError ?? _lastError;
        _state = progress.Activity switch
        {
            WorkerActivity.Warming => "warming",
            WorkerActivity.Preloading => "preloading",
            WorkerActivity.Waiting => "waiting",
            WorkerActivity.Draining => "draining",
            _ => "running",
        };
        _window.Add(at, Total);
        if (_advanced is not { } known || known.Documents != Total.Documents || progress.Activity != WorkerActivity.Running)
            _advanced = (Total.Documents, Total.Throttled, at);
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
            : Total.Throttled > known.Throttled ? "its operations are throttled (429)"
            : null;
        return reason is null
            ? null
            : $"has finished no document for {ConsoleNumbers.Count((at - known.At).TotalSeconds)} s: {reason}; tried again";
    }

    /// <summary>Takes the result of a leg; it replaces what the leg reported while it ran.</summary>
    public void EndLeg(LegOutput leg, TimeSpan at)
    {
        _before += new Totals(leg.Done, leg.Throttled, leg.RequestUnits);
        _current = null;
        _advanced = null;
        _endedLeg = leg.Leg;
        _lostInARow = 0;
        _lastError = leg.Reason ?? _lastError;
        _window.Add(at, Total);
    }

    /// <summary>Takes the result of a leg that ended before this program was started: no rate comes from it.</summary>
    public void Restore(LegOutput leg)
    {
        _before += new Totals(leg.Done, leg.Throttled, leg.RequestUnits);
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
        _before = _before with { Documents = outcome.Documents.Done };
        _current = null;
        _state = outcome.End switch
        {
            WorkerEnd.Done => "done",
            WorkerEnd.Stopped => "stopped",
            _ => "failed",
        };
        _lastError = outcome.Reason ?? _lastError;
    }

    public WorkerRow Row(TimeSpan now) => new()
    {
        Index = index,
        State = _state,
        Leg = _current?.Leg ?? _endedLeg,
        Totals = Total,
        Slice = slice,
        Rates = HasEnded ? default : _window.At(now),
        InFlight = _current?.InFlight ?? 0,
        LastError = _lastError,
    };

    private bool HasEnded => _state is "done" or "stopped" or "failed";

    private Totals Total => _before + (_current is { } leg
        ? new Totals(leg.Inserted + leg.AlreadyPresent + leg.Failed, leg.Throttled, leg.RequestUnits)
        : default);
}

/// <summary>One worker as it is shown.</summary>
internal sealed record WorkerRow
{
    public required int Index { get; init; }

    public required string State { get; init; }

    public required int Leg { get; init; }

    public required Totals Totals { get; init; }

    /// <summary>Documents of its slice.</summary>
    public required long Slice { get; init; }

    public required LiveRates Rates { get; init; }

    public required int InFlight { get; init; }

    public string? LastError { get; init; }
}
