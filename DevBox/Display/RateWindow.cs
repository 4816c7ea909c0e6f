namespace ScaleOut.DevBox.Display;

/// <summary>Rates over the last few seconds, from totals as they come in.</summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(4);

    /// <summary>Workers tell of themselves about every second; when one has been silent for longer, its rate falls.</summary>
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    private readonly Queue<(TimeSpan At, Totals Totals)> _samples = new();
    private (TimeSpan At, Totals Totals) _last;

    public void Add(TimeSpan at, Totals totals)
    {
        while (_samples.Count > 0 && at - _samples.Peek().At > Length)
            _samples.Dequeue();
        _last = (at, totals);
        _samples.Enqueue(_last);
    }

    public Rates At(TimeSpan now)
    {
        if (_samples.Count < 2)
            return default;
        var (from, first) = _samples.Peek();
        var until = now - _last.At > Silence ? now : _last.At;
        var seconds = (until - from).TotalSeconds;
        return seconds <= 0 || now - _last.At > Length
            ? default
            : new Rates((_last.Totals.Documents - first.Documents) / seconds, (_last.Totals.Throttled - first.Throttled) / seconds, (_last.Totals.RequestUnits - first.RequestUnits) / seconds);
    }
}
