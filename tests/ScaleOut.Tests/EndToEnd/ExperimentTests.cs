using ScaleOut.Tests.DevBox.Serving;

namespace ScaleOut.Tests.EndToEnd;

public partial class ExperimentTests
{
    private const string Plan =
        """
        {
          "base": { "documents": 40000, "workers": 1, "container": { "throughput": 100000 }, "simulation": { "latency": "none" } },
          "variants": [
            { "name": "direct" },
            { "name": "gateway", "change": { "client": { "connectionMode": "Gateway" } } },
            { "name": "too large", "change": { "client": { "cores": 1000 } } }
          ],
          "repeats": 1, "interleaved": false,
          "findings": [ { "kind": "directBeatsGateway", "variants": ["gateway", "direct"] } ]
        }
        """;

    [Fact]
    public async Task Experiment_KilledInItsSecondRun_GoesOnWithTheSameCommand()
    {
        using var folder = await FolderAsync(Plan);
        string[] command = ["experiment", "plan.json", "--id", "modes", "--scale", "0.01"];
        var runs = Path.Combine(folder.Path, "runs");
        using (var killed = DevBoxProcess.Start(folder.Path, command))
        {
            await Until.HoldsAsync(
                () => killed.HasExited || RunProcesses.Workers(folder.Path, "modes-v02-r01").Count == 1, "the second run");
            Assert.False(killed.HasExited, killed.Errors);
            Signals.Send(killed.Id, Signals.Kill);
            await killed.WaitAsync();
        }

        var first = File.GetLastWriteTimeUtc(Path.Combine(runs, "modes-v01-r01", "report.json"));
        var left = RunProcesses.Account(folder.Path, "modes-v02-r01");
        var other = await DevBoxCommand.RunAsync(folder.Path, ["experiment", "plan.json", "--id", "modes"]);
        Assert.Equal(2, other.ExitCode);
        Assert.Contains("--id: there is another experiment 'modes' already", other.Errors, StringComparison.Ordinal);

        using var again = await DevBoxProcess.RunAsync(folder.Path, command);

        Assert.True(again.ExitCode == 0, again.Output + again.Errors);
        Assert.Contains("measured before", again.Output, StringComparison.Ordinal);
        Assert.Equal(first, File.GetLastWriteTimeUtc(Path.Combine(runs, "modes-v01-r01", "report.json")));
        var report = Read(runs, "modes");
        Assert.Equal(ExperimentState.Complete, report.State);
        Assert.Equal([RunState.Complete, RunState.Complete, null], report.Variants.Select(variant => variant.Runs[0].State));
        Assert.All(report.Variants.Take(2), variant => Assert.Equal(400, variant.Runs[0].Documents!.Verified));
        Assert.Contains("it needs 1000 cores per worker", report.Variants[2].NotMeasured, StringComparison.Ordinal);
        Assert.All(["report.html", "report.md", "report.csv"], name => Assert.True(File.Exists(Path.Combine(runs, "modes", name)), name));
        await Until.HoldsAsync(() => left is not { } account || !Signals.Lives(account), "the end of the account that was left");

        var resumed = await DevBoxCommand.RunAsync(folder.Path, ["resume", "modes"]);
        Assert.Equal(2, resumed.ExitCode);
        Assert.Contains("experiment 'modes' has ended", resumed.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_OfTheConsoleIsStoppedOverHttp_StopsItsRunAndBeginsNoOther()
    {
        using var folder = await FolderAsync(
            """
            {
              "base": { "documents": 10000000, "workers": 1, "client": { "rate": 50 }, "simulation": { "latency": "none" } },
              "variants": [ { "name": "first" }, { "name": "second", "change": { "client": { "connectionMode": "Gateway" } } } ],
              "repeats": 1, "interleaved": false
            }
            """);
        var runs = Path.Combine(folder.Path, "runs");
        using var console = DevBoxProcess.Start(folder.Path, ["experiment", "plan.json", "--id", "long"]);
        await Until.HoldsAsync(
            () => console.HasExited || File.Exists(Path.Combine(runs, "long-v01-r01", "start.json")), "the first run's start");
        Assert.False(console.HasExited, console.Errors);
        using var server = await ServeProcess.StartAsync("--out", runs);
        using var http = server.Client();

        using var stopped = await http.PostAsync("api/experiments/long/stop", content: null, TestContext.Current.CancellationToken);
        await console.WaitAsync();
        using var late = await http.PostAsync("api/experiments/long/stop", content: null, TestContext.Current.CancellationToken);

        Assert.Equal((HttpStatusCode.Accepted, HttpStatusCode.Conflict), (stopped.StatusCode, late.StatusCode));
        Assert.True(console.ExitCode == 130, console.Output + console.Errors);
        Assert.Equal(RunState.Stopped, new FinishedRun(runs, "long-v01-r01").Report.State);
        Assert.Equal(ExperimentState.Stopped, Read(runs, "long").State);
        Assert.False(Directory.Exists(Path.Combine(runs, "long-v02-r01", "legs")));
    }

    [Fact]
    public async Task Experiment_InterruptedAndThenOneOfItsRunsIncomplete_IsResumedEachTimeForWhatIsMissing()
    {
        using var folder = await FolderAsync(Plan);
        var runs = Path.Combine(folder.Path, "runs");
        using (var stopped = DevBoxProcess.Start(folder.Path, ["experiment", "plan.json", "--id", "stop", "--scale", "0.01"]))
        {
            await Until.HoldsAsync(
                () => stopped.HasExited || RunProcesses.Workers(folder.Path, "stop-v01-r01").Count == 1, "the first run");
            Signals.Send(stopped.Id, Signals.Interrupt);
            await stopped.WaitAsync();
            Assert.True(stopped.ExitCode == 130, stopped.Output + stopped.Errors);
            Assert.Contains("resume stop", stopped.Output, StringComparison.Ordinal);
            Assert.Equal(ExperimentState.Stopped, Read(runs, "stop").State);
        }

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "stop", "--json", "report.json"]);

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        var report = ExperimentForms.Kind.Read(
            await File.ReadAllBytesAsync(Path.Combine(folder.Path, "report.json"), TestContext.Current.CancellationToken));
        Assert.Equal((ExperimentState.Complete, 0.01), (report.State, report.Scale));

        await MakeIncompleteAsync(runs, "stop-v02-r01/report.json", "stop-v02-r01/ended.json", "stop/experiment-status.json");
        DateTime WrittenAt(string id) => File.GetLastWriteTimeUtc(Path.Combine(runs, id, "report.json"));
        var (kept, former) = (WrittenAt("stop-v01-r01"), WrittenAt("stop-v02-r01"));

        using var again = await DevBoxProcess.RunAsync(folder.Path, ["resume", "stop"]);

        Assert.True(again.ExitCode == 0, again.Output + again.Errors);
        Assert.Equal((kept, true), (WrittenAt("stop-v01-r01"), WrittenAt("stop-v02-r01") > former));
        Assert.Equal(ExperimentState.Complete, Read(runs, "stop").State);
    }

    [Fact]
    public async Task Experiment_OtherAccount_IsNamedWithEachRun()
    {
        await using var account = await KilledRuns.StartAccountAsync();
        using var folder = await FolderAsync(
            """
            {"base":{"documents":10,"workers":1,"client":{"connectionMode":"Gateway"}},"variants":[{"name":"a","change":{}}],"repeats":1}
            """);
        using var program = await DevBoxProcess.RunAsync(
            folder.Path, ["experiment", "plan.json", .. KilledRuns.Target(account)], KilledRuns.Key(account));

        Assert.Matches(@"(?m)^run .*: 10 documents, .*, 127\.0\.0\.1$", program.Output);
        Assert.DoesNotContain("simulated account", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Validate_Experiment_SaysWhatItTakes()
    {
        using var folder = await FolderAsync(Plan);
        var program = await DevBoxCommand.RunAsync(folder.Path, ["validate", "plan.json"]);

        Assert.True(program.ExitCode == 0, program.Errors);
        Assert.Contains("valid: experiment: 3 variants, 1 repeat each, 1 finding", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_ErrorsInSeveralPlaces_AllAtOnce()
    {
        using var folder = await FolderAsync(
            """
            {
              "base": { "documents": 0 },
              "variants": [ { "name": "a", "change": { "wrkers": 3 } } ],
              "findings": [ { "kind": "bulky" } ]
            }
            """);
        var program = await DevBoxCommand.RunAsync(
            folder.Path,
            [
                "experiment", "plan.json", "--scale", "2", "--repeats", "no",
                "--json", "no/such/folder/x", "--account", "nowhere",
            ]);

        AssertRejected(program,
            "plan.json: base.documents: 0 is out of range",
            "plan.json: variants[0].change.wrkers: unknown field; did you mean 'workers'?",
            "plan.json: findings[0].kind: \"bulky\" is not one of",
            "scale: 2 is out of range",
            "repeats: \"no\" is not a whole number (given as --repeats)",
            "--json: there is no folder",
            "--account: not an endpoint");
    }

    [Theory]
    [InlineData("there is no such spec file", "experiment", "none.json")]
    [InlineData("run.json: this is the spec of a run, not of an experiment; run it with: run run.json", "experiment", "run.json")]
    [InlineData("a folder, not a spec file", "experiment", ".")]
    [InlineData("The argument 'experiment.json' is missing", "experiment")]
    [InlineData("--workers: only for the spec of a run", "validate", "plan.json", "--workers", "3")]
    [InlineData("there is no run 'nothing'", "resume", "nothing")]
    public async Task Experiment_InvalidArgument_SaysWhich(string message, params string[] arguments)
    {
        using var folder = await FolderAsync(Plan);
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "run.json"), """{"documents":0}""", TestContext.Current.CancellationToken);
        var program = await DevBoxCommand.RunAsync(folder.Path, arguments);

        AssertRejected(program, message);
    }

    [GeneratedRegex("\"state\": ?\"complete\"")]
    private static partial Regex StateComplete();

    /// <summary>Writes into these items that their run or experiment is not complete.</summary>
    private static async Task MakeIncompleteAsync(string runs, params string[] items)
    {
        foreach (var item in items)
        {
            var file = Path.Combine(runs, item);
            var content = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);
            var text = Encoding.UTF8.GetString(StoredItem.Open(item, content));
            Assert.Matches(StateComplete(), text);
            var changed = JsonNode.Parse(StateComplete().Replace(text, "\"state\":\"incomplete\""));
            await File.WriteAllBytesAsync(file, StoredItem.Write(item, changed), TestContext.Current.CancellationToken);
        }
    }

    private static void AssertRejected(CommandResponse program, params string[] messages)
    {
        Assert.True(program.ExitCode == 2, program.Output + program.Errors);
        Assert.All(messages, message => Assert.Contains(message, program.Errors, StringComparison.Ordinal));
        Assert.DoesNotContain("   at ", program.Output + program.Errors, StringComparison.Ordinal);
    }

    private static ExperimentReport Read(string runs, string id) =>
        ExperimentForms.Kind.Read(File.ReadAllBytes(Path.Combine(runs, id, "report.json")));

    private static async Task<TemporaryFolder> FolderAsync(string plan)
    {
        var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "plan.json"), plan, TestContext.Current.CancellationToken);
        return folder;
    }
}
