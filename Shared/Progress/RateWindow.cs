namespace ScaleOut.Progress;

/// <summary>Rates over the last few seconds, from reported totals.</summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(4);

    /// <summary>If a worker has reported nothing for longer than this, its rate falls.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    // Counted holds totals up to an instant, not rates.
    private readonly Queue<(TimeSpan At, Rates Counted)> _samples = new();
    private (TimeSpan At, Rates Counted) _anchor;
    private (TimeSpan At, Rates Counted) _last;

    /// <summary>Whether there is only one sample and it is recent. Then the window has no rate, only the worker's mean is known.</summary>
    public bool HasOneFreshSample(TimeSpan now) => _samples.Count == 1 && now - _last.At <= Length;

    public void Add(TimeSpan at, Counts counts)
    {
        // Samples from before a long pause do not show the present rate.
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
    /// The totals exactly one window length ago, interpolated between two samples. The length must be whole seconds: a partition gets new
    /// RU each second, so a window of 3.5 s could hold the RU of four seconds and show too high a rate.
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
