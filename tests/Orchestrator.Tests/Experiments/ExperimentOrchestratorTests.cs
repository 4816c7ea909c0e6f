using Microsoft.DurableTask;
using Microsoft.DurableTask.Client;
using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting.Writers;
using ScaleOut.Http;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Experiments;
using ScaleOut.Orchestrator.Http;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Orchestration;
using ScaleOut.Tests.Storage;

namespace ScaleOut.Orchestrator.Tests.Experiments;

public sealed class ExperimentOrchestratorTests
{
    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_TwoVariantsTwice_RunsThemInterleavedAsRunsOfTheirOwn()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish) { Store = _store };
        await using var engine = await StartAsync(activities);

        var outcome = await RunAsync(engine, Spec("ladder"));

        Assert.Equal((4, 0, 0), (outcome.Runs, outcome.NotTestable, 4 - outcome.Complete - outcome.NotComplete));
        Assert.Equal(["ladder-v01-r01", "ladder-v02-r01", "ladder-v01-r02", "ladder-v02-r02"], activities.Legs.Select(leg => leg.Assignment.RunId));
        Assert.Equal(4, (await _catalog.ListAsync(continuation: null, pageSize: 10, Cancellation)).Runs.Count);
        Assert.NotNull(await new ExperimentFiles(_store, "ladder").ReadReportAsync("report.json", Cancellation));
        Assert.InRange(engine.Traffic.LargestPayloads[typeof(ExperimentStatus)], 1, 2_048);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_RunThatWasMeasuredBefore_IsNotMeasuredAgain()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish) { Store = _store };
        await using var engine = await StartAsync(activities);
        var files = new RunFiles(_store, "again-v02-r01");
        await files.TryClaimAsync(ExperimentRuns.Of(Spec("again"))[1].Spec, Cancellation);
        var ended = new RunOutcome { RunId = "again-v02-r01", State = RunState.Complete, Documents = new(), Remaining = 0 };
        await files.WriteEndedAsync(new RunEnded(ended, DateTimeOffset.UnixEpoch), Cancellation);

        await RunAsync(engine, Spec("again"));

        Assert.Equal(["again-v01-r01", "again-v01-r02", "again-v02-r02"], activities.Legs.Select(leg => leg.Assignment.RunId));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_IdInUseByAnotherRun_HasFailedAndTakesNothingFromIt()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish) { Store = _store };
        await using var engine = await StartAsync(activities);
        var other = new RunFiles(_store, "taken-v02-r01");
        await other.TryClaimAsync(new RunSpec { Id = "taken-v02-r01" }, Cancellation);
        var claimed = await other.ReadSpecAsync(Cancellation);
        var ended = new RunOutcome { RunId = "taken-v02-r01", State = RunState.Complete, Documents = new(), Remaining = 0 };
        await other.WriteEndedAsync(new RunEnded(ended, DateTimeOffset.UnixEpoch), Cancellation);

        var outcome = await RunAsync(engine, Spec("taken"));

        Assert.Equal(["taken-v01-r01", "taken-v01-r02", "taken-v02-r02"], activities.Legs.Select(leg => leg.Assignment.RunId));
        Assert.Equal(ExperimentState.Incomplete, outcome.State);
        var json = await new ExperimentFiles(_store, "taken").ReadReportAsync("report.json", Cancellation);
        var run = ExperimentJsonWriter.Read(json!).Variants[1].Runs.Single(run => run.RunId == "taken-v02-r01");
        Assert.Equal((RunState.Failed, null), (run.State, run.Figures));
        Assert.Contains("in use by another run", run.Reason, StringComparison.Ordinal);
        Assert.Equal(claimed, await other.ReadSpecAsync(Cancellation));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_StopRequested_EndsAfterTheRunThatIsOn()
    {
        var activities = new FakeActivities(async leg =>
        {
            await new ExperimentFiles(_store, "stopped").RequestStopAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        }) { Store = _store };
        await using var engine = await StartAsync(activities);

        var outcome = await RunAsync(engine, Spec("stopped"));

        Assert.Single(activities.Legs);
        Assert.Equal(ExperimentState.Stopped, outcome.State);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Host_ExperimentFromStartToEnd_TellsItsState()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish) { Store = _store };
        await using var engine = await StartAsync(activities);
        var host = new DurableExperimentHost(engine.Client, _store, TimeProvider.System);

        var before = await host.ReadStatusAsync("hosted", Cancellation);
        await host.StartAsync(Spec("hosted"), Cancellation);
        await engine.Client.WaitForInstanceCompletionAsync(EngineExperiments.InstanceIdOf("hosted"), Cancellation);
        var after = await host.ReadStatusAsync("hosted", Cancellation);
        var stored = await new ExperimentFiles(_store, "hosted").ReadStatusAsync(Cancellation);

        Assert.Null(before);
        Assert.Equal((4, 4), (after!.Status!.Runs, stored!.Ended));
        Assert.Equal(HostedExperiment.StateOf(stored.Outcome!.State), after.State);
        Assert.Equal((StopAnswer.Ended, StopAnswer.Unknown), (await host.StopAsync("hosted", Cancellation), await host.StopAsync("other", Cancellation)));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Host_Stop_ReachesTheRunThatIsOn()
    {
        var held = new TaskCompletionSource();
        var activities = new FakeActivities(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        }) { Store = _store };
        await using var engine = await StartAsync(activities);
        var host = new DurableExperimentHost(engine.Client, _store, TimeProvider.System);
        await host.StartAsync(Spec("halted"), Cancellation);
        while (activities.Legs.Count == 0)
            await Task.Delay(20, Cancellation);

        var answer = await host.StopAsync("halted", Cancellation);
        var state = (await host.ReadStatusAsync("halted", Cancellation))!.State;
        var runStops = await new RunFiles(_store, "halted-v01-r01").IsStopRequestedAsync(Cancellation);
        held.SetResult();
        await engine.Client.WaitForInstanceCompletionAsync(EngineExperiments.InstanceIdOf("halted"), Cancellation);

        Assert.Equal((StopAnswer.Stopping, HostedState.Stopping, true), (answer, state, runStops));
        Assert.Equal(HostedState.Stopped, (await host.ReadStatusAsync("halted", Cancellation))!.State);
        Assert.Single(activities.Legs);
    }

    [Theory]
    [InlineData(EngineState.Pending, false, HostedState.Queued)]
    [InlineData(EngineState.Pending, true, HostedState.Stopping)]
    [InlineData(EngineState.Running, false, HostedState.Running)]
    [InlineData(EngineState.Terminated, false, HostedState.Interrupted)]
    [InlineData(EngineState.Failed, true, HostedState.Failed)]
    public void EngineExperiment_WithoutOutcome_IsWhereTheEngineHasIt(EngineState state, bool stopRequested, HostedState hosted) =>
        Assert.Equal(hosted, EngineExperiments.Of(state, status: null, failure: null, stopRequested).State);

    [Fact]
    public void WhyNotTestable_WorkersBoundToCores_SaysSo()
    {
        Assert.Null(InstanceLimits.WhyNotTestable(new RunSpec()));
        Assert.NotNull(InstanceLimits.WhyNotTestable(new RunSpec { Client = new ClientSpec { Cores = 1 } }));
    }

    private static ExperimentSpec Spec(string id) => TestExperiments.Pair(id);

    private static async Task<ExperimentOutcome> RunAsync(TestEngine engine, ExperimentSpec spec)
    {
        await engine.Client.ScheduleNewOrchestrationInstanceAsync(
            ExperimentFunctionNames.ExperimentOrchestrator, spec, new StartOrchestrationOptions(spec.Id), Cancellation);
        var instance = await engine.Client.WaitForInstanceCompletionAsync(spec.Id!, getInputsAndOutputs: true, Cancellation);
        Assert.True(instance.RuntimeStatus == OrchestrationRuntimeStatus.Completed, $"{instance.RuntimeStatus}: {instance.FailureDetails}");
        return instance.ReadOutputAs<ExperimentOutcome>()!;
    }

    private Task<TestEngine> StartAsync(FakeActivities activities) => TestExperiments.StartAsync(_store, _catalog, activities);
}
