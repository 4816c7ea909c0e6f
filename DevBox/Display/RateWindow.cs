namespace ScaleOut.DevBox.Display;

/// <summary>Rates over the last few seconds, from totals as they come in.</summary>
/// <param name="interval">How often totals come in; null for every half second or so.</param>
internal sealed class RateWindow(TimeSpan? interval = null)
{
    private static readonly TimeSpan ShortestLength = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan ShortestSilence = TimeSpan.FromSeconds(2);

    /// <summary>Two intervals and a little, so that there are always totals to compare.</summary>
    private readonly TimeSpan _length = Longer(ShortestLength, interval * 2.5);

    /// <summary>When a worker has been silent for longer, its rate falls.</summary>
    private readonly TimeSpan _silence = Longer(ShortestSilence, interval * 1.5);

    private readonly Queue<(TimeSpan At, Totals Totals)> _samples = new();
    private (TimeSpan At, Totals Totals) _last;

    public void Add(TimeSpan at, Totals totals)
    {
        while (_samples.Count > 0 && at - _samples.Peek().At > _length)
            _samples.Dequeue();
        _last = (at, totals);
        _samples.Enqueue(_last);
    }

    public Rates At(TimeSpan now)
    {
        if (_samples.Count < 2)
            return default;
        var (from, first) = _samples.Peek();
        var until = now - _last.At > _silence ? now : _last.At;
        var seconds = (until - from).TotalSeconds;
        return seconds <= 0 || now - _last.At > _length
            ? default
            : new Rates((_last.Totals.Documents - first.Documents) / seconds, (_last.Totals.Throttled - first.Throttled) / seconds, (_last.Totals.RequestUnits - first.RequestUnits) / seconds);
    }

    private static TimeSpan Longer(TimeSpan shortest, TimeSpan? wanted) => wanted > shortest ? wanted.Value : shortest;
}
