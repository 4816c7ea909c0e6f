using System.Diagnostics;
using ScaleOut.Orchestration;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Specs;
using ScaleOut.Tests.Orchestration;

namespace ScaleOut.Orchestrator.Tests.Orchestrations;

public sealed class FanOutTests(ITestOutputHelper output)
{
    private const int Mebibyte = 1 << 20;

    /// <summary>200 workers of 22 legs each: four groups, and every worker continues as new once.</summary>
    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_TwoHundredWorkersOfManyLegs_AllFinishWithinTheLimits()
    {
        const int workers = 200;
        const int legs = WorkerOrchestration.LegsPerTurn + 2;
        var activities = new FakeActivities(leg => ScriptedLeg.Insert(leg, 10));
        await using var engine = await TestEngine.StartAsync(activities);
        var watch = Stopwatch.StartNew();

        var outcome = await engine.RunAsync(new RunSpec { Id = "wide", Documents = workers * legs * 10, Workers = workers });

        Assert.Equal((RunState.Complete, workers * legs * 10L), (outcome.State, outcome.Documents.Inserted));
        Assert.Equal(workers * legs, activities.Legs.Count);
        AssertLimits(engine.Traffic);
        Print(engine.Traffic, "wide", workers, watch.Elapsed);
    }

    /// <summary>A thousand workers, each of which fails with the longest reason there is.</summary>
    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Run_ThousandFailingWorkers_StaysWithinTheLimits()
    {
        const int workers = 1_000;
        var reason = LegOutput.Shorten(new string('\u4e2d', 1_000));
        var activities = new FakeActivities(leg => ScriptedLeg.Insert(leg, 1, LegEnd.Refused, reason));
        await using var engine = await TestEngine.StartAsync(activities);
        var watch = Stopwatch.StartNew();

        var outcome = await engine.RunAsync(new RunSpec { Id = "thousand", Documents = 100_000, Workers = workers });

        Assert.Equal((RunState.Failed, 1_000L, 99_000L), (outcome.State, outcome.Documents.Inserted, outcome.Remaining));
        Assert.Equal(Enumerable.Range(0, workers), activities.Ending!.Workers.Select(worker => worker.Worker));
        Assert.Equal(workers / RunOrchestration.GroupSize, engine.Traffic.Instances.Keys.Count(id => id.StartsWith("thousand:group-", StringComparison.Ordinal)));
        AssertLimits(engine.Traffic);
        Print(engine.Traffic, "thousand", workers, watch.Elapsed);
    }

    private static void AssertLimits(EngineTraffic traffic)
    {
        Assert.All(traffic.LargestPayloads, payload => Assert.InRange(payload.Value, 1, Mebibyte));
        Assert.InRange(traffic.LargestPayloads[typeof(LegOutput)], 1, PayloadLimits.LegOutputBytes);
        Assert.InRange(traffic.LargestPayloads[typeof(RunStatus)], 1, PayloadLimits.StatusBytes);
        Assert.Empty(traffic.LongHistories);
        // Each was replayed: the engine fails an orchestration that does anything else than its history says, and all have come to their end.
        Assert.All(traffic.Instances, instance => Assert.InRange(instance.Value.WorkItems, 2, int.MaxValue));
    }

    private void Print(EngineTraffic traffic, string run, int workers, TimeSpan elapsed)
    {
        var perWorker = traffic.Instances.Where(instance => instance.Key.StartsWith($"{run}:worker-", StringComparison.Ordinal)).Select(instance => instance.Value).ToList();
        Assert.Equal(workers, perWorker.Count);
        output.WriteLine(
            $"{workers} workers in {elapsed.TotalSeconds:F1} s; {elapsed.TotalMilliseconds / workers:F1} ms, at most {perWorker.Max(w => w.Events)} events and "
            + $"{perWorker.Max(w => w.HistoryBytes):N0} bytes of history, {perWorker.Average(w => w.WorkItems):F1} replays a worker; "
            + $"the run's own history has {traffic.Instances[run].Events} events and {traffic.Instances[run].HistoryBytes:N0} bytes");
        foreach (var (type, bytes) in traffic.LargestPayloads.OrderByDescending(payload => payload.Value))
            output.WriteLine($"largest {type.Name}: {bytes:N0} bytes");
    }
}
