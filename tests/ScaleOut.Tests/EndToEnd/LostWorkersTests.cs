namespace ScaleOut.Tests.EndToEnd;

/// <summary>Worker processes that are killed cost at most their leg.</summary>
public class LostWorkersTests
{
    private const string Plan =
        """
        {
          "id": "killed", "documents": 6000, "workers": 3, "legDuration": "00:00:01",
          "simulation": { "latency": "cross-region" }, "container": { "throughput": 1000000 }
        }
        """;

    private const int Kills = 6;

    [Fact]
    public async Task Run_WorkersKilledAtRandomInstants_EveryDocumentOnce()
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), Plan, Encoding.UTF8, cancellation);
        using var run = DevBoxProcess.Start(folder.Path, ["run", "plan.json"]);
        var runs = Path.Combine(folder.Path, "runs");

        var begun = await KillAsync(run, runs, new Random(4711));
        await run.WaitAsync();

        var finished = new FinishedRun(runs, "killed");
        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Equal(RunState.Complete, finished.Report.State);
        Assert.Equal(6_000, finished.Report.Documents.Verified);
        Assert.Equal(6_000, finished.Container.Documents.Created);
        Assert.Equal(6_000, finished.Report.Documents.Inserted + finished.Report.Documents.AlreadyPresent);
        Assert.True(begun > 0, "no kill hit a worker in a leg");
        Assert.InRange(finished.Report.LostLegs, 1, Kills);
        const string Compared = "the account's ledger agrees: documents counted are equal; legs or responses were lost, ";
        Assert.Contains(Compared, run.Output, StringComparison.Ordinal);
    }

    /// <summary>Kills workers that are in a leg; returns how many legs were begun when their worker was killed.</summary>
    private static async Task<int> KillAsync(DevBoxProcess run, string runs, Random random)
    {
        var hit = 0;
        var start = Path.Combine(runs, "killed", "start.json");
        await Until.HoldsAsync(() => File.Exists(start) || run.HasExited, "the common start");
        for (var kill = 0; kill < Kills && !run.HasExited; kill++)
        {
            await Task.Delay(random.Next(100, 700), TestContext.Current.CancellationToken);
            var workers = RunProcesses.Workers(Path.GetDirectoryName(runs)!, "killed");
            if (workers.Count == 0)
                continue;
            var (worker, process) = workers.ElementAt(random.Next(workers.Count));
            var legs = new FolderRunStore(runs).ListAsync(
                "killed", $"legs/{worker.ToString("D4", CultureInfo.InvariantCulture)}/", TestContext.Current.CancellationToken);
            hit += Signals.Send(process, Signals.Kill) && (await legs).Count > 0 ? 1 : 0;
        }

        return hit;
    }
}
