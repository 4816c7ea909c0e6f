namespace ScaleOut.Workers.Legs;

/// <summary>
/// Looks after a leg while its operation loops work: samples the process each second, polls the stop flag, ends a leg whose account is
/// silent, reports progress.
/// </summary>
internal sealed class LegWatch(
    LegInput leg, int attempt, RunFiles files, LegControl control, LegMeter meter, LegClock clock, MachineProbe machine, IProgressSink sink)
{
    private readonly MachineCpu _machineCpu = new();
    private readonly StopPoll _stop = new(files, control);
    private readonly LatencyIntervals _latency = new(meter.OperationLatency);
    private TimeSpan _cpu = Environment.CpuUsage.TotalTime;
    private long _sequence;

    /// <summary>Watches until cancelled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(SampleAsync(cancellationToken), PollStopAsync(cancellationToken), ReportAsync(cancellationToken));
    }

    /// <summary>Keeps the last, unfinished second's sample.</summary>
    public void SampleNow(long at)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        meter.Sample(at, (cpu - _cpu).TotalSeconds, meter.InFlight, _machineCpu.NextShare());
        _cpu = cpu;
        machine.Sample();
    }

    private async Task SampleAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var second = LegClock.Now;
            if (!await DelayAsync(clock.LeftInSecond(second), cancellationToken))
                return;
            SampleNow(second);
            if (meter.SilentSince is { } since && Stopwatch.GetElapsedTime(since) > LegTimes.Silence)
                control.EndWith(LegEnd.AccountSilent, TimeSpan.Zero, $"The account has not responded for {LegTimes.Silence.TotalSeconds} "
                    + $"s; last error: {meter.LastError ?? "none"}.");
        }
    }

    private async Task PollStopAsync(CancellationToken cancellationToken)
    {
        do
        {
            await _stop.LookAsync(cancellationToken);
        }
        while (await DelayAsync(LegTimes.StopPoll, cancellationToken));
    }

    private async Task ReportAsync(CancellationToken cancellationToken)
    {
        while (await DelayAsync(LegTimes.Progress, cancellationToken))
        {
            var (now, latency) = (LegClock.Now, _latency.Next());
            var report = WorkerProgress.From(
                leg, attempt, ++_sequence, control.Taking ? WorkerActivity.Running : WorkerActivity.Draining, clock.UtcOf(now));
            await sink.ReportAsync(
                report with
                {
                    Warning = _stop.Warning ?? report.Warning,
                    Seconds = clock.SecondsTo(now),
                    Counts = meter.Totals,
                    InFlight = meter.InFlight,
                    Latency = latency.Count > 0 ? PackedHistogram.From(latency) : null,
                    LastError = meter.LastError,
                    Partitions = meter.PartitionProgress(),
                },
                cancellationToken);
        }
    }

    private static async Task<bool> DelayAsync(TimeSpan delay, CancellationToken cancellationToken)
    {
        await Task.Delay(delay, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !cancellationToken.IsCancellationRequested;
    }
}

/// <summary>
/// Looks at a run's stop flag every second. A run store that is out of reach for a moment is no reason to lose a leg; for longer, it is
/// reported.
/// </summary>
internal sealed class StopPoll(RunFiles files, LegControl control)
{
    private long? _failingSince;
    private string? _error;

    /// <summary>That the flag cannot be read, and why, once that has gone on for some seconds; null while it can.</summary>
    public string? Warning => _failingSince is { } since && Stopwatch.GetElapsedTime(since) > TransientRetry.QuietTime
        ? $"the run's stop flag cannot be read and is tried again: {_error}"
        : null;

    /// <summary>Looks once, and ends the leg when the flag is set.</summary>
    public async Task LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (await files.IsStopRequestedAsync(cancellationToken))
                control.EndWith(LegEnd.Stopped, LegTimes.DrainWhenStopped);
            _failingSince = null;
        }
        catch (Exception e) when (control.Taking || cancellationToken.IsCancellationRequested)
        {
            // The next poll reads it. Or the leg is over, and nothing is to be reported any more.
            _error = e.Message;
            _failingSince ??= Stopwatch.GetTimestamp();
        }
    }
}
