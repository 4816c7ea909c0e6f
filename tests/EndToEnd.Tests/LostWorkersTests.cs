namespace ScaleOut.Tests.EndToEnd;

/// <summary>Worker processes that are killed cost at most their leg.</summary>
public sealed class LostWorkersTests : ProgramInFolder
{
    private const string Plan =
        """
        {
          "id": "killed", "documents": 3000, "workers": 3, "legDuration": "00:00:01",
          "simulation": { "latency": "cross-region" }, "container": { "throughput": 1000000 }
        }
        """;

    private const int Kills = 6;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_WorkersKilledAtRandomInstants_WritesEachDocumentOnce()
    {
        await WriteAsync("plan.json", Plan);
        using var run = Start("run", "plan.json");

        var hits = await KillAsync(run, new Random(4711));
        await run.WaitAsync();

        AssertEnded(run);
        var (report, created) = (Finished("killed").Report, Finished("killed").Container.Documents.Created);
        Assert.Equal((RunState.Complete, 3_000, 3_000), (report.State, report.Documents.Verified, created));
        Assert.Equal(3_000, report.Documents.Inserted + report.Documents.AlreadyPresent);
        Assert.True(hits > 0, "no kill hit a worker in a leg");
        Assert.InRange(report.LostLegs, 1, Kills);
        const string Compared = "the account's ledger agrees: documents counted are equal; legs or responses were lost, ";
        Assert.Contains(Compared, run.Output, StringComparison.Ordinal);
    }

    /// <summary>An action that was cut is done again as a whole. Each writes one document besides the 500 that are read.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_WorkersKilledInActions_WritesTheDocumentsOfEachActionOnce()
    {
        await WriteAsync("plan.json", Plan.Replace(
            "\"workers\": 3", """ "workers": 3, "workload": { "action": ["read", "insert", "patch"], "preload": 500 } """,
            StringComparison.Ordinal));
        using var run = Start("run", "plan.json");

        var hits = await KillAsync(run, new Random(4711));
        await run.WaitAsync();

        AssertEnded(run);
        var (report, created) = (Finished("killed").Report, Finished("killed").Container.Documents.Created);
        Assert.Equal((RunState.Complete, 3_000, 3_500), (report.State, report.Documents.Verified, created));
        Assert.Equal((3_000, 0), (report.Documents.Inserted + report.Documents.AlreadyPresent, report.Documents.Failed));
        Assert.All(report.Kinds, step => Assert.Equal(3_000, step.Counts.Done));
        Assert.True(hits > 0, "no kill hit a worker in a leg");
        Assert.InRange(report.LostLegs, 1, Kills);
    }

    /// <summary>The frozen worker is named within seconds and ended after its silence, whatever it was doing.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_WorkerFrozenWhileItWorks_IsSaidAndItsLegIsRunAgain()
    {
        await WriteAsync("plan.json", Plan.Replace("killed", "frozen", StringComparison.Ordinal));
        using var run = Start("run", "plan.json");
        await Until.HoldsAsync(() => File.Exists(In("runs", "frozen", "start.json")) || run.HasExited, "the common start");
        var frozen = RunProcesses.Workers(Folder, "frozen")[1];

        Signals.Send(frozen, Signals.Freeze);
        await run.WaitAsync();

        AssertEnded(run);
        var report = Finished("frozen").Report;
        Assert.Equal((RunState.Complete, 3_000), (report.State, report.Documents.Verified));
        Assert.Equal(3_000, report.Documents.Inserted + report.Documents.AlreadyPresent);
        Assert.False(Signals.Lives(frozen));
        Assert.Equal(1, report.LostLegs);
        Assert.Contains("worker 1: has sent nothing for 1", run.Output, StringComparison.Ordinal);
        Assert.Contains($"worker process {frozen} was ended, because it had sent nothing for 3", run.Output, StringComparison.Ordinal);
    }

    /// <summary>Kills workers at random instants, and returns how many of them had begun a leg.</summary>
    private async Task<int> KillAsync(DevBoxProcess run, Random random)
    {
        var hits = 0;
        var start = In("runs", "killed", "start.json");
        await Until.HoldsAsync(() => File.Exists(start) || run.HasExited, "the common start");
        for (var kill = 0; kill < Kills && !run.HasExited; kill++)
        {
            await Task.Delay(random.Next(100, 700), Cancellation);
            var workers = RunProcesses.Workers(Folder, "killed");
            if (workers.Count == 0)
                continue;
            var (worker, process) = workers.ElementAt(random.Next(workers.Count));
            var legs = new FolderRunStore(Runs).ListAsync("killed", $"legs/{worker:D4}/", Cancellation);
            hits += Signals.Send(process, Signals.Kill) && (await legs).Count > 0 ? 1 : 0;
        }

        return hits;
    }
}
