using ScaleOut.Orchestration;
using ScaleOut.Progress;

namespace ScaleOut.DevBox.Display;

/// <summary>What is known of one worker while it runs.</summary>
internal sealed class WorkerBoard(int index, long slice, TimeSpan? interval = null)
{
    private readonly RateWindow _window = new(interval);
    private Totals _before;
    private WorkerProgress? _current;
    private int _endedLeg;
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

    /// <summary>Takes what the worker tells of the leg it runs. What comes late or twice is left out: then it is false.</summary>
    public bool Take(WorkerProgress progress, TimeSpan at)
    {
        if (progress.Leg <= _endedLeg || progress.Activity == WorkerActivity.Ended || (_current is { } last && progress.Order.CompareTo(last.Order) <= 0))
            return false;
        _current = progress;
        _lastError = progress.LastError ?? _lastError;
        _state = progress.Activity switch
        {
            WorkerActivity.Warming => "warming",
            WorkerActivity.Populating => "putting documents to work on",
            WorkerActivity.Waiting => "waiting",
            WorkerActivity.Draining => "draining",
            _ => "running",
        };
        _window.Add(at, Total);
        return true;
    }

    /// <summary>Takes the result of a leg; it holds over what the leg told of itself.</summary>
    public void EndLeg(LegOutput leg, TimeSpan at)
    {
        _before += new Totals(leg.Done, leg.Throttled, leg.RequestUnits);
        _current = null;
        _endedLeg = leg.Leg;
        _lastError = leg.Reason ?? _lastError;
        _window.Add(at, Total);
    }

    /// <summary>Takes the result of a leg that ended before this program was started: no rate comes from it.</summary>
    public void Restore(LegOutput leg)
    {
        _before += new Totals(leg.Done, leg.Throttled, leg.RequestUnits);
        _endedLeg = leg.Leg;
    }

    /// <summary>The leg in hand left no result; the next attempt counts from its beginning.</summary>
    public void LoseLeg(string reason)
    {
        _current = null;
        _state = "restarting";
        _lastError = reason;
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
