using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// The program is killed or its disk is full, and the resumed run ends all the same. Where an account outlives the program, the run's
/// container is deleted there.
/// </summary>
public sealed class KilledRunTests(ITestOutputHelper output) : ProgramInFolder
{
    private static readonly string[] BeforeTheLoad = ["spec.json", "prepared.json", "ready/0001", "start.json"];

    /// <summary>
    /// A run is killed as soon as each of these items exists. The load takes seconds from <c>start.json</c> on, so no kill up to it comes
    /// after the run's end, however slow the machine. On a busy machine an item may exist already, because the kill before came late.
    /// KillPointTests prove without processes that a run may die at any later step.
    /// </summary>
    private static readonly string[] Steps =
    [
        .. BeforeTheLoad, "legs/0000/000001/result.json", "ending.json", "report.json", "report.csv", "report.md", "container-gone",
    ];

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_KilledAtEveryStep_IsCompleteAtLast()
    {
        await using var account = await StartAccountAsync();
        await WriteAsync(
            "plan.json",
            """
            {
              "id": "killed", "documents": 800, "workers": 2, "legDuration": "00:00:01",
              "client": { "rate": 300 }, "container": { "throughput": 400000 }
            }
            """);
        string[] arguments = ["run", "plan.json", .. Target(account)];
        List<string> killed = [];
        foreach (var (step, index) in Steps.Select((step, index) => (step, index)))
        {
            using var program = Start(arguments, Key(account));
            if (await KillAtAsync(program, step, withWorkers: index % 2 == 0))
                killed.Add(step);
            arguments = ["resume", "killed"];
        }

        output.WriteLine($"killed at: {string.Join(", ", killed)}");
        Assert.Empty(BeforeTheLoad.Except(killed));

        using var last = await RunAsync(arguments, Key(account));
        var again = await CommandAsync(arguments, Key(account));

        // The last kill may have come after the run had ended.
        Assert.True(last.ExitCode == 0 || last.Errors.Contains("has ended", StringComparison.Ordinal), last.Output + last.Errors);
        AssertRejected(again, "run 'killed' has ended");
        AssertComplete(Folder, "killed", 800, ContainerOf(account, "killed"));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ReportCannotBeWritten_GoesOnWhenItCan()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        using var full = Start(
            ["--documents", "500", "--workers", "1", "--id", "full", "--latency", "none"], maxKilobytesOfAFile: KilobytesWithoutThePage);
        await full.WaitAsync();
        AssertEnded(full, exitCode: 1);
        Assert.Contains("go on with: devbox resume full", full.Errors, StringComparison.Ordinal);
        Assert.Contains("waits for 10 minutes", full.Errors, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFiles(In("runs", "full"), "*.tmp-*", SearchOption.AllDirectories));

        using var resumed = await RunAsync("resume", "full");

        AssertEnded(resumed);
        Assert.Contains("the account's ledger agrees", resumed.Output, StringComparison.Ordinal);
        AssertComplete(Folder, "full", 500, Finished("full").Container);
    }

    /// <summary>The run's own account has ended, and only the mark of the run's end is missing or damaged.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_EndCannotBeNotedAndItsOwnAccountIsGone_GoesOnWhenItCan(bool hasLedger)
    {
        var atTheMarksPlace = In("runs", "noted", "ended.json");
        Directory.CreateDirectory(atTheMarksPlace);
        using var run = await RunAsync("run", "--documents", "200", "--workers", "1", "--id", "noted", "--latency", "none");
        var report = await File.ReadAllBytesAsync(In("runs", "noted", "report.json"), Cancellation);
        Assert.Null(RunProcesses.Account(Folder, "noted"));
        Directory.Delete(atTheMarksPlace);
        if (hasLedger)
            await File.WriteAllTextAsync(atTheMarksPlace, "{", Cancellation);
        else
            File.Delete(In("runs", "noted", "ledger.json"));

        using var resumed = await RunAsync("resume", "noted");

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("go on with: devbox resume noted", run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("waits for", run.Errors, StringComparison.Ordinal);
        AssertEnded(resumed, hasLedger ? 0 : 1);
        var comparison = hasLedger ? "the account's ledger agrees" : "not compared with the account's ledger: noted/ledger.json is missing";
        Assert.Contains(comparison, resumed.Output, StringComparison.Ordinal);
        Assert.Equal(report, await File.ReadAllBytesAsync(In("runs", "noted", "report.json"), Cancellation));
        Assert.Equal(hasLedger, resumed.Errors.Contains("noted/ended.json is damaged", StringComparison.Ordinal));
        if (!hasLedger)
            return;
        AssertComplete(Folder, "noted", 200, Finished("noted").Container);
        await WriteAsync(In("runs", "noted", "ending.json"), "{");
        AssertRejected(
            await CommandAsync("resume", "noted"), "error: run 'noted' has ended", "error: noted/ending.json is damaged");
    }

    /// <summary>Without the account's address, the experiment would be resumed on simulated accounts.</summary>
    [Fact]
    public async Task Experiment_KilledWhenItIsClaimed_HasItsAccountsAddress()
    {
        await using var account = await StartAccountAsync();
        await WriteAsync("plan.json", """{"id":"claimed","base":{"documents":100000},"variants":[{"name":"a","change":{}}],"repeats":1}""");
        using var program = Start(["experiment", "plan.json", .. Target(account)], Key(account));
        var claimed = In("runs", "claimed");
        while (!File.Exists(Path.Combine(claimed, "experiment.json")) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        await SignalAsync(program, Signals.Kill);

        Assert.True(File.Exists(Path.Combine(claimed, "experiment.json")), program.Output + program.Errors);
        var kept = await File.ReadAllTextAsync(Path.Combine(claimed, "account.json"), Cancellation);
        Assert.Contains(account.HttpsEndpoint.ToString(), kept, StringComparison.Ordinal);
    }

    /// <summary>Kills the program as soon as an item exists, and its workers with it or not.</summary>
    /// <returns>Whether the program was still running when it was killed.</returns>
    private async Task<bool> KillAtAsync(DevBoxProcess program, string item, bool withWorkers)
    {
        var path = In("runs", "killed", item);
        while (!File.Exists(path) && !program.HasExited)
            await Task.Delay(1, Cancellation);
        var workers = RunProcesses.Workers(Folder, "killed").Values;
        Signals.Send(program.Id, Signals.Kill);
        foreach (var worker in withWorkers ? workers : [])
            Signals.Send(worker, Signals.Kill);

        await program.WaitAsync();
        await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        return program.ExitCode == 128 + Signals.Kill;
    }
}
