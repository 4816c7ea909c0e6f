namespace ScaleOut.DevBox.Progress;

/// <summary>Rates over the last few seconds, from totals as they come in.</summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(4);

    /// <summary>When a worker has been silent for longer, its rate falls.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    private readonly Queue<(TimeSpan At, Totals Totals)> _samples = new();
    private (TimeSpan At, Totals Totals) _anchor;
    private (TimeSpan At, Totals Totals) _last;

    public void Add(TimeSpan at, Totals totals)
    {
        // What was before a long pause says nothing of now.
        if (_samples.Count > 0 && at - _last.At > Length)
            _samples.Clear();
        if (_samples.Count == 0)
            _anchor = (at, totals);
        while (_samples.Count > 0 && at - _samples.Peek().At >= Length)
            _anchor = _samples.Dequeue();
        _last = (at, totals);
        _samples.Enqueue(_last);
    }

    public LiveRates At(TimeSpan now)
    {
        var (from, first) = Start();
        var until = now - _last.At > Silence ? now : _last.At;
        var seconds = (until - from).TotalSeconds;
        return seconds <= 0 || now - _last.At > Length
            ? default
            : new LiveRates(
                (_last.Totals.Documents - first.Documents) / seconds,
                (_last.Totals.Throttled - first.Throttled) / seconds,
                (_last.Totals.RequestUnits - first.RequestUnits) / seconds);
    }

    /// <summary>
    /// The totals as they were exactly the window's length ago, between two samples. Budgets are renewed with each second: a window of
    /// three and a half seconds could hold four of them, and would show more than there is.
    /// </summary>
    private (TimeSpan At, Totals Totals) Start()
    {
        var start = _last.At - Length;
        if (_samples.Count == 0 || _anchor.At >= start)
            return _anchor;
        var (at, next) = _samples.Peek();
        var share = (start - _anchor.At) / (at - _anchor.At);
        var before = _anchor.Totals;
        return (start, new Totals(
            before.Documents + (long)((next.Documents - before.Documents) * share),
            before.Throttled + (long)((next.Throttled - before.Throttled) * share),
            before.RequestUnits + ((next.RequestUnits - before.RequestUnits) * share)));
    }
}
