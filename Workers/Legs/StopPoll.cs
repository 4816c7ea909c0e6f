using System.Diagnostics;
using ScaleOut.Orchestration;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// Looks at a run's stop flag every second. A run store that is out of reach for a moment is no reason to lose a leg; for longer, it is
/// told.
/// </summary>
internal sealed class StopPoll(RunFiles files, LegControl control)
{
    private long? _failingSince;
    private string? _error;

    /// <summary>That the flag cannot be read, and why, once that has gone on for some seconds; null while it can.</summary>
    public string? Warning => _failingSince is { } since && Stopwatch.GetElapsedTime(since) > Patience.QuietTime
        ? $"the run's stop flag cannot be read and is tried again: {_error}"
        : null;

    /// <summary>Looks once, and ends the leg when the flag is set.</summary>
    public async Task LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (await files.IsStopRequestedAsync(cancellationToken))
                control.EndWith(LegEnd.Stopped, LegLimits.DrainWhenStopped);
            _failingSince = null;
        }
        catch (Exception e) when (control.Taking || cancellationToken.IsCancellationRequested)
        {
            // The next look tells. Or the leg is over, and nothing is to be told any more.
            _error = e.Message;
            _failingSince ??= Stopwatch.GetTimestamp();
        }
    }
}
