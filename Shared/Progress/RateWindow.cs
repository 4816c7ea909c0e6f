namespace ScaleOut.Progress;

/// <summary>Rates over the last few seconds, from totals as they come in.</summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(4);

    /// <summary>When a worker has been silent for longer, its rate falls.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    // Amounts, not rates: what was counted up to an instant.
    private readonly Queue<(TimeSpan At, Rates Counted)> _samples = new();
    private (TimeSpan At, Rates Counted) _anchor;
    private (TimeSpan At, Rates Counted) _last;

    /// <summary>Whether there is but one sample, and it is fresh: then only its own mean can be said.</summary>
    public bool HasOneFreshSample(TimeSpan now) => _samples.Count == 1 && now - _last.At <= Length;

    public void Add(TimeSpan at, Counts counts)
    {
        // What was before a long pause says nothing of now.
        if (_samples.Count > 0 && at - _last.At > Length)
            _samples.Clear();
        _last = (at, Rates.From(counts, seconds: 1));
        if (_samples.Count == 0)
            _anchor = _last;
        while (_samples.Count > 0 && at - _samples.Peek().At >= Length)
            _anchor = _samples.Dequeue();
        _samples.Enqueue(_last);
    }

    public Rates At(TimeSpan now)
    {
        var (from, first) = Start();
        var until = now - _last.At > Silence ? now : _last.At;
        var seconds = (until - from).TotalSeconds;
        return seconds <= 0 || now - _last.At > Length ? default : (_last.Counted - first) * (1 / seconds);
    }

    /// <summary>
    /// The amounts as they were exactly the window's length ago, between two samples. Budgets are renewed with each second: a window of
    /// three and a half seconds could hold four of them, and would show more than there is.
    /// </summary>
    private (TimeSpan At, Rates Counted) Start()
    {
        var start = _last.At - Length;
        if (_samples.Count == 0 || _anchor.At >= start)
            return _anchor;
        var (at, next) = _samples.Peek();
        return (start, _anchor.Counted + ((next - _anchor.Counted) * ((start - _anchor.At) / (at - _anchor.At))));
    }
}
