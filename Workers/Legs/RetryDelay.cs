using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// How long one operation waits before its next attempt: after a 429 as long as the account says, after other transient errors, and where
/// a throttled response names no time, at least a delay that doubles from 10 ms to 1 s.
/// </summary>
internal sealed class RetryDelay
{
    /// <summary>Timers end up to a millisecond early, and a retry that comes early is throttled again.</summary>
    private static readonly TimeSpan TimerGrain = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);

    private TimeSpan _next = First;

    /// <summary>The wait after an attempt that is to be repeated.</summary>
    public TimeSpan After(in AttemptResponse response)
    {
        if (response.Kind == AttemptKind.Throttled && response.RetryAfter > TimeSpan.Zero)
            return response.RetryAfter + TimerGrain;
        var delay = response.RetryAfter > _next ? response.RetryAfter : _next;
        _next = _next * 2 < Longest ? _next * 2 : Longest;
        return delay;
    }
}
