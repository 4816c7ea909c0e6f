using ScaleOut.Orchestration;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Orchestration;

public sealed class RunOrchestrationTests
{
    private static readonly RunSpec Spec = new() { Id = "test", Documents = 1_000, Workers = 4 };

    [Fact]
    public async Task Run_FewWorkers_GoesThroughAllPhasesInOrder()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { Count = () => 1_000 };
        var outcome = await RunOrchestration.RunAsync(port, Spec);

        Assert.Equal(
            ["status Preparing", "prepare", "status Running", "leg 0/1 from 0", "leg 1/1 from 250", "leg 2/1 from 500", "leg 3/1 from 750",
                "status Verifying", "verify", "status Reporting", "report", "status CleaningUp", "clean up", "status Ended"],
            port.Calls);
        Assert.Empty(port.Groups);
        Assert.Equal(1_000, port.Ending!.Verification!.Verified);
        Assert.Equal([0, 1, 2, 3], port.Ending.Workers.Select(worker => worker.Worker));
        Assert.Equal(outcome, port.Statuses[^1].Outcome);
    }

    [Fact]
    public async Task Run_ManyWorkers_FansOutInGroupsOfFifty()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish);
        await RunOrchestration.RunAsync(port, Spec with { Workers = 120 });

        Assert.Equal([(0, 50), (50, 50), (100, 20)], port.Groups.Select(group => (group.First, group.Count)));
        Assert.Equal(Enumerable.Range(0, 120), port.Ending!.Workers.Select(worker => worker.Worker));
        Assert.Equal(1_000, port.Ending.Workers.Sum(worker => worker.Documents.Inserted));
    }

    [Fact]
    public async Task Run_FiftyWorkers_NeedsNoGroups()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish);
        await RunOrchestration.RunAsync(port, Spec with { Workers = RunOrchestration.GroupSize });

        Assert.Empty(port.Groups);
    }

    [Fact]
    public async Task Run_StoppedInPreparation_ReportsThatAndTouchesNothing()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { Preparation = new() { Stopped = true } };
        await RunOrchestration.RunAsync(port, Spec);

        Assert.Equal(["status Preparing", "prepare", "status Reporting", "report", "status Ended"], port.Calls);
        Assert.True(port.Ending!.StoppedInPreparation);
    }

    [Fact]
    public async Task Run_Refused_ReportsAndTouchesNothing()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { Preparation = new() { Refusals = ["the key is wrong"] } };
        var outcome = await RunOrchestration.RunAsync(port, Spec);

        Assert.Equal(["status Preparing", "prepare", "status Reporting", "report", "status Ended"], port.Calls);
        Assert.Equal(["the key is wrong"], port.Ending!.Refusals);
        Assert.Null(port.Ending.Verification);
        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(outcome, port.Statuses[^1].Outcome);
    }

    [Theory]
    [InlineData(true, false, 1)]
    [InlineData(true, true, 0)]
    [InlineData(false, false, 0)]
    [InlineData(false, true, 0)]
    public async Task Run_Ended_DeletesOnlyWhatItMadeAndIsNotKept(bool created, bool keep, int cleanUps)
    {
        var port = new ScriptedPort(ScriptedLeg.Finish)
        {
            Preparation = new() { Container = new() { Target = ScriptedPort.Target, Created = created, Simulated = false, CountBefore = 0 } },
        };
        await RunOrchestration.RunAsync(port, Spec with { Container = new() { Keep = keep } });

        Assert.Equal(cleanUps, port.CleanUps);
    }

    [Fact]
    public async Task Run_ContainerCannotBeDeleted_KeepsTheOutcomeAndSaysSo()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { CleanUpFault = new InvalidOperationException("locked") };
        var outcome = await RunOrchestration.RunAsync(port, Spec);

        Assert.Equal(RunState.Complete, outcome.State);
        Assert.Equal(["The container scaleout/run-test could not be deleted: locked"], outcome.Reasons);
        Assert.Equal(outcome, port.Statuses[^1].Outcome);
    }

    [Fact]
    public async Task Run_EngineOfOneWorkerBreaks_LetsTheOthersFinishAndReports()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { BrokenWorkers = [2] };
        await RunOrchestration.RunAsync(port, Spec);

        Assert.Equal([WorkerEnd.Done, WorkerEnd.Done, WorkerEnd.Failed, WorkerEnd.Done], port.Ending!.Workers.Select(worker => worker.End));
        Assert.Equal((250, "the engine broke"), (port.Ending.Workers[2].Remaining, port.Ending.Workers[2].Reason));
        Assert.Contains("verify", port.Calls);
    }

    [Fact]
    public async Task Run_EngineOfAGroupBreaks_CountsItsWorkersAsFailedAndReports()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish) { GroupFault = new InvalidOperationException("gone") };
        await RunOrchestration.RunAsync(port, Spec with { Workers = 60 });

        Assert.Equal(60, port.Ending!.Workers.Count);
        Assert.All(port.Ending.Workers, worker => Assert.Equal((WorkerEnd.Failed, "gone"), (worker.End, worker.Reason)));
        Assert.Equal(1_000, port.Ending.Workers.Sum(worker => worker.Remaining));
    }

    [Fact]
    public async Task Run_EngineIsCancelled_EndsAtOnce()
    {
        var port = new ScriptedPort(_ => throw new OperationCanceledException());

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => RunOrchestration.RunAsync(port, Spec));
        Assert.Null(port.Ending);
    }

    [Fact]
    public async Task Run_WorkerOverrides_ReachOnlyTheirWorkers()
    {
        var port = new ScriptedPort(ScriptedLeg.Finish);
        await RunOrchestration.RunAsync(port, Spec with { WorkerOverrides = [new() { Workers = [1, 3], Client = new() { Concurrency = 7 } }] });

        Assert.Equal([20, 7, 20, 7], port.Legs.Select(leg => leg.Assignment.Client.Concurrency));
    }

    [Fact]
    public async Task Run_SameScriptTwice_MakesTheSameCalls()
    {
        var first = Chaotic(seed: 11);
        var second = Chaotic(seed: 11);
        await RunOrchestration.RunAsync(first, Spec with { Workers = 60 });
        await RunOrchestration.RunAsync(second, Spec with { Workers = 60 });

        Assert.Equal(first.Calls, second.Calls);
        Assert.Contains(first.Calls, call => call.StartsWith("wait", StringComparison.Ordinal));
    }

    private static ScriptedPort Chaotic(int seed)
    {
        var random = new Random(seed);
        return new ScriptedPort(leg => random.Next(3) == 0 ? throw new LegLostException("killed") : ScriptedLeg.Insert(leg, random.Next(1, 10)));
    }
}
