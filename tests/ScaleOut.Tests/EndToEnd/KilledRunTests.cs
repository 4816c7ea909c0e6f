using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// The program dies on its way, or its disk is full, and the run ends all the same. Where an account outlives it, the run's container does
/// not stay there.
/// </summary>
public sealed class KilledRunTests(ITestOutputHelper output)
{
    private static readonly string[] BeforeTheLoad = ["spec.json", "prepared.json", "ready/0001", "start.json"];

    /// <summary>
    /// A run is killed as soon as each of these is there. The load takes seconds from <c>start.json</c> on, so up to it no kill can come
    /// too late, however slow the machine; that a run may die at any later step is proved without processes.
    /// </summary>
    private static readonly string[] Steps =
    [
        .. BeforeTheLoad, "legs/0000/000001/result.json", "ending.json", "report.json", "report.csv", "report.md", "container-gone",
    ];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Run_KilledAtEveryStep_IsCompleteAtLast()
    {
        const string plan =
            """
            {
              "id": "killed", "documents": 800, "workers": 2, "legDuration": "00:00:01",
              "client": { "rate": 300 }, "container": { "throughput": 400000 }
            }
            """;
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), plan, Encoding.UTF8, Cancellation);
        string[] arguments = ["run", "plan.json", .. Target(account)];
        List<string> hit = [];
        foreach (var (step, index) in Steps.Select((step, index) => (step, index)))
        {
            using var program = DevBoxProcess.Start(folder.Path, arguments, Key(account));
            if (await KillAtAsync(program, folder.Path, step, withWorkers: index % 2 == 0))
                hit.Add(step);
            arguments = ["resume", "killed"];
        }

        output.WriteLine($"killed at: {string.Join(", ", hit)}");
        Assert.Empty(BeforeTheLoad.Except(hit));

        using var last = await DevBoxProcess.RunAsync(folder.Path, arguments, Key(account));
        var again = await DevBoxCommand.RunAsync(folder.Path, arguments, Key(account));

        // The last kill may have come when all was done.
        Assert.True(last.ExitCode == 0 || last.Errors.Contains("has ended", StringComparison.Ordinal), last.Output + last.Errors);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("run 'killed' has ended", again.Errors, StringComparison.Ordinal);
        AssertComplete(folder.Path, "killed", 800, ContainerOf(account, "killed"));
    }

    [Fact]
    public async Task Run_ReportCannotBeWritten_GoesOnWhenItCan()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        using var folder = new TemporaryFolder();
        using var full = DevBoxProcess.Start(
            folder.Path,
            ["--documents", "500", "--workers", "1", "--id", "full", "--latency", "none"],
            mostKilobytesOfAFile: KilobytesWithoutThePage);
        await full.WaitAsync();
        var left = Directory.EnumerateFiles(Path.Combine(folder.Path, "runs", "full"), "*.tmp-*", SearchOption.AllDirectories).ToList();

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "full"]);

        Assert.Equal(1, full.ExitCode);
        Assert.Contains("go on with: resume full", full.Errors, StringComparison.Ordinal);
        Assert.Contains("waits for 10 minutes", full.Errors, StringComparison.Ordinal);
        Assert.Empty(left);
        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Contains("the account's ledger agrees", resumed.Output, StringComparison.Ordinal);
        AssertComplete(folder.Path, "full", 500, new FinishedRun(Path.Combine(folder.Path, "runs"), "full").Container);
    }

    /// <summary>The run's own account has ended with its documents, and only the mark of the end is missing or damaged.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_EndCannotBeNotedAndItsOwnAccountIsGone_GoesOnWhenItCan(bool hasLedger)
    {
        using var folder = new TemporaryFolder();
        var atTheMarksPlace = Path.Combine(folder.Path, "runs", "noted", "ended.json");
        Directory.CreateDirectory(atTheMarksPlace);
        using var run = await DevBoxProcess.RunAsync(
            folder.Path, ["run", "--documents", "200", "--workers", "1", "--id", "noted", "--latency", "none"]);
        var report = await File.ReadAllBytesAsync(Path.Combine(folder.Path, "runs", "noted", "report.json"), Cancellation);
        Assert.Null(RunProcesses.Account(folder.Path, "noted"));
        Directory.Delete(atTheMarksPlace);
        if (hasLedger)
            await File.WriteAllTextAsync(atTheMarksPlace, "{", Cancellation);
        else
            File.Delete(Path.Combine(folder.Path, "runs", "noted", "ledger.json"));

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "noted"]);

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("go on with: resume noted", run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("waits for", run.Errors, StringComparison.Ordinal);
        Assert.True(resumed.ExitCode == (hasLedger ? 0 : 1), resumed.Output + resumed.Errors);
        Assert.Contains(
            hasLedger ? "the account's ledger agrees" : "not compared with the account's ledger: noted/ledger.json is missing",
            resumed.Output,
            StringComparison.Ordinal);
        Assert.Equal(report, await File.ReadAllBytesAsync(Path.Combine(folder.Path, "runs", "noted", "report.json"), Cancellation));
        Assert.Equal(hasLedger, resumed.Errors.Contains("noted/ended.json is damaged", StringComparison.Ordinal));
        if (!hasLedger)
            return;
        AssertComplete(folder.Path, "noted", 200, new FinishedRun(Path.Combine(folder.Path, "runs"), "noted").Container);
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "runs", "noted", "ending.json"), "{", Cancellation);
        using var ended = await DevBoxProcess.RunAsync(folder.Path, ["resume", "noted"]);
        Assert.Equal(2, ended.ExitCode);
        Assert.Contains("error: run 'noted' has ended", ended.Errors, StringComparison.Ordinal);
        Assert.Contains("error: noted/ending.json is damaged", ended.Errors, StringComparison.Ordinal);
    }

    /// <summary>Else it would be resumed on simulated accounts.</summary>
    [Fact]
    public async Task Experiment_KilledWhenItIsClaimed_KnowsItsAccount()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(
            Path.Combine(folder.Path, "plan.json"),
            """{"id":"claimed","base":{"documents":100000},"variants":[{"name":"a","change":{}}],"repeats":1}""",
            Encoding.UTF8,
            Cancellation);
        using var program = DevBoxProcess.Start(folder.Path, ["experiment", "plan.json", .. Target(account)], Key(account));
        var claimed = Path.Combine(folder.Path, "runs", "claimed");
        while (!File.Exists(Path.Combine(claimed, "experiment.json")) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        Signals.Send(program.Id, Signals.Kill);
        await program.WaitAsync();

        Assert.True(File.Exists(Path.Combine(claimed, "experiment.json")), program.Output + program.Errors);
        Assert.Contains(
            account.HttpsEndpoint.ToString(),
            await File.ReadAllTextAsync(Path.Combine(claimed, "account.json"), Cancellation),
            StringComparison.Ordinal);
    }

    /// <summary>Kills the program, and its workers at the same instant or not, when an item is there.</summary>
    /// <returns>Whether the program had made that item, and was still there to be killed.</returns>
    private static async Task<bool> KillAtAsync(DevBoxProcess program, string folder, string item, bool withWorkers)
    {
        var path = Path.Combine(folder, "runs", "killed", item);
        var wasThere = File.Exists(path);
        while (!File.Exists(path) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        var workers = RunProcesses.Workers(folder, "killed").Values;
        Signals.Send(program.Id, Signals.Kill);
        if (withWorkers)
        {
            foreach (var worker in workers)
                Signals.Send(worker, Signals.Kill);
        }

        await program.WaitAsync();
        await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        return !wasThere && program.ExitCode == 128 + Signals.Kill;
    }
}
