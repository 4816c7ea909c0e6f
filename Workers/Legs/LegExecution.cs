using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Workers.Legs;

/// <summary>The measured part of a leg: operation loops work off document numbers until the slice is done or the leg ends.</summary>
internal sealed class LegExecution(
    LegInput leg,
    LegNumbers numbers,
    int attempt,
    RunFiles files,
    IProgressSink sink,
    IEnumerable<ILegTelemetry> telemetry,
    AnchoredClock utc)
{
    /// <summary>Runs the operation loops.</summary>
    /// <param name="client">The worker's client, its connections open.</param>
    /// <param name="documents">The documents of the run.</param>
    /// <param name="cancellationToken">Cuts the leg; it still ends with a result.</param>
    public async Task<LegResult> RunAsync(
        IWarmClient client, PartitionRanges partitions, IDocumentSource documents, CancellationToken cancellationToken)
    {
        var assignment = leg.Assignment;
        var progress = new SliceNumbers(
            assignment.Slice, leg.Next, assignment.Workload.DocumentsPerOperation, new NumberRanges(numbers.LeftOut));
        var uncertainBefore = new NumberRanges(numbers.Before?.Uncertain ?? []);

        var pace = await RequestUnitPace.FromAsync(assignment, files, cancellationToken);
        using var control = new LegControl(cancellationToken);
        var clock = new LegClock(utc);
        var machine = new MachineProbe();
        var plan = new LoadPlan(assignment.Workload, assignment.Client, assignment.Worker, assignment.Workers);
        var schedule = new Schedule(plan, assignment.Slice.First, ElapsedBefore(numbers.Before));
        var steps = plan.Steps > 0 ? new StepMeter(plan.Steps, at => plan.StepAt(schedule.SecondsAt(at))) : null;
        var meter = new LegMeter(clock, partitions, assignment.LegDuration + LegTimes.Drain + LegTimes.Silence, steps);
        await using var recordings = LegRecordings.Begin(
            telemetry, new LegScope { Leg = leg, Clock = clock, Meter = meter, Files = files });
        meter.Observer = recordings.Observer;
        var watch = new LegWatch(leg, attempt, files, control, meter, clock, machine, sink);
        using var watching = new CancellationTokenSource();

        var startedAt = LegClock.Now;
        meter.WarmFrom = startedAt + (long)(assignment.Warmup.TotalSeconds * Stopwatch.Frequency);
        var watchTask = watch.RunAsync(watching.Token);
        // Waits for a call that is under way, which would find the control gone.
        await using var timer = new Timer(
            _ => control.EndWith(LegEnd.TimeUp, LegTimes.Drain), null, assignment.LegDuration, Timeout.InfiniteTimeSpan);
        await using var last = new Timer(
            _ => control.EndWith(LegEnd.StepsDone, LegTimes.Drain), null, LeftOf(plan, schedule), Timeout.InfiniteTimeSpan);
        var loops = Enumerable.Range(0, LoopCount(assignment, plan))
            .Select(loop => new OperationLoop(
                control, progress, meter, uncertainBefore, schedule, client.CreateOperation(assignment, documents, partitions), loop,
                pace))
            .ToList();
        var work = Task.WhenAll(loops.Select(loop => Task.Run(loop.RunAsync, CancellationToken.None)));
        await Task.WhenAny(work, control.Overdue);
        var endedAt = LegClock.Now;
        // From here on no operation loop counts anything, whether it has let go or not.
        var open = loops.Select(loop => loop.Leave()).OfType<Slice>().ToList();

        await watching.CancelAsync();
        await watchTask;
        if (work.IsFaulted)
            await work;
        watch.SampleNow(endedAt);

        var totals = meter.Totals;
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
            Uncertain = StillUncertain(
                open, new NumberRanges(open), uncertainBefore.UnitsFrom(next, assignment.Workload.DocumentsPerOperation)),
            Calls = assignment.Workload.UsesBulk ? null : assignment.Workload.Kind == WorkloadKind.Query ? meter.Calls : totals.Attempts,
            Operations = meter.OperationLatency.Count,
            Items = assignment.Workload.Kind == WorkloadKind.Query ? meter.Items : null,
            ThrottledResponses = meter.ThrottledResponses,
            OtherErrors = meter.OtherErrors,
            WarmupRequestUnits = client.TakeWarmupRequestUnits(),
            AttemptLatency = meter.AttemptLatency,
            OperationLatency = meter.OperationLatency,
            WarmAttemptLatency = assignment.Warmup > TimeSpan.Zero ? meter.WarmAttemptLatency : null,
            WarmOperationLatency = assignment.Warmup > TimeSpan.Zero ? meter.WarmOperationLatency : null,
            Seconds = meter.Seconds(),
            Partitions = meter.Partitions(),
            Machine = machine.Report(client.RoundTripMs),
            KeptSchedule = schedule.Kept,
            ScheduleSeconds = plan.IsOpen || plan.Steps > 0 ? schedule.SecondsAt(endedAt) : null,
            Steps = steps?.Samples() ?? [],
            Failures = meter.Failures,
            Warnings = documents.Warnings,
        };
    }

    /// <summary>A pause that is longer than one between two legs is not made up for: the schedule goes on where it was.</summary>
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

    /// <summary>What this leg leaves open, and what an earlier one left open that this leg did not come to.</summary>
    private static IReadOnlyList<Slice> StillUncertain(IEnumerable<Slice> open, NumberRanges opened, IEnumerable<Slice> earlier) =>
        NumberRanges.Join(open.Concat(earlier.Where(unit => !opened.Contains(unit.First))));
}

/// <summary>Times within a leg: how long it drains, and how often something is looked at. How long it lasts is the spec's.</summary>
internal static class LegTimes
{
    /// <summary>How long operations in flight may go on after the leg's time is up.</summary>
    public static readonly TimeSpan Drain = CosmosClientFactory.RequestTimeout;

    /// <summary>How long they may go on after the run was stopped; with the polling of the stop flag a leg ends within 2 s.</summary>
    public static readonly TimeSpan DrainWhenStopped = TimeSpan.FromSeconds(0.8);

    /// <summary>How long operation loops have to let go after the drain before the leg ends without them.</summary>
    public static readonly TimeSpan Grace = TimeSpan.FromSeconds(0.2);

    /// <summary>Without any response of the account for this long, the leg ends.</summary>
    public static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    /// <summary>How often the stop flag is looked at.</summary>
    public static readonly TimeSpan StopPoll = TimeSpan.FromSeconds(1);

    /// <summary>How often progress is reported.</summary>
    public static readonly TimeSpan Progress = TimeSpan.FromSeconds(0.5);
}
