namespace ScaleOut.Tests.Api.Hosts;

public sealed class EngineRunsTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly RunSpec Spec = new() { Id = "r1", Documents = 1_000, Workers = 2 };

    [Fact]
    public void From_EngineDoesNotKnowTheRun_IsNull() => Assert.Null(From(null));

    [Fact]
    public void From_Scheduled_IsQueued()
    {
        var run = From(Instance(EngineState.Pending))!;
        Assert.Equal((HostedState.Queued, null, null, 1_000L), (run.State, run.StartedAt, run.Phase, run.Asked));
        Assert.Empty(run.Workers);
    }

    [Fact]
    public void From_WaitingForInstances_IsQueuedBehindOthers()
    {
        var run = From(Instance(EngineState.Running) with { Status = RunStatus.In(RunPhase.Queued, Spec) with { RunsAhead = 2 } })!;
        Assert.Equal((HostedState.Queued, 2, null, null), (run.State, run.RunsAhead, run.StartedAt, run.ElapsedSeconds));
        Assert.Empty(run.Workers);
    }

    [Fact]
    public void From_Running_HasTheSumsOfTheWorkersReports()
    {
        WorkerProgress[] messages =
        [
            Reported(0, WorkerState.Running) with
            {
                Seconds = 10, Counts = new() { Inserted = 200, Throttled = 20, RequestUnits = RequestUnits.From(1_200) }, InFlight = 7,
                Attempt = 2, LastError = "429",
            },
            Reported(1, WorkerState.Ended) with { Seconds = 5, Counts = new() { Inserted = 100, Failed = 10 }, End = LegEnd.TimeUp },
        ];

        var run = From(Instance(EngineState.Running, RunPhase.Running), messages: messages)!;

        Assert.Equal((HostedState.Running, RunPhase.Running, Start, 60.0), (run.State, run.Phase, run.StartedAt, run.ElapsedSeconds));
        Assert.Equal((310L, 20L, 1_200.0, 1), (run.Done, run.Counts.Throttled, run.Counts.RequestUnits.Value, run.LostLegs));
        Assert.Equal(new Rates(20 + 22, 2, 120), run.PerSecond);
        Assert.Equal(Math.Round(690 / 42.0, 2), run.RemainingSeconds);
        Assert.Equal(
            [(WorkerState.Running, 500L, 200L, 7), (WorkerState.Restarting, 500L, 110L, 0)],
            run.Workers.Select(worker => (worker.State, worker.Asked, worker.Done, worker.InFlight)));
        Assert.Equal((new Rates(20, 2, 120), "429"), (run.Workers[0].PerSecond, run.Workers[0].LastError));
    }

    [Fact]
    public void From_MessageOfAWorkerThatTheRunDoesNotHave_LeavesItOut()
    {
        var stray = Reported(0, WorkerState.Running) with { Worker = 900, Workers = 1_000, Attempt = 5, Counts = new() { Inserted = 7 } };

        var run = From(Instance(EngineState.Running, RunPhase.Running), messages: [Reported(0, WorkerState.Running), stray])!;

        Assert.Equal((2, 0), (run.Workers.Count, run.LostLegs));
    }

    /// <summary>While a run is counted and reported, its time stands still at what its report says.</summary>
    [Theory]
    [InlineData(RunPhase.Verifying)]
    [InlineData(RunPhase.Reporting)]
    [InlineData(RunPhase.CleaningUp)]
    public void From_WorkersHaveEnded_HasTheElapsedTimeOfTheOutcome(RunPhase phase)
    {
        var finished = Start.AddSeconds(45);
        var status = RunStatus.In(phase, Spec, Start.AddSeconds(5), finished);
        var totals = new RunTotals { StartedAt = Start.AddSeconds(5), FinishedAt = finished };

        var live = From(Instance(EngineState.Running) with { Status = status })!;
        var ended = Ended(new() { RunId = "r1", State = RunState.Complete, Remaining = 0, Totals = totals });

        Assert.Equal((Start.AddSeconds(5), 40.0), (live.StartedAt, live.ElapsedSeconds));
        Assert.Equal((live.StartedAt, live.ElapsedSeconds), (ended.StartedAt, ended.ElapsedSeconds));
    }

    [Theory]
    [InlineData(EngineState.Running, RunPhase.CleaningUp)]
    [InlineData(EngineState.Terminated, null)]
    public void From_FailedRunThatIsCleanedUp_HasFailed(EngineState state, RunPhase? phase)
    {
        var outcome = new RunOutcome { RunId = "r1", State = RunState.Failed, Remaining = 1_000, Reasons = ["the account is gone"] };

        var status = RunStatus.From(outcome, Spec.Documents) with { Phase = RunPhase.CleaningUp };
        var run = From(Instance(state) with { Status = status })!;

        Assert.Equal((HostedState.Failed, phase), (run.State, run.Phase));
        Assert.Equal(outcome.Reasons, run.Reasons);
    }

    [Theory]
    [InlineData(WorkerState.Warming, null, "warming")]
    [InlineData(WorkerState.Preloading, null, "preloading")]
    [InlineData(WorkerState.Waiting, null, "waiting")]
    [InlineData(WorkerState.Draining, null, "draining")]
    [InlineData(WorkerState.Ended, LegEnd.SliceDone, "done")]
    [InlineData(WorkerState.Ended, LegEnd.StepsDone, "done")]
    [InlineData(WorkerState.Ended, LegEnd.Stopped, "stopped")]
    [InlineData(WorkerState.Ended, LegEnd.Rejected, "failed")]
    public void From_Worker_HasTheStateOfItsActivity(WorkerState activity, LegEnd? end, string state)
    {
        var run = From(Instance(EngineState.Running, RunPhase.Running), messages: [Reported(1, activity) with { End = end }])!;
        Assert.Equal(
            $"""["starting","{state}"]""", JsonSerializer.Serialize(run.Workers.Select(worker => worker.State), ScaleOutJson.Compact));
    }

    [Fact]
    public void From_WorkerLostItsLeg_WarnsWithTheReason()
    {
        var assignment = Script.Assignment(new NumberRange(500, 500)) with { RunId = "r1", Worker = 1, Workers = 2 };
        var leg = new LegInput { Assignment = assignment, Leg = 4, Next = 500, LostInARow = 2, LastLost = "no space left" };

        var message = WorkerProgress.From(leg, attempt: 3, sequence: -1, WorkerState.Warming, Start);
        var run = From(Instance(EngineState.Running, RunPhase.Running), messages: [Reported(0, WorkerState.Warming), message])!;

        Assert.Equal("worker 1: leg 4 was lost 2 times in a row, the last time: no space left", Assert.Single(run.Warnings).Text);
    }

    [Fact]
    public void From_StopRequested_IsStopping()
    {
        var run = From(
            Instance(EngineState.Running, RunPhase.Running),
            stop: true,
            messages: [Reported(0, WorkerState.Running) with { Seconds = 1, Counts = new() { Inserted = 10 } }])!;

        Assert.Equal((HostedState.Stopping, null), (run.State, run.RemainingSeconds));
    }

    [Fact]
    public void From_Completed_HasItsOutcome()
    {
        var counts = new Counts { Inserted = 990, Failed = 10 };

        var run = Ended(new()
        {
            RunId = "r1", State = RunState.Incomplete, Counts = counts, Remaining = 0, Reasons = ["10 documents failed"],
        });

        Assert.Equal((HostedState.Incomplete, 1_000L), (run.State, run.Done));
        Assert.Equal(["10 documents failed"], run.Reasons);
    }

    [Fact]
    public void From_Completed_HasTheFiguresOfItsReport()
    {
        var totals = new RunTotals
        {
            StartedAt = Start, FinishedAt = Start.AddSeconds(20), LostLegs = 4, PerSecond = new(51.5, 2, 300),
            LatencyMs = new() { Mean = 5, P99 = 12.25 },
        };
        var counts = new Counts { Inserted = 1_000, Throttled = 40, RequestUnits = RequestUnits.From(6_000) };

        var run = Ended(new() { RunId = "r1", State = RunState.Complete, Counts = counts, Remaining = 0, Totals = totals });

        Assert.Equal((Start, 20.0, 40L, 6_000.0), (run.StartedAt, run.ElapsedSeconds, run.Counts.Throttled, run.Counts.RequestUnits.Value));
        Assert.Equal((new Rates(51.5, 2, 300), 12.25, 4), (run.PerSecond, run.LatencyMs?.P99, run.LostLegs));
    }

    [Theory]
    [InlineData(EngineState.Failed, HostedState.Failed, "no blob container")]
    [InlineData(
        EngineState.Terminated, HostedState.Interrupted,
        "Its orchestration was ended by hand. Workers that are still at work end when the run is stopped.")]
    public void From_FailedOrTerminated_HasTheReason(EngineState state, HostedState hosted, string reason)
    {
        var run = From(Instance(state) with { Failure = state == EngineState.Failed ? reason : null })!;
        Assert.Equal(hosted, run.State);
        Assert.Equal([reason], run.Reasons);
    }

    private static RunStatus? From(EngineInstance? instance, bool stop = false, IReadOnlyList<WorkerProgress>? messages = null) =>
        EngineRuns.From(Spec, instance, stop, messages ?? [], Start.AddSeconds(60));

    private static RunStatus Ended(RunOutcome outcome) =>
        From(Instance(EngineState.Completed) with { Outcome = outcome })!;

    private static EngineInstance Instance(EngineState state, RunPhase? phase = null) =>
        new()
        {
            Id = "r1", State = state, CreatedAt = Start, UpdatedAt = Start,
            Status = phase is { } at ? RunStatus.In(at, Spec, Start) : null,
        };

    private static WorkerProgress Reported(int worker, WorkerState activity) =>
        new() { RunId = "r1", Worker = worker, Workers = 2, Leg = 1, Attempt = 1, Sequence = 1, Activity = activity, At = Start };
}
