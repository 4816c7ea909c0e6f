using ScaleOut.Analysis.Reports.Writers;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

public sealed class FanOutTests(ITestOutputHelper output)
{
    private const int Mebibyte = 1 << 20;

    /// <summary>200 workers of 22 legs each: four groups, and every worker continues as new once.</summary>
    [Fact(Explicit = true, Timeout = FunctionsHost.MaxTestMs)]
    [Trait("Duration", "Long")]
    public async Task Run_ManyWorkersOfManyLegs_AllFinishWithinTheLimits()
    {
        const int workers = 200;
        const int legs = WorkerOrchestrator.LegsPerTurn + 2;
        await using var app = await TestApp.StartAsync(leg => ScriptedLeg.Insert(leg, 10));
        var watch = Stopwatch.StartNew();

        var outcome = await app.RunAsync(new RunSpec { Id = "wide", Documents = workers * legs * 10, Workers = workers });

        Assert.Equal((RunState.Complete, workers * legs * 10L), (outcome.State, outcome.Counts.Inserted));
        Assert.Equal(workers * legs, app.Legs.All.Count);
        AssertLimits(app.Host.WorkItems);
        Print(app.Host.WorkItems, "wide", workers, watch.Elapsed);
    }

    /// <summary>A thousand workers, each of which fails with the longest reason there is.</summary>
    [Fact(Explicit = true, Timeout = FunctionsHost.MaxTestMs)]
    [Trait("Duration", "Long")]
    public async Task Run_ThousandFailingWorkers_StaysWithinTheLimits()
    {
        const int workers = 1_000;
        var reason = LegOutput.Shorten(new string('\u4e2d', 1_000));
        await using var app = await TestApp.StartAsync(leg => ScriptedLeg.Insert(leg, 1, LegEnd.Rejected, reason));
        var watch = Stopwatch.StartNew();

        var outcome = await app.RunAsync(new RunSpec { Id = "thousand", Documents = 100_000, Workers = workers });

        Assert.Equal((RunState.Failed, 1_000L, 99_000L), (outcome.State, outcome.Counts.Inserted, outcome.Remaining));
        var report = RunForms.Kind.Read(
            (await new RunFiles(app.Store, "thousand").ReadReportAsync("report.json", TestContext.Current.CancellationToken))!);
        Assert.Equal(Enumerable.Range(0, workers), report.Workers.Select(worker => worker.Index));
        Assert.Equal(workers / GroupOrchestrator.Size, app.Host.WorkItems.Instances.Keys.Count(
            id => id.StartsWith("thousand:group-", StringComparison.Ordinal)));
        AssertLimits(app.Host.WorkItems);
        Print(app.Host.WorkItems, "thousand", workers, watch.Elapsed);
    }

    private static void AssertLimits(WorkItems traffic)
    {
        Assert.All(traffic.LargestPayloads, payload => Assert.InRange(payload.Value, 1, Mebibyte));
        Assert.InRange(traffic.LargestPayloads["RunLeg output"], 1, 2 * 1024);
        Assert.InRange(traffic.LargestPayloads["status"], 1, PayloadLimits.StatusBytes);
        Assert.False(traffic.LongHistory);
        // Every orchestration was replayed and completed. The engine fails an orchestration that deviates from its history.
        Assert.All(traffic.Instances, instance => Assert.InRange(instance.Value.WorkItems, 2, int.MaxValue));
    }

    private void Print(WorkItems traffic, string run, int workers, TimeSpan elapsed)
    {
        var perWorker = traffic.Instances.Where(instance => instance.Key.StartsWith($"{run}:worker-", StringComparison.Ordinal))
            .Select(instance => instance.Value)
            .ToList();
        Assert.Equal(workers, perWorker.Count);
        output.WriteLine(
            $"{workers} workers in {elapsed.TotalSeconds:F1} s; {elapsed.TotalMilliseconds / workers:F1} ms, "
                + $"at most {perWorker.Max(w => w.Events)} events and "
            + $"{perWorker.Max(w => w.HistoryBytes):N0} bytes of history, {perWorker.Average(w => w.WorkItems):F1} replays a worker; "
            + $"the run's own history has {traffic.Instances[run].Events} events and {traffic.Instances[run].HistoryBytes:N0} bytes");
        foreach (var (what, bytes) in traffic.LargestPayloads.OrderByDescending(payload => payload.Value))
            output.WriteLine($"largest {what}: {bytes:N0} bytes");
    }
}
