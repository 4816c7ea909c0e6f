namespace ScaleOut.Workers.Legs;

/// <summary>
/// How long one operation waits before its next attempt. After a 429 it waits as long as the account says. After other transient errors,
/// and after a 429 without a time, it waits at least a delay that doubles from 10 ms to 1 s.
/// </summary>
internal sealed class RetryDelay
{
    /// <summary>Timers end up to a millisecond early, and an early retry is throttled again.</summary>
    private static readonly TimeSpan TimerGrain = TimeSpan.FromMilliseconds(1);

    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan MaxDelay = TimeSpan.FromSeconds(1);

    private TimeSpan _next = First;

    public TimeSpan After(in AttemptResponse response)
    {
        if (response.Kind == AttemptKind.Throttled && response.RetryAfter > TimeSpan.Zero)
            return response.RetryAfter + TimerGrain;
        var delay = response.RetryAfter > _next ? response.RetryAfter : _next;
        _next = _next * 2 < MaxDelay ? _next * 2 : MaxDelay;
        return delay;
    }
}
