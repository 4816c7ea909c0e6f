namespace ScaleOut.Workers.Legs;

/// <summary>
/// Watches a leg while its operation loops work: samples the process each second, polls the stop flag, ends a leg whose account is silent,
/// reports progress.
/// </summary>
/// <param name="leg">The leg whose numbers are worked on.</param>
internal sealed class LegWatch(LegInput leg, LegAttempt attempt, RunningLeg running, IProgressSink sink)
{
    private readonly LegControl _control = running.Loops.Control;
    private readonly LegMeter _meter = running.Loops.Meter;
    private readonly MachineCpu _machineCpu = new();
    private readonly StopPoll _stop = new(attempt.Files, running.Loops.Control);
    private readonly LatencyIntervals _latency = new(() => running.Loops.Meter.OperationLatency);
    private TimeSpan _cpu = Environment.CpuUsage.TotalTime;
    private long _sequence;

    public Task RunAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(SampleAsync(cancellationToken), PollStopAsync(cancellationToken), ReportAsync(cancellationToken));

    /// <summary>Samples the process, for the second that an instant lies in.</summary>
    public void SampleNow(long at)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        _meter.Sample(at, (cpu - _cpu).TotalSeconds, _meter.InFlight, _machineCpu.NextShare());
        _cpu = cpu;
        running.Machine.Sample();
    }

    private async Task SampleAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var second = running.Clock.Now;
            if (!await DelayAsync(running.Clock.LeftInSecond(second), cancellationToken))
                return;
            SampleNow(second);
            _control.EndIfSilent(_meter);
        }
    }

    private async Task PollStopAsync(CancellationToken cancellationToken)
    {
        // The legs of a large run begin at the same instant: their first polls are spread, too.
        var workers = leg.Assignment.Workers;
        var delay = LegTimes.NextPoll(workers) - LegTimes.Poll;
        while (await DelayAsync(delay > TimeSpan.Zero ? delay : TimeSpan.Zero, cancellationToken))
        {
            await _stop.PollAsync(cancellationToken);
            delay = LegTimes.NextPoll(workers);
        }
    }

    private async Task ReportAsync(CancellationToken cancellationToken)
    {
        while (await DelayAsync(ProgressInterval.OfLeg, cancellationToken))
        {
            var (now, latency) = (running.Clock.Now, _latency.Next());
            var report = WorkerProgress.From(
                leg, attempt.Number, ++_sequence, _control.Taking ? WorkerState.Running : WorkerState.Draining, running.Clock.UtcOf(now));
            await sink.ReportAsync(
                report with
                {
                    Warning = _stop.Warning ?? report.Warning,
                    Seconds = running.Clock.SecondsTo(now),
                    Counts = _meter.Totals,
                    InFlight = _meter.InFlight,
                    Latency = latency.Count > 0 ? PackedHistogram.From(latency) : null,
                    LastError = _meter.LastError,
                    Partitions = _meter.PartitionProgress(),
                },
                cancellationToken);
        }
    }

    private async Task<bool> DelayAsync(TimeSpan delay, CancellationToken cancellationToken)
    {
        await Task.Delay(delay, running.Clock.Time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !cancellationToken.IsCancellationRequested;
    }
}

/// <summary>Reads a run's stop flag. A run store that cannot be reached does not end a leg; it is reported after some seconds.</summary>
internal sealed class StopPoll(RunFiles files, LegControl control)
{
    private long? _failingSince;
    private string? _error;

    /// <summary>Why the flag could not be read for some seconds; null while it can.</summary>
    public string? Warning => _failingSince is { } since && control.Time.GetElapsedTime(since) > TransientRetry.QuietTime
        ? $"the run's stop flag cannot be read and is tried again: {_error}"
        : null;

    /// <summary>
    /// Reads the flag once, and ends the leg if it is set. Never throws, so that an error does not discard the results of the leg. The
    /// error is kept for <see cref="Warning"/>, and the next poll reads the flag again.
    /// </summary>
    public async Task PollAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (await files.IsStopRequestedAsync(cancellationToken))
                control.EndWith(LegEnd.Stopped, LegTimes.DrainWhenStopped);
            _failingSince = null;
        }
        catch (Exception e)
        {
            _error = e.Message;
            _failingSince ??= control.Time.GetTimestamp();
        }
    }
}
