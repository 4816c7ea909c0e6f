namespace ScaleOut.Workers.Legs;

/// <summary>
/// Makes all workers of a run start together: each writes its ready mark into the run store and polls for the start instant, which worker 0
/// sets when all are ready. Once the time to wait has passed, any worker sets it. One that comes later starts at once.
/// </summary>
/// <remarks>
/// All waiting is by a monotonic clock and bounded: for the instant until <c>startTimeout</c>, then for the lead. The instant is one of the
/// clock of the worker that set it. How far clocks are apart is known only within bounds: it was set after this worker was ready and before
/// this worker read it. An instant further ahead than the lead, or one set before this worker was ready, means that the clocks differ; by
/// more than <see cref="ClockLimits.Skew"/>, the worker does not start.
/// </remarks>
/// <param name="files">The run's.</param>
/// <param name="clock">The clock that the worker's legs are timed by.</param>
/// <param name="lead">From the last ready mark to the start; the same for all workers of a run.</param>
/// <param name="onOneMachine">
/// Whether all workers are on one machine. A worker that is started again there begins at once: a start that seems to be ahead means that
/// the machine's clock was set.
/// </param>
internal sealed class StartBarrier(RunFiles files, AnchoredClock clock, TimeSpan lead, bool onOneMachine = false)
{
    /// <summary>Where a worker is asked to look often enough to see the start before it comes: its run store may be far away.</summary>
    public static readonly TimeSpan DefaultLead = TimeSpan.FromSeconds(3);

    /// <summary>Where the run store is a folder of the machine that all workers run on.</summary>
    public static readonly TimeSpan LeadOnOneMachine = TimeSpan.FromSeconds(1);

    private const int ManyWorkers = 50;

    /// <summary>How long before the stop flag is looked at again.</summary>
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(0.5);

    /// <summary>The lead of a run: short only where few workers of one machine look for the start often.</summary>
    public static TimeSpan LeadFor(int workers, bool onOneMachine) =>
        onOneMachine && workers <= ManyWorkers ? LeadOnOneMachine : DefaultLead;

    /// <summary>Waits for the start.</summary>
    public async Task<StartWait> WaitAsync(int worker, int workers, TimeSpan startTimeout, CancellationToken cancellationToken)
    {
        var (begun, readyAt) = (Stopwatch.GetTimestamp(), clock.UtcNow);
        var isFirst = await files.MarkReadyAsync(worker, cancellationToken);
        var poll = TimeSpan.FromMilliseconds(workers > ManyWorkers ? 1000 : 200);
        while (!await files.IsStopRequestedAsync(cancellationToken))
        {
            if (await files.ReadStartAsync(cancellationToken) is { } start)
            {
                if (onOneMachine && !isFirst)
                    return new StartWait { Start = start, Skew = ClockSkew.None };
                // A start that counts all workers as ready counts this one's mark, and so was set after it.
                var low = isFirst && start.Ready >= workers ? Ms(SinceSet(start, readyAt)) : (double?)null;
                return await StartAsync(start, new ClockSkew(low, Ms(SinceSet(start, clock.UtcNow))), cancellationToken);
            }

            if (await TrySetAsync(worker, workers, late: Stopwatch.GetElapsedTime(begun) >= startTimeout, cancellationToken) is { } own)
                return await StartAsync(own, ClockSkew.None, cancellationToken);
            await Task.Delay(poll, cancellationToken);
        }

        return new StartWait();
    }

    /// <summary>The start that this worker set; null when it did not, or another was faster.</summary>
    private async Task<StartInstant?> TrySetAsync(int worker, int workers, bool late, CancellationToken cancellationToken)
    {
        if (worker != 0 && !late)
            return null;

        var ready = await files.CountReadyAsync(cancellationToken);
        if (ready < workers && !late)
            return null;
        var own = new StartInstant(clock.UtcNow + lead, ready);
        return await files.SetStartAsync(own, cancellationToken) is var holds && holds == own ? own : null;
    }

    private async Task<StartWait> StartAsync(StartInstant start, ClockSkew skew, CancellationToken cancellationToken)
    {
        var (read, left) = (Stopwatch.GetTimestamp(), start.At - clock.UtcNow);
        if (left > lead + ClockLimits.Skew || skew.LowMs > ClockLimits.Skew.TotalMilliseconds)
            return new StartWait { Start = start, Skew = skew, Error = Describe(start, left) };

        // A clock that is a little behind would make the worker wait for longer than there is to wait.
        left = left < lead ? left : lead;
        while (left - Stopwatch.GetElapsedTime(read) is var rest && rest > TimeSpan.Zero)
        {
            if (await files.IsStopRequestedAsync(cancellationToken))
                return new StartWait();
            await Task.Delay(rest < MaxWait ? rest + TimeSpan.FromMilliseconds(1) : MaxWait, cancellationToken);
        }

        return new StartWait { Start = start, Skew = skew };
    }

    /// <summary>The start is set so long before it comes.</summary>
    private TimeSpan SinceSet(StartInstant start, DateTimeOffset instant) => instant - start.At + lead;

    private static double Ms(TimeSpan time) => Math.Round(time.TotalMilliseconds, 1);

    private string Describe(StartInstant start, TimeSpan left) =>
        $"The common start in the run store is set to {Text(start.At)}, {Seconds(left)} s {(left > TimeSpan.Zero ? "ahead of" : "behind")} "
        + $"this worker's clock ({Text(clock.UtcNow)}), but it was set {Seconds(lead)} s ahead once the workers were ready: this worker's "
        + "clock, or that of the worker which set it, is wrong. Synchronize the clocks of all machines and run again.";

    private static string Text(DateTimeOffset at) => at.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss.fff 'UTC'", CultureInfo.InvariantCulture);

    private static string Seconds(TimeSpan time) => Math.Abs(time.TotalSeconds).ToString("0.#", CultureInfo.InvariantCulture);
}

/// <summary>What came of waiting for the common start; neither start nor error when the run was stopped before it.</summary>
internal sealed record StartWait
{
    /// <summary>The start instant; null when the run was stopped before it.</summary>
    public StartInstant? Start { get; init; }

    /// <summary>How this worker's clock stands to that of the worker which set the start; null without one.</summary>
    public ClockSkew? Skew { get; init; }

    /// <summary>Why <see cref="Start"/> cannot be; null when it can.</summary>
    public string? Error { get; init; }
}
