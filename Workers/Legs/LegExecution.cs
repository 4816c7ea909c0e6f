namespace ScaleOut.Workers.Legs;

/// <summary>The measured part of a leg: operation loops process document numbers until the slice is done or the leg ends.</summary>
internal sealed class LegExecution(
    LegInput leg,
    LegNumbers numbers,
    int attempt,
    RunFiles files,
    IProgressSink sink,
    IEnumerable<IRunTelemetry> telemetry,
    AnchoredClock utc)
{
    private const string Uncharged =
        "The account gave no charge (x-ms-request-charge), or 0, in responses that succeeded. If they cost more, the run's RU are too low.";

    /// <param name="cancellationToken">Cuts the leg short. The leg still returns a result.</param>
    public async Task<LegResult> RunAsync(
        IWorkerClient client, PartitionRanges partitions, IDocumentSource documents, CancellationToken cancellationToken)
    {
        var assignment = leg.Assignment;
        var progress = new SliceNumbers(
            assignment.Slice, leg.Next, assignment.Workload.DocumentsPerOperation, NumberSet.From(numbers.LeftOut));
        var uncertainBefore = NumberSet.From(numbers.Before?.Uncertain ?? []);

        var pace = await RequestUnitPace.FromAsync(assignment, files, cancellationToken);
        using var control = new LegControl(cancellationToken);
        var clock = new LegClock(utc);
        var machine = new MachineProbe(client.Connections);
        var plan = new LoadPlan(assignment.Workload, assignment.Client, assignment.Worker, assignment.Workers);
        var schedule = new Schedule(plan, assignment.Slice.First, ElapsedBefore(numbers.Before));
        var meter = new LegMeter(clock, partitions, assignment.LegDuration + LegTimes.Drain + LegTimes.Silence)
        {
            Steps = plan.Steps > 0 ? new PartMeter(plan.Steps) : null,
            StepAt = at => plan.StepAt(schedule.SecondsAt(at)),
            Kinds = assignment.Workload.HasSeveralKinds
                ? new PartMeter(assignment.Workload.Action?.Count ?? Enum.GetValues<WorkloadKind>().Length)
                : null,
        };
        await using var recordings = new LegRecordings(
            telemetry, new LegScope { Leg = leg, Clock = clock, Meter = meter, Files = files });
        var watch = new LegWatch(leg, attempt, files, control, meter, clock, machine, sink);
        using var watching = new CancellationTokenSource();

        var startedAt = LegClock.Now;
        meter.WarmFrom = startedAt + (long)(assignment.Warmup.TotalSeconds * Stopwatch.Frequency);
        var watchTask = watch.RunAsync(watching.Token);
        // Disposing a timer asynchronously waits for a call that is under way and would use the disposed control.
        await using var timer = new Timer(
            _ => control.EndWith(LegEnd.TimeUp, LegTimes.Drain), null, assignment.LegDuration, Timeout.InfiniteTimeSpan);
        await using var last = new Timer(
            _ => control.EndWith(LegEnd.StepsDone, LegTimes.Drain), null, LeftOf(plan, schedule), Timeout.InfiniteTimeSpan);
        var loops = Enumerable.Range(0, LoopCount(assignment, plan))
            .Select(loop => new OperationLoop(
                control, progress, meter, uncertainBefore, schedule,
                client.CreateOperation(assignment, documents, partitions, () => progress.Next), loop, pace))
            .ToList();
        long endedAt;
        IReadOnlyList<NumberRange> open;
        try
        {
            // After this call, no operation loop counts anything.
            (endedAt, open) = await LegLoops.RunAsync(loops, control);
        }
        finally
        {
            await watching.CancelAsync();
            await watchTask;
        }

        watch.SampleNow(endedAt);

        var (totals, opening, latency) = (meter.Totals, client.TakeOpeningCost(), meter.OperationLatency);
        var next = progress.Next;
        return new LegResult
        {
            Output = new LegOutput
            {
                Worker = assignment.Worker,
                Leg = leg.Leg,
                End = next == assignment.Slice.End ? LegEnd.SliceDone : control.End ?? LegEnd.Stopped,
                Counts = totals,
                Next = next,
                Seconds = Stopwatch.GetElapsedTime(startedAt, endedAt).TotalSeconds,
                NothingDue = !schedule.AnyStarted,
                Reason = LegOutput.Shorten(control.Reason),
            },
            Range = numbers.Range,
            Attempt = attempt,
            StartedAt = clock.UtcOf(startedAt),
            EndedAt = clock.UtcOf(endedAt),
            DoneAhead = progress.DoneAhead(),
            // Numbers that this leg leaves with an unknown outcome, and those of an earlier leg that this leg did not reach.
            Uncertain = NumberSet.From([.. open, .. uncertainBefore.StartingAt(next).Ranges]).Ranges,
            UnfinishedRise = loops.Sum(loop => loop.RiseOfUnfinished(assignment.Workload)),
            Calls = assignment.Workload.UsesBulk ? null : assignment.Workload.Kind == WorkloadKind.Query ? meter.Calls
                : assignment.Workload.HasQueries ? null : totals.Attempts,
            Operations = latency.Count,
            Items = assignment.Workload.Kind == WorkloadKind.Query ? meter.Items : null,
            ThrottledResponses = meter.ThrottledResponses,
            ThrottledWaitMs = meter.ThrottledWait.TotalMilliseconds,
            OtherErrors = meter.OtherErrors,
            OpeningRequestUnits = opening.Charged,
            OpeningThrottled = opening.ThrottledReads,
            AttemptLatency = meter.AttemptLatency,
            OperationLatency = latency,
            WarmAttemptLatency = assignment.Warmup > TimeSpan.Zero ? meter.WarmAttemptLatency : null,
            WarmOperationLatency = assignment.Warmup > TimeSpan.Zero ? meter.WarmOperationLatency : null,
            Seconds = meter.Seconds(),
            Partitions = meter.Partitions(),
            Machine = machine.Report(client.RoundTripMs),
            KeptSchedule = schedule.Kept,
            ScheduleSeconds = plan.IsOpen || plan.Steps > 0 ? schedule.SecondsAt(endedAt) : null,
            Steps = meter.Steps?.Samples() ?? [],
            Kinds = meter.Kinds?.Samples() ?? [],
            Failures = meter.Failures,
            Warnings = meter.Uncharged == 0 || assignment.Workload.Kind.UsesTables()
                ? documents.Warnings : [.. documents.Warnings, Uncharged],
        };
    }

    /// <summary>
    /// Seconds that the schedule ran before this leg. A normal pause between two legs counts. After a longer pause the schedule continues
    /// where it stopped.
    /// </summary>
    private double ElapsedBefore(LegResult? before)
    {
        if (before?.ScheduleSeconds is not { } seconds)
            return 0;
        var pause = utc.UtcNow - before.EndedAt;
        return seconds + (pause > TimeSpan.Zero && pause < ClockLimits.MaxPause ? pause.TotalSeconds : 0);
    }

    private static TimeSpan LeftOf(LoadPlan plan, Schedule schedule)
    {
        if (plan.End is not { } end)
            return Timeout.InfiniteTimeSpan;
        var left = end - schedule.SecondsAt(LegClock.Now);
        return left > 0 ? TimeSpan.FromSeconds(Math.Min(left, TimeSpan.FromDays(1).TotalSeconds)) : TimeSpan.Zero;
    }

    /// <summary>No more operation loops than the slice has operations.</summary>
    private static int LoopCount(WorkerAssignment assignment, LoadPlan plan)
    {
        var unit = assignment.Workload.DocumentsPerOperation;
        return (int)Math.Min(plan.Concurrency, (assignment.Slice.Count + unit - 1) / unit);
    }
}

/// <summary>Times within a leg. Its duration is in the spec.</summary>
internal static class LegTimes
{
    /// <summary>How long operations in flight may go on after the leg's time is up.</summary>
    public static readonly TimeSpan Drain = CosmosClientFactory.RequestTimeout;

    /// <summary>
    /// How long operations in flight may go on after the run was stopped. With the polling of the stop flag a leg of a run of up to 200
    /// workers ends within 2 s.
    /// </summary>
    public static readonly TimeSpan DrainWhenStopped = TimeSpan.FromSeconds(0.8);

    /// <summary>How long operation loops may take to end after the drain, before the leg ends without them.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(0.2);

    /// <summary>The leg ends if the account does not respond for this time.</summary>
    public static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    /// <summary>Time for a leg to collect its figures after its operation loops have ended.</summary>
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(30);

    /// <summary>The time after which a leg's measured part must have ended. A leg that takes longer counts as lost.</summary>
    public static TimeSpan DeadlineOf(WorkerAssignment assignment) => assignment.LegDuration + Drain + Grace + Silence + Margin;

    /// <summary>Polling interval of an item that all workers of a run read, if they are few.</summary>
    public static readonly TimeSpan Poll = TimeSpan.FromSeconds(1);

    /// <summary>Reads of one item per second by all workers of a run together. The target of a blob is 500.</summary>
    private const int PollsPerSecond = 200;

    private const double ShortestPoll = 0.5;

    /// <summary>
    /// Time until a worker's next poll: 1 s up to 200 workers. Above it is <c>workers / 200</c> seconds on average, between half of that
    /// and one and a half times, so that the polls of workers that begin together spread.
    /// </summary>
    public static TimeSpan NextPoll(int workers) =>
        workers <= PollsPerSecond ? Poll : MeanPoll(workers) * (ShortestPoll + Random.Shared.NextDouble());

    /// <summary>The longest <see cref="NextPoll"/>.</summary>
    public static TimeSpan LongestPoll(int workers) => workers <= PollsPerSecond ? Poll : MeanPoll(workers) * (ShortestPoll + 1);

    private static TimeSpan MeanPoll(int workers) => TimeSpan.FromSeconds((double)workers / PollsPerSecond);

    public static readonly TimeSpan ProgressInterval = TimeSpan.FromSeconds(0.5);
}
