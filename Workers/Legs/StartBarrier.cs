namespace ScaleOut.Workers.Legs;

/// <summary>
/// Makes all workers of a run start together. Each writes a ready mark into the run store and polls for the start instant. Worker 0 sets it
/// when all are ready. After <c>startTimeout</c> any worker sets it, once the preload of the missing workers is written. A worker that
/// comes later starts at once.
/// </summary>
/// <remarks>
/// All waits use a monotonic clock. Only the stop flag limits the wait for missing preloads. The start instant comes from the clock of the
/// worker that set it. It was set after this worker was ready and before this worker read it, which bounds the difference of the two
/// clocks. If they differ by more than <see cref="ClockLimits.Skew"/>, this worker does not start.
/// </remarks>
/// <param name="clock">The clock of the worker's legs.</param>
/// <param name="lead">Time from the last ready mark to the start; the same for all workers of a run.</param>
/// <param name="onOneMachine">
/// Whether all workers are on one machine. A worker that starts again there begins at once: a start that seems to be ahead means that the
/// machine's clock was set.
/// </param>
internal sealed class StartBarrier(RunFiles files, AnchoredClock clock, TimeSpan lead, bool onOneMachine = false)
{
    /// <summary>
    /// Long enough for all workers to read the start instant before it passes, even with a high latency to the run store.
    /// </summary>
    public static readonly TimeSpan DefaultLead = TimeSpan.FromSeconds(3);

    /// <summary>Lead if the run store is a folder of the machine that all workers run on: five polls.</summary>
    public static readonly TimeSpan LeadOnOneMachine = TimeSpan.FromSeconds(0.5);

    private const int ManyWorkers = 50;

    private static readonly TimeSpan PollOfFew = TimeSpan.FromSeconds(0.2);

    /// <summary>A poll of a folder looks for two files; that of worker 0 also lists the ready marks.</summary>
    private static readonly TimeSpan PollOnOneMachine = TimeSpan.FromSeconds(0.1);

    /// <summary>Interval at which a worker prepares a late start.</summary>
    private static readonly TimeSpan LatePoll = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan LatePollOfMany = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The lead of a run. It is short for few workers on one machine, which poll often, and long for many, which poll seldom.
    /// </summary>
    public static TimeSpan LeadFor(int workers, bool onOneMachine) => onOneMachine && workers <= ManyWorkers
        ? LeadOnOneMachine
        : DefaultLead + LegTimes.LongestPoll(workers) - LegTimes.Poll;

    /// <summary>Marks the worker as ready and waits for the start.</summary>
    /// <param name="startTimeout">How long the worker waits for the others before it starts without them.</param>
    /// <param name="prepareLateStart">Does for missing workers what the others need; null if they need nothing.</param>
    public async Task<StartWait> WaitAsync(
        int worker, int workers, TimeSpan startTimeout, PrepareLateStart? prepareLateStart, CancellationToken cancellationToken)
    {
        var wait = new Wait(clock.Time, worker, workers, startTimeout, prepareLateStart);
        var readyAt = clock.UtcNow;
        var isFirst = await files.MarkReadyAsync(worker, cancellationToken);
        while (true)
        {
            var waited = wait.Waited;
            bool stopped;
            StartInstant? start;
            try
            {
                stopped = await files.IsStopRequestedAsync(cancellationToken);
                start = stopped ? null : await files.ReadStartAsync(cancellationToken);
                await MarkAgainAsync(wait, waited, cancellationToken);
            }
            catch (Exception e) when (waited < startTimeout && MayPass(e, cancellationToken))
            {
                // As in a leg, a run store that is away for a while does not end the wait. The next poll reads again.
                await Task.Delay(Poll(worker, workers), clock.Time, cancellationToken);
                continue;
            }

            if (stopped)
                return new StartWait();
            if (start is not null)
            {
                if (onOneMachine && !isFirst)
                    return new StartWait { Start = start, Skew = ClockSkew.None };
                // A start that counts all workers as ready was set after this worker's mark.
                var low = isFirst && start.Ready >= workers ? Ms(SinceSet(start, readyAt)) : (double?)null;
                return await StartAsync(start, new ClockSkew(low, Ms(SinceSet(start, clock.UtcNow))), workers, cancellationToken);
            }

            var (end, readAtOnce) = worker == 0 || waited >= wait.LateAt
                ? await SetIfReadyAsync(wait, waited, cancellationToken)
                : (null, false);
            if (end is not null)
                return end;
            if (!readAtOnce)
                await Task.Delay(Poll(worker, workers), clock.Time, cancellationToken);
        }
    }

    /// <summary>Somebody may have deleted the mark, and the others would wait for it until their time is up.</summary>
    private async Task MarkAgainAsync(Wait wait, TimeSpan waited, CancellationToken cancellationToken)
    {
        if (waited < wait.MarkAt)
            return;
        await files.MarkReadyAsync(wait.Worker, cancellationToken);
        wait.MarkAt = waited + wait.LatePoll;
    }

    /// <summary>Sets the start if all workers are ready, or if it is late and the others need nothing more of those that are not.</summary>
    /// <returns>How the wait ended; null if it goes on, and then whether with the next read at once.</returns>
    private async Task<(StartWait? End, bool ReadAtOnce)> SetIfReadyAsync(
        Wait wait, TimeSpan waited, CancellationToken cancellationToken)
    {
        var ready = await files.ListReadyAsync(cancellationToken);
        var maySet = ready.Count >= wait.Workers;
        if (!maySet && waited >= wait.LateAt)
        {
            (maySet, var error) = wait.PrepareLateStart is null
                ? (true, null)
                : await wait.PrepareLateStart(ready, waited - wait.StartTimeout, cancellationToken);
            if (error is not null)
                return (new StartWait { Error = error }, false);
            wait.LateAt = wait.Waited + wait.LatePoll;
            if (!maySet)
                return (null, ReadAtOnce: true);
            ready = await files.ListReadyAsync(cancellationToken);
        }

        return maySet && await TrySetAsync(ready.Count, cancellationToken) is { } own
            ? (await StartAsync(own, ClockSkew.None, wait.Workers, cancellationToken), false)
            : (null, false);
    }

    /// <summary>Worker 0 polls often, because the others wait for it.</summary>
    private TimeSpan Poll(int worker, int workers)
    {
        if (workers <= ManyWorkers)
            return onOneMachine ? PollOnOneMachine : PollOfFew;
        return worker == 0 ? LegTimes.Poll : LegTimes.NextPoll(workers);
    }

    /// <summary>Whether a later read may succeed. A damaged item stays damaged.</summary>
    private static bool MayPass(Exception error, CancellationToken cancellationToken) =>
        error is not EvidenceException && !cancellationToken.IsCancellationRequested;

    /// <summary>Sets the start. Null if another worker was faster.</summary>
    private async Task<StartInstant?> TrySetAsync(int ready, CancellationToken cancellationToken)
    {
        // Race: worker 0 sees the last ready mark while another worker's startTimeout ends, and both set a start. The run store keeps the
        // first. The slower worker gets it back here, starts nothing of its own, and reads the same instant at its next poll.
        var own = new StartInstant(clock.UtcNow + lead, ready);
        return await files.SetStartAsync(own, cancellationToken) is var holds && holds == own ? own : null;
    }

    private async Task<StartWait> StartAsync(StartInstant start, ClockSkew skew, int workers, CancellationToken cancellationToken)
    {
        var (read, left) = (clock.Time.GetTimestamp(), start.At - clock.UtcNow);
        if (left > lead + ClockLimits.Skew || skew.LowMs > ClockLimits.Skew.TotalMilliseconds)
            return new StartWait { Start = start, Skew = skew, Error = Describe(start, left) };

        // A clock that is a little behind would make the worker wait too long.
        left = left < lead ? left : lead;
        while (left - clock.Time.GetElapsedTime(read) is var rest && rest > TimeSpan.Zero)
        {
            if (await IsStopReadAsync(cancellationToken))
                return new StartWait();
            var wait = LegTimes.NextPoll(workers) / 2;
            await Task.Delay(rest < wait ? rest + TimeSpan.FromMilliseconds(1) : wait, clock.Time, cancellationToken);
        }

        return new StartWait { Start = start, Skew = skew };
    }

    /// <summary>Whether the stop flag is set. A flag that cannot be read does not delay the start; the leg reads it again.</summary>
    private async Task<bool> IsStopReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await files.IsStopRequestedAsync(cancellationToken);
        }
        catch (Exception e) when (MayPass(e, cancellationToken))
        {
            // The leg reports a flag that it cannot read.
            return false;
        }
    }

    private TimeSpan SinceSet(StartInstant start, DateTimeOffset instant) => instant - start.At + lead;

    private static double Ms(TimeSpan time) => Math.Round(time.TotalMilliseconds, 1);

    private string Describe(StartInstant start, TimeSpan left) =>
        $"The common start in the run store is set to {Text(start.At)}, {Seconds(left)} s {(left > TimeSpan.Zero ? "ahead of" : "behind")} "
        + $"this worker's clock ({Text(clock.UtcNow)}), but it was set {Seconds(lead)} s ahead once the workers were ready: this worker's "
        + "clock, or that of the worker which set it, is wrong. Synchronize the clocks of all machines and run again.";

    private static string Text(DateTimeOffset at) => at.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss.fff 'UTC'", CultureInfo.InvariantCulture);

    private static string Seconds(TimeSpan time) => Math.Abs(time.TotalSeconds).ToString("0.#", CultureInfo.InvariantCulture);

    /// <summary>A worker's wait for the others.</summary>
    private sealed record Wait(
        TimeProvider Time, int Worker, int Workers, TimeSpan StartTimeout, PrepareLateStart? PrepareLateStart)
    {
        private readonly long _begun = Time.GetTimestamp();

        public TimeSpan Waited => Time.GetElapsedTime(_begun);

        /// <summary>When the worker next tries to start without those that are missing.</summary>
        public TimeSpan LateAt { get; set; } = StartTimeout;

        /// <summary>When the worker next writes its mark again.</summary>
        public TimeSpan MarkAt { get; set; } = LatePollOf(Workers);

        public TimeSpan LatePoll => LatePollOf(Workers);

        private static TimeSpan LatePollOf(int workers) => workers > ManyWorkers ? LatePollOfMany : StartBarrier.LatePoll;
    }
}

/// <summary>Does for missing workers what the others need before they start.</summary>
/// <param name="ready">The workers that are ready, in ascending order.</param>
/// <param name="late">Time since the end of <c>startTimeout</c>.</param>
/// <returns>Whether the others may start, and why this worker cannot do its part; null if it can.</returns>
internal delegate Task<(bool MayStart, string? Error)> PrepareLateStart(
    IReadOnlyList<int> ready, TimeSpan late, CancellationToken cancellationToken);

/// <summary>The outcome of waiting for the common start. Without start and error the run was stopped before it.</summary>
internal sealed record StartWait
{
    public StartInstant? Start { get; init; }

    /// <summary>How far this worker's clock is from that of the worker that set the start.</summary>
    public ClockSkew? Skew { get; init; }

    /// <summary>
    /// Why the worker cannot start: <see cref="Start"/> cannot be right, or a late start could not be prepared. Null if it can.
    /// </summary>
    public string? Error { get; init; }
}
