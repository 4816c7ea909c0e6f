using System.Collections.Concurrent;
using Microsoft.DurableTask.Client;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Specs;
using ScaleOut.Tests.Orchestration;

namespace ScaleOut.Orchestrator.Tests.Orchestrations;

public sealed class RunOrchestratorTests
{
    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_SmallSpec_PutsEverythingVerifiesAndCleansUp()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish);
        await using var engine = await TestEngine.StartAsync(activities);

        var outcome = await engine.RunAsync(Spec("small", documents: 1_000, workers: 4));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal((1_000, 1_000, 0), (outcome.Documents.Inserted, outcome.Verified, outcome.Remaining));
        Assert.Equal(1, activities.CleanUps);
        Assert.Equal([0, 1, 2, 3], activities.Ending!.Workers.Select(worker => worker.Worker));
        Assert.Equal(
            ["small", "small:worker-0000", "small:worker-0001", "small:worker-0002", "small:worker-0003"],
            engine.Traffic.Instances.Keys.Order(StringComparer.Ordinal));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_AtItsEnd_ShowsItsOutcomeAsStatus()
    {
        await using var engine = await TestEngine.StartAsync(new FakeActivities(ScriptedLeg.Finish));
        await engine.RunAsync(Spec("status", documents: 100, workers: 1));

        var instance = await engine.Client.GetInstanceAsync("status", getInputsAndOutputs: true, TestContext.Current.CancellationToken);

        var status = instance!.ReadCustomStatusAs<RunStatus>()!;
        Assert.Equal((RunPhase.Ended, RunState.Complete), (status.Phase, status.Outcome!.State));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_LegFailsTwice_GoesOnFromTheSameNumber()
    {
        var tries = new ConcurrentDictionary<(int Worker, int Leg), int>();
        var activities = new FakeActivities(leg =>
        {
            if (leg is { Assignment.Worker: 1, Leg: 2 } && tries.AddOrUpdate((1, 2), 1, (_, before) => before + 1) <= 2)
                throw new IOException("the instance is going away");
            return ScriptedLeg.Insert(leg, 100);
        });
        await using var engine = await TestEngine.StartAsync(activities);

        var outcome = await engine.RunAsync(Spec("twice", documents: 900, workers: 3));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal((900, 900, 0), (outcome.Documents.Inserted, outcome.Verified, outcome.Remaining));
        Assert.Equal([400L, 400, 400], activities.Legs.Where(leg => leg is { Assignment.Worker: 1, Leg: 2 }).Select(leg => leg.Next));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_LostWorker_ReportsWhatTheOthersDid()
    {
        var activities = new FakeActivities(leg => leg.Assignment.Worker == 2
            ? ScriptedLeg.Insert(leg, 0, LegEnd.Refused, "the account refused the client: 401")
            : ScriptedLeg.Finish(leg));
        await using var engine = await TestEngine.StartAsync(activities);

        var outcome = await engine.RunAsync(Spec("lost", documents: 400, workers: 4));

        Assert.Equal((RunState.Failed, 300L, 100L), (outcome.State, outcome.Documents.Inserted, outcome.Remaining));
        Assert.Equal(["the account refused the client: 401"], outcome.Reasons);
        Assert.Equal([WorkerEnd.Done, WorkerEnd.Done, WorkerEnd.Failed, WorkerEnd.Done], activities.Ending!.Workers.Select(worker => worker.End));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_WorkerTerminated_ComesToAReportAllTheSame()
    {
        var held = new TaskCompletionSource();
        var activities = new FakeActivities(async leg =>
        {
            if (leg.Assignment.Worker == 0)
                await held.Task.WaitAsync(TestContext.Current.CancellationToken);
            return ScriptedLeg.Finish(leg);
        });
        await using var engine = await TestEngine.StartAsync(activities);
        await engine.StartRunAsync(Spec("gone", documents: 200, workers: 2));
        await engine.Client.WaitForInstanceStartAsync("gone:worker-0000", TestContext.Current.CancellationToken);

        await engine.Client.TerminateInstanceAsync("gone:worker-0000", "ended by hand", TestContext.Current.CancellationToken);
        var outcome = await engine.EndOfAsync("gone");
        held.SetResult();

        Assert.Equal((RunState.Failed, 100L), (outcome.State, outcome.Remaining));
        Assert.Equal([WorkerEnd.Failed, WorkerEnd.Done], activities.Ending!.Workers.Select(worker => worker.End));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_Stopped_ReportsWhatWasDone()
    {
        var stop = new TaskCompletionSource();
        var activities = new FakeActivities(async leg =>
        {
            if (leg.Leg == 1)
                return ScriptedLeg.Insert(leg, 10);
            await stop.Task.WaitAsync(TestContext.Current.CancellationToken);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await using var engine = await TestEngine.StartAsync(activities);
        await engine.StartRunAsync(Spec("stopped", documents: 1_000, workers: 4));
        while (activities.Legs.Count < 8)
            await Task.Delay(20, TestContext.Current.CancellationToken);

        stop.SetResult();
        var outcome = await engine.EndOfAsync("stopped");

        Assert.Equal((RunState.Stopped, 60L, 940L), (outcome.State, outcome.Documents.Inserted, outcome.Remaining));
        Assert.Equal(1, activities.CleanUps);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_EveryStepFailsOnce_IsTriedAgain()
    {
        var activities = new FakeActivities(ScriptedLeg.Finish) { FailuresOfEachStep = 1 };
        await using var engine = await TestEngine.StartAsync(activities);

        var outcome = await engine.RunAsync(Spec("retried", documents: 100, workers: 2));

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(1, activities.CleanUps);
    }

    private static RunSpec Spec(string id, long documents, int workers) => new() { Id = id, Documents = documents, Workers = workers };
}
