namespace ScaleOut.Workers.Legs;

/// <summary>
/// Ends a leg: operation loops take nothing more, and operations that are in flight after the drain are left behind. The first reason to
/// end holds.
/// </summary>
internal sealed class LegControl : IDisposable
{
    private readonly CancellationTokenSource _closing;
    private readonly CancellationTokenSource _cut;
    private readonly TaskCompletionSource _overdue = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenRegistration _whenCut;
    private int _ended;

    public LegControl(CancellationToken cancellationToken)
    {
        _cut = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _closing = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token);
        _whenCut = _cut.Token.Register(() => _ = GiveGraceAsync());
    }

    /// <summary>Cancelled when the leg takes nothing more. Operations that wait for their first attempt end.</summary>
    public CancellationToken Closing => _closing.Token;

    /// <summary>Cancelled when the drain is over. Operations that wait for their next attempt end.</summary>
    public CancellationToken Cut => _cut.Token;

    /// <summary>Whether operation loops may take another number.</summary>
    public bool Taking => Volatile.Read(ref _ended) == 0;

    /// <summary>Ends shortly after <see cref="Cut"/>. Operation loops that still wait for a response are left behind then.</summary>
    public Task Overdue => _overdue.Task;

    /// <summary>Why the leg ends; null while it goes on, or if it came to the end of its slice.</summary>
    public LegEnd? End { get; private set; }

    public string? Reason { get; private set; }

    /// <summary>Ends the leg, unless it ends already.</summary>
    public void EndWith(LegEnd end, TimeSpan drain, string? reason = null)
    {
        if (Interlocked.Exchange(ref _ended, 1) != 0)
        {
            // A stop shortens a drain that has begun.
            if (end == LegEnd.Stopped)
                _cut.CancelAfter(drain);
            return;
        }

        (End, Reason) = (end, reason);
        _closing.Cancel();
        _cut.CancelAfter(drain);
    }

    /// <summary>Ends the leg if the account has not responded for as long as a leg waits.</summary>
    public void EndIfSilent(LegMeter meter)
    {
        if (meter.SilentSince is { } since && Stopwatch.GetElapsedTime(since) > LegTimes.Silence)
            EndWith(LegEnd.AccountSilent, TimeSpan.Zero, $"The account has not responded for {LegTimes.Silence.TotalSeconds} s; "
                + $"last error: {meter.LastError ?? "none"}.");
    }

    public void Dispose()
    {
        _whenCut.Dispose();
        _closing.Dispose();
        _cut.Dispose();
    }

    private async Task GiveGraceAsync()
    {
        await Task.Delay(LegTimes.Grace);
        _overdue.TrySetResult();
    }
}
