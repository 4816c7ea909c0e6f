namespace ScaleOut.Workers.Legs;

/// <summary>
/// Ends a leg: operation loops take no more numbers, and operations that are still in flight after the drain are abandoned. The first
/// reason to end is kept.
/// </summary>
internal sealed class LegControl : IDisposable
{
    private readonly CancellationTokenSource _closing;
    private readonly CancellationTokenSource _cut;
    private readonly TaskCompletionSource _overdue = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenRegistration _whenCancelled;
    private readonly CancellationTokenRegistration _whenCut;
    // End and reason are published together as one reference, so a reader that sees the end also sees the reason.
    private Ending? _ending;

    /// <param name="cancellationToken">Cuts the leg short.</param>
    /// <param name="time">Null for the system's clock.</param>
    public LegControl(CancellationToken cancellationToken, TimeProvider? time = null)
    {
        Time = time ?? TimeProvider.System;
        _cut = new CancellationTokenSource(Timeout.InfiniteTimeSpan, Time);
        _whenCancelled = cancellationToken.Register(_cut.Cancel);
        _closing = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        _whenCut = _cut.Token.Register(() => _ = GiveGraceAsync());
    }

    /// <summary>The clock of the leg.</summary>
    public TimeProvider Time { get; }

    /// <summary>Cancelled when operation loops may take no more numbers. Operations that wait for their first attempt end then.</summary>
    public CancellationToken Closing => _closing.Token;

    /// <summary>Cancelled when the drain is over. Operations that wait for their next attempt end then.</summary>
    public CancellationToken Cut => _cut.Token;

    /// <summary>Whether operation loops may take another number.</summary>
    public bool Taking => Volatile.Read(ref _ending) is null;

    /// <summary>Completes shortly after <see cref="Cut"/>. Operation loops that still wait for a response are abandoned then.</summary>
    public Task Overdue => _overdue.Task;

    /// <summary>Why the leg ends; null while it goes on, or if it came to the end of its slice.</summary>
    public LegEnd? End => Volatile.Read(ref _ending)?.End;

    public string? Reason => Volatile.Read(ref _ending)?.Reason;

    /// <summary>Ends the leg, unless it ends already.</summary>
    public void EndWith(LegEnd end, TimeSpan drain, string? reason = null)
    {
        if (Interlocked.CompareExchange(ref _ending, new Ending(end, reason), null) is not null)
        {
            // A stop shortens a drain that has begun.
            if (end == LegEnd.Stopped)
                _cut.CancelAfter(drain);
            return;
        }

        _closing.Cancel();
        _cut.CancelAfter(drain);
    }

    /// <summary>Ends the leg if the account has not responded for <see cref="LegTimes.Silence"/>.</summary>
    public void EndIfSilent(LegMeter meter)
    {
        if (meter.SilentSince is { } since && Time.GetElapsedTime(since) > LegTimes.Silence)
            EndWith(LegEnd.AccountSilent, TimeSpan.Zero, $"The account has not responded for {LegTimes.Silence.TotalSeconds} s; "
                + $"last error: {meter.LastError ?? "none"}.");
    }

    public void Dispose()
    {
        _whenCancelled.Dispose();
        _whenCut.Dispose();
        _closing.Dispose();
        _cut.Dispose();
    }

    private async Task GiveGraceAsync()
    {
        await Task.Delay(LegTimes.Grace, Time, CancellationToken.None);
        _overdue.TrySetResult();
    }

    private sealed record Ending(LegEnd End, string? Reason);
}
