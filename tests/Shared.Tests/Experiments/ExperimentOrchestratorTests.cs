namespace ScaleOut.Tests.Shared.Experiments;

public sealed class ExperimentOrchestratorTests
{
    private static readonly string Query = $"SELECT * FROM c WHERE c.name = '{new string('x', 3_000)}'";

    [Fact]
    public async Task Run_AllComplete_MeasuresEachOnceAndReports()
    {
        var experiment = new ScriptedExperiment(ExperimentSample.From(2, 2), _ => RunState.Complete);
        var outcome = await experiment.RunAsync();

        Assert.Equal(["run sample-v01-r01", "run sample-v02-r01", "run sample-v01-r02", "run sample-v02-r02"], experiment.Steps);
        Assert.Equal([(0, 1), (1, 1), (0, 2), (1, 2)], experiment.Ending!.Runs.Select(run => (run.Variant, run.Repeat)));
        Assert.Equal(TimeSpan.FromMinutes(4), experiment.Ending.FinishedAt - experiment.Ending.StartedAt);
        Assert.Equal([0, 1, 1, 2, 2, 3, 3, 4, 4], experiment.Statuses.Select(status => status.Ended));
        Assert.Equal(("variant B", 2, "sample-v02-r02"),
            (experiment.Statuses[6].Variant, experiment.Statuses[6].Repeat, experiment.Statuses[6].RunId));
        Assert.Equal((ExperimentPhase.Ended, outcome), (experiment.Statuses[^1].Phase, experiment.Statuses[^1].Outcome));
    }

    [Fact]
    public async Task Run_ManyRuns_NoTurnHoldsMoreThanOneRun()
    {
        var experiment = new ScriptedExperiment(ExperimentSample.From(3, 4), _ => RunState.Complete) { NotTestable = [0] };
        await experiment.RunAsync();

        // A claim and a run each, and the check of the variants in the first turn alone.
        Assert.Equal(7, experiment.Continued.Count);
        Assert.Equal([2, 3, 5, 6, 8, 9, 11], experiment.Continued.Cast<ExperimentTurn>().Select(turn => turn.Measured.Count));
        Assert.Equal(8, experiment.Requests.Count);
        Assert.Single(experiment.ActivityCalls, call => call.Activity == ExperimentFunctionNames.CheckVariants);
        Assert.Equal(12, experiment.Ending!.Runs.Count);
        Assert.Equal(TimeSpan.FromMinutes(8), experiment.Ending.FinishedAt - experiment.Ending.StartedAt);
    }

    [Fact]
    public async Task Run_Continued_CarriesNoSpecOfARun()
    {
        var large = ExperimentSample.From(2, 3) with
        {
            Base = new JsonObject { ["workload"] = new JsonObject { ["kind"] = "query", ["query"] = new JsonObject { ["text"] = Query } } },
        };
        var experiment = new ScriptedExperiment(large, _ => RunState.Complete);
        await experiment.RunAsync();

        var sizes = experiment.Continued.Cast<ExperimentTurn>().Select(PayloadLimits.SizeOf).ToList();
        Assert.Equal(5, sizes.Count);
        Assert.All(sizes.Zip(sizes.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, 1, 500));
    }

    [Fact]
    public async Task Run_FailuresAndBrokenEngines_AreReportedAndEndNothing()
    {
        var experiment = new ScriptedExperiment(ExperimentSample.From(3, 1), run => run.Variant switch
        {
            0 => RunState.Failed,
            1 => throw new InvalidOperationException(new string('x', 5_000)),
            _ => RunState.Complete,
        });

        await experiment.RunAsync();

        Assert.Equal([RunState.Failed, RunState.Failed, RunState.Complete], experiment.Ending!.Runs.Select(run => run.State));
        Assert.Equal("it is Failed", experiment.Ending.Runs[0].Reason);
        Assert.Equal(MeasuredRun.MaxReasonLength, experiment.Ending.Runs[1].Reason!.Length);
        Assert.Null(experiment.Ending.Runs[2].Reason);
        Assert.Equal(2, experiment.Statuses[^1].NotComplete);
        var (first, second) = (experiment.Ending.Spec.Variants[0].Name, experiment.Ending.Spec.Variants[1].Name);
        Assert.Equal(
            [null, $"{first}, repeat 1 (failed): it is Failed"],
            experiment.Statuses.Where(status => status.NotComplete < 2).Select(status => status.LastNotComplete).Distinct());
        Assert.StartsWith($"{second}, repeat 1 (failed): xxx", experiment.Statuses[^1].LastNotComplete, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_NotTestable_IsListedWithItsReasonAndNotRun()
    {
        var experiment = new ScriptedExperiment(
            ExperimentSample.From(2, 2) with { Pause = TimeSpan.FromSeconds(5) }, _ => RunState.Complete)
        { NotTestable = [0] };
        await experiment.RunAsync();

        Assert.Equal(["run sample-v02-r01", "wait 5", "run sample-v02-r02"], experiment.Steps);
        Assert.Equal((null, "it needs more cores"), (experiment.Ending!.Runs[0].State, experiment.Ending.Runs[0].Reason));
        Assert.False(experiment.Ending.Stopped);
    }

    [Fact]
    public async Task Run_StopAsked_BeginsNothingMoreAndReports()
    {
        var experiment = new ScriptedExperiment(ExperimentSample.From(2, 2), _ => RunState.Complete) { StopAfter = 2 };
        var outcome = await experiment.RunAsync();
        Assert.Equal(2, experiment.Steps.Count);
        Assert.True(experiment.Ending!.Stopped);
        Assert.Equal(ExperimentState.Stopped, outcome.State);
    }

    [Fact]
    public async Task Run_StopDuringThePause_BeginsNothingMoreAndNamesNoOtherRun()
    {
        var experiment = new ScriptedExperiment(
            ExperimentSample.From(2, 2) with { Pause = TimeSpan.FromSeconds(5) }, _ => RunState.Complete)
        { StopInPause = true };
        var outcome = await experiment.RunAsync();

        Assert.Equal(["run sample-v01-r01", "wait 5"], experiment.Steps);
        Assert.True(experiment.Ending!.Stopped);
        Assert.Equal(ExperimentState.Stopped, outcome.State);
        Assert.Equal(["sample-v01-r01", null, null, null, null], experiment.Statuses.Select(status => status.RunId));
    }

    [Fact]
    public async Task Run_StopDuringTheLastRun_IsStopped()
    {
        var experiment = new ScriptedExperiment(
            ExperimentSample.From(2, 1), run => run.Variant == 1 ? RunState.Stopped : RunState.Complete)
        { StopAfter = 2 };
        Assert.Equal(ExperimentState.Stopped, (await experiment.RunAsync()).State);
    }

    [Fact]
    public async Task Run_StoppedRunWithoutAStopOfTheExperiment_GoesOn()
    {
        var experiment = new ScriptedExperiment(
            ExperimentSample.From(2, 1), run => run.Variant == 0 ? RunState.Stopped : RunState.Complete);
        await experiment.RunAsync();
        Assert.Equal([RunState.Stopped, RunState.Complete], experiment.Ending!.Runs.Select(run => run.State));
        Assert.False(experiment.Ending.Stopped);
    }

    [Fact]
    public async Task Run_ThousandRunsThatFail_EveryPayloadStaysUnderTheLimits()
    {
        var experiment = new ScriptedExperiment(
            ExperimentSample.From(20, 50), _ => throw new InvalidOperationException(string.Concat(Enumerable.Repeat("ü\n", 3_000))));
        await experiment.RunAsync();

        Assert.InRange(PayloadLimits.SizeOf(experiment.Ending), 1, 900_000);
        Assert.All(experiment.Continued, turn => Assert.InRange(PayloadLimits.SizeOf((ExperimentTurn)turn), 1, 900_000));
        Assert.All(experiment.Statuses,
            status => Assert.InRange(JsonSerializer.SerializeToUtf8Bytes(status, ScaleOutJson.Compact).Length, 1, 2_048));
    }

    [Fact]
    public async Task Run_MeasuredBeforeOrOfAnother_IsNotRunAgain()
    {
        var experiment = new ScriptedExperiment(ExperimentSample.From(3, 1), _ => RunState.Complete);
        var measured = new RunOutcome { RunId = "sample-v01-r01", State = RunState.Complete, Remaining = 0 };
        experiment.Claims.Add("sample-v01-r01", new ExperimentRunClaim { Measured = measured });
        experiment.Claims.Add("sample-v02-r01", ExperimentRunClaim.OfAnother("sample-v02-r01"));
        await experiment.RunAsync(attempt: 3);

        Assert.Equal(["run sample-v03-r01"], experiment.Steps);
        Assert.Equal([(RunState.Complete, false), (RunState.Failed, true), (RunState.Complete, false)],
            experiment.Ending!.Runs.Select(run => (run.State!.Value, run.IdInUse)));
        Assert.Contains("in use by another run", experiment.Ending.Runs[1].Reason, StringComparison.Ordinal);
        Assert.All(experiment.Requests, request => Assert.Equal(("sample", 3), (request.ExperimentId, request.Attempt)));
    }

    [Fact]
    public void Run_OnOneThreadsContext_NeverLeavesIt()
    {
        var threads = PumpContext.Run(context =>
        {
            var experiment = new SlowExperiment(context);
            return (experiment.RunAsync(), experiment.Threads);
        });

        Assert.Equal([Environment.CurrentManagedThreadId], threads.Distinct());
        Assert.Equal(1 + 9 + 9 + 9 + (2 * 8) + 1, threads.Count);
    }

    /// <summary>Completes every call later, and notes on which thread it was made.</summary>
    private sealed class SlowExperiment(PumpContext context) : ScriptedExperiment(
        ExperimentSample.From(3, 3) with { Pause = TimeSpan.FromSeconds(1) }, _ => RunState.Complete)
    {
        public List<int> Threads { get; } = [];
        protected override Task<T> LaterAsync<T>(Task<T> task) => context.LaterAsync(task, Threads);
    }
}
