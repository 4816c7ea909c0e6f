using System.Text.Json;
using ScaleOut.Experiments;
using ScaleOut.Json;
using ScaleOut.Orchestration;
using ScaleOut.Tests.Support;

namespace ScaleOut.Tests.Experiments;

public sealed class ExperimentOrchestrationTests
{
    [Fact]
    public async Task Run_AllComplete_MeasuresEachOnceAndReports()
    {
        var port = new ScriptedExperimentPort(_ => RunState.Complete);
        var spec = ExperimentSample.Of(2, 2);

        var outcome = await ExperimentOrchestration.RunAsync(port, spec);

        Assert.Equal(["run sample-v01-r01", "run sample-v02-r01", "run sample-v01-r02", "run sample-v02-r02"], port.Calls);
        Assert.Equal([(0, 1), (1, 1), (0, 2), (1, 2)], port.Ending!.Runs.Select(run => (run.Variant, run.Repeat)));
        Assert.Equal(TimeSpan.FromMinutes(4), port.Ending.FinishedAt - port.Ending.StartedAt);
        Assert.Equal([0, 1, 2, 3, 4, 4], port.Statuses.Select(status => status.Ended));
        Assert.Equal(("variant B", 2, "sample-v02-r02"), (port.Statuses[3].Variant, port.Statuses[3].Repeat, port.Statuses[3].RunId));
        Assert.Equal((ExperimentPhase.Ended, outcome), (port.Statuses[^1].Phase, port.Statuses[^1].Outcome));
    }

    [Fact]
    public async Task Run_FailuresAndBrokenEngines_AreToldOfAndEndNothing()
    {
        var port = new ScriptedExperimentPort(run => run.Variant switch
        {
            0 => RunState.Failed,
            1 => throw new InvalidOperationException(new string('x', 5_000)),
            _ => RunState.Complete,
        });

        await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(3, 1));

        Assert.Equal([RunState.Failed, RunState.Failed, RunState.Complete], port.Ending!.Runs.Select(run => run.State));
        Assert.Equal("it is Failed", port.Ending.Runs[0].Reason);
        Assert.Equal(ExperimentRunEnd.MaxReasonLength, port.Ending.Runs[1].Reason!.Length);
        Assert.Null(port.Ending.Runs[2].Reason);
        Assert.Equal(2, port.Statuses[^1].NotComplete);
    }

    [Fact]
    public async Task Run_NotTestable_IsListedWithItsReasonAndNotRun()
    {
        var port = new ScriptedExperimentPort(_ => RunState.Complete) { NotTestable = [0] };

        await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(2, 2) with { Pause = TimeSpan.FromSeconds(5) });

        Assert.Equal(["run sample-v02-r01", "wait 5", "run sample-v02-r02"], port.Calls);
        Assert.Equal((null, "it needs more cores"), (port.Ending!.Runs[0].State, port.Ending.Runs[0].Reason));
        Assert.False(port.Ending.Stopped);
    }

    [Fact]
    public async Task Run_StopAsked_BeginsNothingMoreAndReports()
    {
        var port = new ScriptedExperimentPort(_ => RunState.Complete) { StopAfter = 2 };

        var outcome = await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(2, 2));

        Assert.Equal(2, port.Calls.Count);
        Assert.True(port.Ending!.Stopped);
        Assert.Equal(ExperimentState.Stopped, outcome.State);
    }

    [Fact]
    public async Task Run_StopDuringThePause_BeginsNothingMoreAndNamesNoOtherRun()
    {
        var port = new ScriptedExperimentPort(_ => RunState.Complete) { StopInPause = true };

        var outcome = await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(2, 2) with { Pause = TimeSpan.FromSeconds(5) });

        Assert.Equal(["run sample-v01-r01", "wait 5"], port.Calls);
        Assert.True(port.Ending!.Stopped);
        Assert.Equal(ExperimentState.Stopped, outcome.State);
        Assert.Equal(["sample-v01-r01", null, null, null], port.Statuses.Select(status => status.RunId));
    }

    [Fact]
    public async Task Run_StopDuringTheLastRun_IsStopped()
    {
        var port = new ScriptedExperimentPort(run => run.Variant == 1 ? RunState.Stopped : RunState.Complete) { StopAfter = 2 };

        Assert.Equal(ExperimentState.Stopped, (await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(2, 1))).State);
    }

    [Fact]
    public async Task Run_StoppedRunWithoutAStopOfTheExperiment_GoesOn()
    {
        var port = new ScriptedExperimentPort(run => run.Variant == 0 ? RunState.Stopped : RunState.Complete);

        await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(2, 1));

        Assert.Equal([RunState.Stopped, RunState.Complete], port.Ending!.Runs.Select(run => run.State));
        Assert.False(port.Ending.Stopped);
    }

    [Fact]
    public async Task Run_ThousandRunsThatFail_EveryPayloadStaysUnderTheLimits()
    {
        var port = new ScriptedExperimentPort(_ => throw new InvalidOperationException(string.Concat(Enumerable.Repeat("ü\n", 3_000))));

        await ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(20, 50));

        Assert.InRange(JsonSerializer.SerializeToUtf8Bytes(port.Ending, ScaleOutJson.Compact).Length, 1, 900_000);
        Assert.All(port.Statuses, status => Assert.InRange(JsonSerializer.SerializeToUtf8Bytes(status, ScaleOutJson.Compact).Length, 1, 2_048));
    }

    [Fact]
    public void Run_OnOneThreadsContext_NeverLeavesIt()
    {
        var threads = PumpContext.Run(context =>
        {
            var port = new SlowPort(context);
            return (ExperimentOrchestration.RunAsync(port, ExperimentSample.Of(3, 3) with { Pause = TimeSpan.FromSeconds(1) }), port.Threads);
        });

        Assert.Equal([Environment.CurrentManagedThreadId], threads.Distinct());
        Assert.Equal(9 + 9 + (2 * 8) + 1, threads.Count);
    }

    /// <summary>Answers every call later, and notes on which thread it was made.</summary>
    private sealed class SlowPort(PumpContext context) : ScriptedExperimentPort(_ => RunState.Complete)
    {
        public List<int> Threads { get; } = [];

        public override Task<bool> IsStopRequestedAsync() => LaterAsync(base.IsStopRequestedAsync());

        public override Task<RunOutcome> RunAsync(ExperimentRun experimentRun) => LaterAsync(base.RunAsync(experimentRun));

        public override async Task DelayAsync(TimeSpan delay) => await LaterAsync(Task.FromResult(true));

        public override Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending) => LaterAsync(base.SaveReportAsync(ending));

        private Task<T> LaterAsync<T>(Task<T> answer)
        {
            Threads.Add(Environment.CurrentManagedThreadId);
            var later = new TaskCompletionSource<T>();
            context.Post(_ => later.SetFromTask(answer), null);
            return later.Task;
        }
    }
}
