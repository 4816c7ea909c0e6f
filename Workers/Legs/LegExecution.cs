namespace ScaleOut.Workers.Legs;

/// <summary>The measured part of a leg: operation loops process document numbers until the slice is done or the leg ends.</summary>
internal sealed class LegExecution(LegAttempt attempt, IProgressSink sink, IEnumerable<IRunTelemetry> telemetry)
{
    private const string Uncharged =
        "The account gave no charge (x-ms-request-charge), or 0, in responses that succeeded. If they cost more, the run's RU are too low.";

    /// <summary>The leg whose numbers are worked on. A repeated leg covers those of the attempt before.</summary>
    private readonly LegInput _leg = attempt.Numbers.Input;

    private readonly AnchoredClock _utc = attempt.Run.Clock;

    /// <param name="cancellationToken">Cuts the leg short. The leg still returns a result.</param>
    public async Task<LegResult> RunAsync(CancellationToken cancellationToken)
    {
        var assignment = _leg.Assignment;
        var pace = await RequestUnitPace.FromAsync(assignment, attempt.Files, _utc.Time, cancellationToken);
        using var control = new LegControl(cancellationToken, _utc.Time);
        var running = Begin(control, pace);
        await using var recordings = new LegRecordings(
            telemetry, new LegScope { Leg = _leg, Clock = running.Clock, Meter = running.Loops.Meter, Files = attempt.Files });
        var watch = new LegWatch(_leg, attempt, running, sink);
        using var watching = new CancellationTokenSource();

        running.StartedAt = running.Clock.Now;
        running.Loops.Meter.WarmFrom = running.StartedAt + running.Clock.TicksOf(assignment.Warmup.TotalSeconds);
        var watchTask = watch.RunAsync(watching.Token);
        // Disposing a timer asynchronously waits for a call that is under way and would use the disposed control.
        await using var timer = _utc.Time.CreateTimer(
            _ => control.EndWith(LegEnd.TimeUp, LegTimes.Drain), null, assignment.LegDuration, Timeout.InfiniteTimeSpan);
        await using var last = _utc.Time.CreateTimer(
            _ => control.EndWith(LegEnd.StepsDone, LegTimes.Drain), null, LeftOf(running), Timeout.InfiniteTimeSpan);
        var loops = CreateLoops(running.Loops);
        try
        {
            // After this call, no operation loop counts anything.
            (running.EndedAt, running.Open) = await LegLoops.RunAsync(loops, control);
        }
        finally
        {
            await watching.CancelAsync();
            await watchTask;
        }

        watch.SampleNow(running.EndedAt);
        return ResultOf(running) with { UnfinishedRise = loops.Sum(loop => loop.RiseOfUnfinished(assignment.Workload)) };
    }

    private RunningLeg Begin(LegControl control, RequestUnitPace pace)
    {
        var assignment = _leg.Assignment;
        var clock = new LegClock(_utc);
        var plan = new LoadPlan(assignment.Workload, assignment.Client, assignment.Worker, assignment.Workers);
        var schedule = new Schedule(plan, assignment.Slice.First, clock, ElapsedBefore(attempt.Numbers.Before));
        var meter = new LegMeter(clock, attempt.Partitions!, assignment.LegDuration + LegTimes.Drain + LegTimes.Silence)
        {
            Steps = plan.Steps > 0 ? new PartMeter(plan.Steps) : null,
            StepAt = at => plan.StepAt(schedule.SecondsAt(at)),
            Kinds = assignment.Workload.HasSeveralKinds
                ? new PartMeter(assignment.Workload.Action?.Count ?? Enum.GetValues<WorkloadKind>().Length)
                : null,
        };
        var progress = new SliceNumbers(
            assignment.Slice, _leg.Next, assignment.Workload.DocumentsPerOperation, NumberSet.From(attempt.Numbers.LeftOut));
        return new RunningLeg(
            new LoopContext(control, progress, meter, schedule, pace, NumberSet.From(attempt.Numbers.Before?.Uncertain ?? [])),
            clock,
            new MachineProbe(attempt.Client!.Connections));
    }

    /// <summary>No more operation loops than the slice has operations.</summary>
    private List<OperationLoop> CreateLoops(LoopContext context)
    {
        var assignment = _leg.Assignment;
        var unit = assignment.Workload.DocumentsPerOperation;
        var count = (int)Math.Min(context.Schedule.Plan.Concurrency, (assignment.Slice.Count + unit - 1) / unit);
        var create = attempt.Client!.OperationsFor(assignment, attempt.Documents!, attempt.Partitions!, () => context.Progress.Next);
        return [.. Enumerable.Range(0, count).Select(loop => new OperationLoop(context, create(), loop))];
    }

    private LegResult ResultOf(RunningLeg running)
    {
        var (assignment, workload, client) = (_leg.Assignment, _leg.Assignment.Workload, attempt.Client!);
        var (control, progress, meter, schedule, _, uncertainBefore) = running.Loops;
        var (totals, opening, latency) = (meter.Totals, client.TakeOpeningCost(), meter.OperationLatency);
        var (next, isWarm, warnings) = (progress.Next, assignment.Warmup > TimeSpan.Zero, attempt.Documents!.Warnings);
        return new LegResult
        {
            Output = new LegOutput
            {
                Worker = assignment.Worker,
                Leg = _leg.Leg,
                End = next == assignment.Slice.End ? LegEnd.SliceDone : control.End ?? LegEnd.Stopped,
                Counts = totals,
                Next = next,
                Seconds = running.Clock.Elapsed(running.StartedAt, running.EndedAt).TotalSeconds,
                NothingDue = !schedule.AnyStarted,
                Reason = LegOutput.Shorten(control.Reason),
            },
            Range = attempt.Numbers.Range,
            Attempt = attempt.Number,
            StartedAt = running.Clock.UtcOf(running.StartedAt),
            EndedAt = running.Clock.UtcOf(running.EndedAt),
            DoneAhead = progress.DoneAhead(),
            // Numbers that this leg leaves with an unknown outcome, and those of an earlier leg that this leg did not reach.
            Uncertain = NumberSet.From([.. running.Open, .. uncertainBefore.StartingAt(next).Ranges]).Ranges,
            Calls = CallsOf(meter, totals),
            Operations = latency.Count,
            Items = workload.Kind == WorkloadKind.Query ? meter.Items : null,
            ThrottledResponses = meter.ThrottledResponses,
            ThrottledWaitMs = meter.ThrottledWait.TotalMilliseconds,
            OtherErrors = meter.OtherErrors,
            OpeningRequestUnits = opening.Charged,
            OpeningThrottled = opening.ThrottledReads,
            AttemptLatency = meter.AttemptLatency,
            OperationLatency = latency,
            WarmAttemptLatency = isWarm ? meter.WarmAttemptLatency : null,
            WarmOperationLatency = isWarm ? meter.WarmOperationLatency : null,
            Seconds = meter.Seconds(),
            Partitions = meter.Partitions(),
            Machine = running.Machine.Report(client.RoundTripMs),
            KeptSchedule = schedule.Kept,
            ScheduleSeconds = schedule.Plan.IsOpen || schedule.Plan.Steps > 0 ? schedule.SecondsAt(running.EndedAt) : null,
            Steps = meter.Steps?.Samples() ?? [],
            Kinds = meter.Kinds?.Samples() ?? [],
            Failures = meter.Failures,
            Warnings = meter.Uncharged == 0 || workload.Kind.UsesTables() ? warnings : [.. warnings, Uncharged],
        };
    }

    /// <summary>Calls of the account, if the SDK makes them one by one; otherwise null.</summary>
    private long? CallsOf(LegMeter meter, Counts totals)
    {
        var workload = _leg.Assignment.Workload;
        if (workload.UsesBulk)
            return null;
        if (workload.Kind == WorkloadKind.Query)
            return meter.Calls;
        return workload.HasQueries ? null : totals.Attempts;
    }

    /// <summary>
    /// Seconds that the schedule ran before this leg. A normal pause between two legs counts. After a longer pause the schedule continues
    /// where it stopped.
    /// </summary>
    private double ElapsedBefore(LegResult? before)
    {
        if (before?.ScheduleSeconds is not { } seconds)
            return 0;
        var pause = _utc.UtcNow - before.EndedAt;
        return seconds + (pause > TimeSpan.Zero && pause < ClockLimits.LongestPauseBetweenLegs ? pause.TotalSeconds : 0);
    }

    private static TimeSpan LeftOf(RunningLeg running)
    {
        var schedule = running.Loops.Schedule;
        if (schedule.Plan.End is not { } end)
            return Timeout.InfiniteTimeSpan;
        var left = end - schedule.SecondsAt(running.Clock.Now);
        return left > 0 ? TimeSpan.FromSeconds(Math.Min(left, TimeSpan.FromDays(1).TotalSeconds)) : TimeSpan.Zero;
    }
}

/// <summary>The measured part of a leg while it runs.</summary>
/// <param name="Loops">What its operation loops share.</param>
internal sealed record RunningLeg(LoopContext Loops, LegClock Clock, MachineProbe Machine)
{
    /// <summary>In the ticks of <see cref="LegClock"/>, as is <see cref="EndedAt"/>.</summary>
    public long StartedAt { get; set; }

    public long EndedAt { get; set; }

    /// <summary>Units that the loops left with an unknown outcome.</summary>
    public IReadOnlyList<NumberRange> Open { get; set; } = [];
}
