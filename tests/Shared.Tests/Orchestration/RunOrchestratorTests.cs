namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class RunOrchestratorTests
{
    private static readonly RunSpec Spec = new() { Id = "test", Documents = 1_000, Workers = 4 };

    [Fact]
    public async Task Run_FewWorkers_GoesThroughAllPhasesInOrder()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { Count = () => 1_000 };
        var outcome = await run.RunAsync(Spec);

        Assert.Equal(
            ["status Preparing", "prepare", "status Running", "leg 0/1 from 0", "leg 1/1 from 250", "leg 2/1 from 500", "leg 3/1 from 750",
                "status Verifying", "verify", "status Reporting", "report", "status CleaningUp", "clean up", "end", "status Ended"],
            run.Steps);
        Assert.Empty(run.Groups);
        Assert.Equal(1_000, run.Ending!.Verification!.Verified);
        Assert.Equal([0, 1, 2, 3], run.Ending.Workers.Select(worker => worker.Worker));
        Assert.Equal(RunStatus.From(outcome, Spec.Documents) with { Phase = RunPhase.Ended }, run.Statuses[^1]);
    }

    /// <summary>The status shows the times of the report from there on, so that the elapsed time does not fall when it is made.</summary>
    [Fact]
    public async Task Run_ItsTimes_AreInEachStatusFromWhenTheyAreKnown()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { Count = () => 1_000, AdmissionsBefore = 1 };
        await run.RunAsync(Spec);

        var start = run.Ending!.StartedAt;
        var elapsed = (run.Ending.FinishedAt - start).TotalSeconds;
        Assert.Equal(
            new (RunPhase?, DateTimeOffset?, double?)[]
            {
                (RunPhase.Queued, null, null), (RunPhase.Preparing, start, null), (RunPhase.Running, start, null),
                (RunPhase.Verifying, start, elapsed), (RunPhase.Reporting, start, elapsed), (RunPhase.CleaningUp, start, elapsed),
            },
            run.Statuses.SkipLast(1).Select(status => (status.Phase, status.StartedAt, status.ElapsedSeconds)));
    }

    /// <summary>The scripted engine runs activities and timers at once, so all steps are made before the first leg.</summary>
    [Fact]
    public async Task Run_ThroughputSteps_WaitsUntilEachIsDueAndKeepsWhatBecameOfIt()
    {
        var at = new DateTimeOffset(2026, 11, 21, 17, 0, 30, TimeSpan.Zero);
        var asked = 0;
        var run = new ScriptedRun(ScriptedLeg.Finish)
        {
            Count = () => 1_000,
            ChangeThroughput = change => change.Throughput switch
            {
                12_000 => asked++ == 0 ? new() { DueInSeconds = 50 } : new() { At = at },
                20_000 => throw new InvalidOperationException("the subscription has no more"),
                _ => new() { At = at.AddSeconds(30) },
            },
        };
        var spec = Spec with
        {
            Container = new()
            {
                Throughput = 6_000,
                ThroughputSteps =
                [
                    new() { AfterSeconds = 30, Throughput = 12_000 }, new() { AfterSeconds = 40, Throughput = 20_000 },
                    new() { AfterSeconds = 60, Throughput = 30_000 },
                ],
            },
        };
        await run.RunAsync(spec);

        Assert.Equal(
            [new AppliedThroughput(12_000, at), new AppliedThroughput(30_000, at.AddSeconds(30))], run.Ending!.ThroughputChanges!);
        Assert.Equal(
            "The RU/s were not set to 20000 after 40 s: the subscription has no more", Assert.Single(run.Ending.ThroughputFailures!));
        Assert.Contains("wait 00:00:30", run.Steps);
        Assert.Equal(2, run.Steps.Count(step => step == "change to 12000"));
    }

    [Fact]
    public async Task Run_ResultsOfLegsAreDamaged_ReportsThatAndKeepsTheContainerForWhoeverResumesIt()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { Count = () => 1_000, MissesLegs = true };
        var outcome = await run.RunAsync(Spec);

        Assert.Equal(
            ["status Verifying", "verify", "status Reporting", "report", "status Ended"],
            run.Steps.SkipWhile(step => step != "status Verifying"));
        Assert.True(outcome.MissesLegs);
        Assert.Null(run.Ended);
    }

    [Fact]
    public async Task Run_ManyWorkers_FansOutInGroupsOfFifty()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish);
        await run.RunAsync(Spec with { Workers = 120 });

        Assert.Equal([(0, 50), (50, 50), (100, 20)], run.Groups.Select(group => (group.First, group.Count)));
        Assert.Equal(Enumerable.Range(0, 120), run.Ending!.Workers.Select(worker => worker.Worker));
        Assert.Equal(1_000, run.Ending.Workers.Sum(worker => worker.Counts.Inserted));

        var fifty = new ScriptedRun(ScriptedLeg.Finish);
        await fifty.RunAsync(Spec with { Workers = GroupOrchestrator.Size });
        Assert.Empty(fifty.Groups);
    }

    [Fact]
    public async Task Run_NoInstancesYet_WaitsForItsTurnWithoutPreparingAnything()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { AdmissionsBefore = 5 };
        await run.RunAsync(Spec);

        Assert.Equal([2, 4, 8, 16, 30], run.Waits.Select(wait => wait.TotalSeconds));
        Assert.Equal(["status Queued", "wait 00:00:02"], run.Steps.Take(2));
        Assert.Equal(5, run.Statuses.Count(status => status is { Phase: RunPhase.Queued, RunsAhead: 1 }));
        Assert.True(run.Steps.LastIndexOf("status Queued") < run.Steps.IndexOf("prepare"));
        Assert.Equal(run.UtcNow, run.Ending!.StartedAt.UtcDateTime);
    }

    [Fact]
    public async Task Run_WaitsForHours_ContinuesAsNewWithItsSpec()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { AdmissionsBefore = 3 * RunOrchestrator.AdmissionsPerTurn };
        var outcome = await run.RunAsync(Spec);
        Assert.Equal([Spec, Spec, Spec], run.Continued);
        Assert.Equal(RunState.Complete, outcome.State);
    }

    [Fact]
    public async Task Run_StoppedWhileItWaits_ReportsThatAndTouchesNothing()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { AdmissionsBefore = 1, StoppedWhileWaiting = true };
        await run.RunAsync(Spec);
        Assert.Equal(["status Queued", "wait 00:00:02", "status Reporting", "report", "end", "status Ended"], run.Steps);
        Assert.True(run.Ending!.StoppedInPreparation);
    }

    [Fact]
    public async Task Run_PreparationKeepsFailing_ReportsWhy()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { PreparationError = new TimeoutException("no response") };
        Assert.Equal(RunState.Failed, (await run.RunAsync(Spec)).State);
        Assert.Equal(["no response"], run.Ending!.Rejections);
    }

    [Fact]
    public async Task Run_CountKeepsFailing_ReportsThatNothingIsVerified()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { VerificationError = new TimeoutException("no response") };
        await run.RunAsync(Spec);
        Assert.Equal(new Verification(null, "no response"), run.Ending!.Verification);
        Assert.Equal(1, run.CleanUps);
    }

    [Fact]
    public async Task Run_Activities_AreRetriedWhereALossCostsMost()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish);
        await run.RunAsync(Spec with { Workers = 1 });

        Assert.Equal(
            [
                (FunctionNames.AdmitRun, 5), (FunctionNames.PrepareContainer, 5), (FunctionNames.RunLeg, 1),
                (FunctionNames.VerifyContainer, 12), (FunctionNames.SaveReport, 12), (FunctionNames.CleanUp, 12), (FunctionNames.EndRun, 12)
            ],
            run.ActivityCalls.Select(call => (call.Activity, call.Options?.MaxAttempts ?? 1)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_StoppedOrRejectedInPreparation_ReportsThatAndTouchesNothing(bool stopped)
    {
        string[] rejections = stopped ? [] : ["the key is wrong"];
        var run = new ScriptedRun(ScriptedLeg.Finish) { Preparation = new() { Stopped = stopped, Rejections = rejections } };
        var outcome = await run.RunAsync(Spec);

        Assert.Equal(["status Preparing", "prepare", "status Reporting", "report", "end", "status Ended"], run.Steps);
        Assert.Equal((stopped, null), (run.Ending!.StoppedInPreparation, run.Ending.Verification));
        Assert.Equal(rejections, run.Ending.Rejections);
        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(RunStatus.From(outcome, Spec.Documents) with { Phase = RunPhase.Ended }, run.Statuses[^1]);
    }

    /// <summary>The clean-up of an account that is gone may take a quarter of an hour, and deletes nothing of a run that failed.</summary>
    [Theory]
    [InlineData(RunState.Failed, HostedState.Failed)]
    [InlineData(RunState.Complete, HostedState.Running)]
    [InlineData(RunState.Stopped, HostedState.Running)]
    public async Task Run_CleanUpOfAFailedRun_ShowsThatItFailed(RunState state, HostedState shown)
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { State = state };
        await run.RunAsync(Spec);

        Assert.Equal(shown, run.Statuses.Single(status => status.Phase == RunPhase.CleaningUp).State);
    }

    [Fact]
    public async Task Run_RejectedAfterAnEarlierStart_DoesNotEnd()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { Preparation = new() { Rejections = ["the key is wrong"] }, WasPrepared = true };
        var outcome = await run.RunAsync(Spec);
        Assert.Equal(["status Preparing", "prepare", "status Reporting", "report", "status Ended"], run.Steps);
        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Null(run.Ended);
    }

    [Theory]
    [InlineData(true, false, 1)]
    [InlineData(true, true, 0)]
    [InlineData(false, false, 0)]
    [InlineData(false, true, 0)]
    public async Task Run_Ended_DeletesOnlyAContainerThatItMadeAndThatIsNotKept(bool created, bool keep, int cleanUps)
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { Preparation = new() { Container = ScriptedRun.Prepared(created) } };
        await run.RunAsync(Spec with { Container = new() { Keep = keep } });
        Assert.Equal(cleanUps, run.CleanUps);
    }

    [Fact]
    public async Task Run_ContainerCannotBeDeleted_KeepsTheOutcomeAndSaysSo()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { CleanUpError = new InvalidOperationException("locked") };
        var outcome = await run.RunAsync(Spec);

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(["The container scaleout/run-test could not be deleted: locked"], outcome.Reasons);
        Assert.Equal(RunStatus.From(outcome, Spec.Documents) with { Phase = RunPhase.Ended }, run.Statuses[^1]);
        Assert.Equal(new RunEnded(outcome, run.Ending!.FinishedAt), run.Ended);
    }

    /// <summary>The run already has its report: its legs and its container, which may be gone, are not looked at again.</summary>
    [Fact]
    public async Task Run_EndingKnown_ReportsItCleansUpAndEnds()
    {
        var known = new RunEnding
        {
            Spec = Spec, StartedAt = DateTimeOffset.UnixEpoch, FinishedAt = DateTimeOffset.UnixEpoch.AddSeconds(9),
            Container = ScriptedRun.Prepared(), Workers = [],
        };
        var run = new ScriptedRun(ScriptedLeg.Finish) { Preparation = new() { Ending = known } };
        await run.RunAsync(Spec);

        Assert.Equal(["status Preparing", "prepare", "status Reporting", "report", "status CleaningUp", "clean up", "end", "status Ended"],
            run.Steps);
        Assert.Equal(known, run.Ending);
        Assert.Equal(known.FinishedAt, run.Ended!.At);
    }

    [Fact]
    public async Task Run_EngineOfOneWorkerBreaks_LetsTheOthersFinishAndReports()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { BrokenWorkers = [2] };
        await run.RunAsync(Spec);
        Assert.Equal(
            [WorkerState.Done, WorkerState.Done, WorkerState.Failed, WorkerState.Done], run.Ending!.Workers.Select(worker => worker.End));
        Assert.Equal((250, "the engine broke"), (run.Ending.Workers[2].Remaining, run.Ending.Workers[2].Reason));
        Assert.Contains("verify", run.Steps);
    }

    [Fact]
    public async Task Run_EngineOfAGroupBreaks_CountsItsWorkersAsFailedAndReports()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish) { GroupError = new InvalidOperationException("gone") };
        await run.RunAsync(Spec with { Workers = 60 });
        Assert.Equal(60, run.Ending!.Workers.Count);
        Assert.All(run.Ending.Workers, worker => Assert.Equal((WorkerState.Failed, "gone"), (worker.End, worker.Reason)));
        Assert.Equal(1_000, run.Ending.Workers.Sum(worker => worker.Remaining));
    }

    [Fact]
    public async Task Run_EngineIsCancelled_EndsAtOnce()
    {
        var run = new ScriptedRun(_ => throw new OperationCanceledException());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run.RunAsync(Spec));
        Assert.Null(run.Ending);
    }

    [Fact]
    public async Task Run_WorkerOverrides_ReachOnlyTheirWorkers()
    {
        var run = new ScriptedRun(ScriptedLeg.Finish);
        await run.RunAsync(Spec with { WorkerOverrides = [new() { Workers = [1, 3], Client = new() { Concurrency = 7 } }] });
        Assert.Equal([20, 7, 20, 7], run.Legs.Select(leg => leg.Assignment.Client.Concurrency));
    }

    [Fact]
    public async Task Run_SameScriptTwice_MakesTheSameCalls()
    {
        var first = Chaotic(seed: 11);
        var second = Chaotic(seed: 11);
        await first.RunAsync(Spec with { Workers = 60 });
        await second.RunAsync(Spec with { Workers = 60 });

        Assert.Equal(first.Steps, second.Steps);
        Assert.Contains(first.Steps, call => call.StartsWith("wait", StringComparison.Ordinal));
    }

    private static ScriptedRun Chaotic(int seed)
    {
        var random = new Random(seed);
        return new ScriptedRun(
            leg => random.Next(3) == 0 ? throw new LegLostException("killed") : ScriptedLeg.Insert(leg, random.Next(1, 10)));
    }
}
