namespace ScaleOut.Tests.EndToEnd;

public partial class ExperimentTests : ProgramInFolder
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

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_KilledInItsSecondRun_GoesOnWithTheSameCommand()
    {
        await WriteAsync("plan.json", Plan);
        string[] command = ["experiment", "plan.json", "--id", "modes", "--scale", "0.01"];
        using (var killed = Start(command))
        {
            await Until.HoldsAsync(() => killed.HasExited || RunProcesses.Workers(Folder, "modes-v02-r01").Count == 1, "the second run");
            Assert.False(killed.HasExited, killed.Errors);
            await SignalAsync(killed, Signals.Kill);
        }

        var first = File.GetLastWriteTimeUtc(In("runs", "modes-v01-r01", "report.json"));
        var left = RunProcesses.Account(Folder, "modes-v02-r01");
        var other = await CommandAsync("experiment", "plan.json", "--id", "modes");
        AssertRejected(other, "--id: there is another experiment 'modes' already");

        using var again = await RunAsync(command);

        AssertEnded(again);
        Assert.Contains("measured before", again.Output, StringComparison.Ordinal);
        Assert.Equal(first, File.GetLastWriteTimeUtc(In("runs", "modes-v01-r01", "report.json")));
        var report = Read("modes");
        Assert.Equal(ExperimentState.Complete, report.State);
        Assert.Equal([RunState.Complete, RunState.Complete, null], report.Variants.Select(variant => variant.Runs[0].State));
        Assert.All(report.Variants.Take(2), variant => Assert.Equal(400, variant.Runs[0].Documents!.Verified));
        Assert.Contains("it needs 1000 cores per worker", report.Variants[2].NotMeasured, StringComparison.Ordinal);
        Assert.All(["report.html", "report.md", "report.csv"], name => Assert.True(File.Exists(In("runs", "modes", name)), name));
        await Until.HoldsAsync(() => left is not { } account || !Signals.Lives(account), "the end of the account that was left");

        AssertRejected(await CommandAsync("resume", "modes"), "experiment 'modes' has ended");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_OfTheConsoleIsStoppedOverHttp_StopsItsRunAndBeginsNoOther()
    {
        await WriteAsync(
            "plan.json",
            """
            {
              "base": { "documents": 10000000, "workers": 1, "client": { "rate": 50 }, "simulation": { "latency": "none" } },
              "variants": [ { "name": "first" }, { "name": "second", "change": { "client": { "connectionMode": "Gateway" } } } ],
              "repeats": 1, "interleaved": false
            }
            """);
        using var console = Start("experiment", "plan.json", "--id", "long");
        await Until.HoldsAsync(() => console.HasExited || File.Exists(In("runs", "long-v01-r01", "start.json")), "the first run's start");
        Assert.False(console.HasExited, console.Errors);
        using var server = await ServeProcess.StartAsync("--out", Runs);
        using var http = server.Client();

        using var stopped = await http.PostAsync("api/experiments/long/stop", content: null, Cancellation);
        await console.WaitAsync();
        using var late = await http.PostAsync("api/experiments/long/stop", content: null, Cancellation);

        Assert.Equal((HttpStatusCode.Accepted, HttpStatusCode.Conflict), (stopped.StatusCode, late.StatusCode));
        AssertEnded(console, exitCode: 130);
        Assert.Equal(RunState.Stopped, Finished("long-v01-r01").Report.State);
        Assert.Equal(ExperimentState.Stopped, Read("long").State);
        Assert.False(Directory.Exists(In("runs", "long-v02-r01", "legs")));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_InterruptedAndThenOneOfItsRunsIncomplete_IsResumedEachTimeForWhatIsMissing()
    {
        await WriteAsync("plan.json", Plan);
        using (var stopped = Start("experiment", "plan.json", "--id", "stop", "--scale", "0.01"))
        {
            await Until.HoldsAsync(() => stopped.HasExited || RunProcesses.Workers(Folder, "stop-v01-r01").Count == 1, "the first run");
            await SignalAsync(stopped, Signals.Interrupt);
            AssertEnded(stopped, exitCode: 130);
            Assert.Contains("resume stop", stopped.Output, StringComparison.Ordinal);
            Assert.Equal(ExperimentState.Stopped, Read("stop").State);
        }

        using var resumed = await RunAsync("resume", "stop", "--json", "report.json");

        AssertEnded(resumed);
        var report = ExperimentForms.Kind.Read(await File.ReadAllBytesAsync(In("report.json"), Cancellation));
        Assert.Equal((ExperimentState.Complete, 0.01), (report.State, report.Scale));

        await MakeIncompleteAsync("stop-v02-r01/report.json", "stop-v02-r01/ended.json", "stop/experiment-status.json");
        DateTime WrittenAt(string id) => File.GetLastWriteTimeUtc(In("runs", id, "report.json"));
        var (kept, former) = (WrittenAt("stop-v01-r01"), WrittenAt("stop-v02-r01"));

        using var again = await RunAsync("resume", "stop");

        AssertEnded(again);
        Assert.Equal((kept, true), (WrittenAt("stop-v01-r01"), WrittenAt("stop-v02-r01") > former));
        Assert.Equal(ExperimentState.Complete, Read("stop").State);
    }

    /// <summary>The path of the file begins at the spec's folder, and what has ended needs no file.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_RowsOfAFileBesideTheSpec_AreWrittenAndNotNeededAfterwards()
    {
        Directory.CreateDirectory(In("plans"));
        await WriteAsync(In("plans", "rows.csv"), "airport,n\nZRH,1\nATL,2\n");
        await WriteAsync(
            In("plans", "rows.json"),
            """
            {
              "base": {
                "documents": 10, "workers": 1, "simulation": { "latency": "none" },
                "document": { "kind": "csv", "csv": "rows.csv", "keyColumn": "airport" }
              },
              "variants": [ { "name": "a" } ], "repeats": 1
            }
            """);
        string[] command = ["experiment", Path.Combine("plans", "rows.json"), "--id", "rows"];
        using var program = await RunAsync(command);

        AssertEnded(program);
        Assert.Equal(10, Read("rows").Variants[0].Runs[0].Documents!.Verified);
        AssertRejected(await CommandAsync(command), "experiment 'rows' has ended");
        File.Delete(In("plans", "rows.csv"));
        AssertRejected(await CommandAsync("resume", "rows"), "experiment 'rows' has ended");
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Experiment_OtherAccount_IsNamedWithEachRun()
    {
        await using var account = await KilledRuns.StartAccountAsync();
        await WriteAsync(
            "plan.json",
            """
            {"base":{"documents":10,"workers":1,"client":{"connectionMode":"Gateway"}},"variants":[{"name":"a","change":{}}],"repeats":1}
            """);
        using var program = await RunAsync(["experiment", "plan.json", .. KilledRuns.Target(account)], KilledRuns.Key(account));

        Assert.Matches(@"(?m)^run .*: 10 documents, .*, 127\.0\.0\.1$", program.Output);
        Assert.DoesNotMatch(@"(?m)^run .*simulated account", program.Output);
        // The account says what it is.
        Assert.Contains("Simulated: ", program.Output, StringComparison.Ordinal);
    }

    /// <summary>The waits must be measured. A busy machine may keep them from being judged.</summary>
    [Fact]
    public async Task Experiment_OverTheBudgetAndOnMoreDocuments_MeasuresWaitsAndCharges()
    {
        var reading = ExperimentSpecReader.Read(
            """
            {
              "id": "kinds", "base": {
                "documents": 40, "workers": 1, "simulation": { "latency": "none" }, "container": { "throughput": 6000 },
                "document": { "kind": "template", "template": { "id": "{{id}}", "pk": "{{key}}", "grp": "{{pick:a,b,c,d}}" } },
                "workload": { "kind": "query", "query": { "text": "SELECT * FROM c WHERE c.grp = 'a'" } }
              },
              "variants": [
                { "name": "few", "change": { "workload": { "preload": 100 } } },
                { "name": "many", "change": { "workload": { "preload": 800 } } },
                {
                  "name": "writes",
                  "change": { "documents": 300, "workload": { "kind": "insert", "query": null }, "container": { "throughput": 400 } }
                }
              ],
              "repeats": 1,
              "findings": [
                { "kind": "queryCostGrows", "variants": ["few", "many"] }, { "kind": "waitsAfterThrottling", "variants": ["writes"] }
              ]
            }
            """,
            RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        using var experiment = new InProcessExperiment(atOnce: 3);

        var growth = (await experiment.RunAsync(reading.Value!)).Findings[0];

        Assert.True(growth is { Effect: > 1, Origin: FindingOrigin.Assumed }, growth.Sentence);
        Assert.InRange(growth.MeasuredOverPredicted!.Value, 0.9, 1.1);
        var requests = RequestsOf("kinds-v03-r01");
        Assert.True(requests is { Throttled: > 0, ThrottledWaitShare: > 0 and <= 1 }, $"{requests}");
        Assert.Equal(0, RequestsOf("kinds-v01-r01").ThrottledWaitShare);

        ReportedRequests RequestsOf(string run) => new FinishedRun(experiment.Folder, run).Report.Requests;
    }

    [Fact]
    public async Task Validate_Experiment_SaysWhatItTakes()
    {
        await WriteAsync("plan.json", Plan);
        var program = await CommandAsync("validate", "plan.json");
        AssertEnded(program);
        Assert.Contains("valid: experiment: 3 variants, 1 repeat each, 1 finding", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Experiment_ErrorsInSeveralPlaces_AllAtOnce()
    {
        await WriteAsync(
            "plan.json",
            """
            {
              "base": { "documents": 0 },
              "variants": [ { "name": "a", "change": { "wrkers": 3 } } ],
              "findings": [ { "kind": "bulky" } ]
            }
            """);
        var program = await CommandAsync(
            "experiment", "plan.json", "--scale", "2", "--repeats", "no", "--json", "no/such/folder/x", "--account", "nowhere");

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
    [InlineData("run.json: this is the spec of a run, not of an experiment; run it with: devbox run run.json", "experiment", "run.json")]
    [InlineData("a folder, not a spec file", "experiment", ".")]
    [InlineData("The argument 'experiment.json' is missing", "experiment")]
    [InlineData("--workers: only for the spec of a run", "validate", "plan.json", "--workers", "3")]
    [InlineData("there is no run 'nothing'", "resume", "nothing")]
    public async Task Experiment_InvalidArgument_SaysWhich(string message, params string[] arguments)
    {
        await WriteAsync("plan.json", Plan);
        await WriteAsync("run.json", """{"documents":0}""");
        AssertRejected(await CommandAsync(arguments), message);
    }

    [GeneratedRegex("\"state\": ?\"complete\"")]
    private static partial Regex StateComplete();

    /// <summary>Changes the state in these items from complete to incomplete.</summary>
    private async Task MakeIncompleteAsync(params string[] items)
    {
        foreach (var item in items)
        {
            var file = In("runs", item);
            var content = await File.ReadAllBytesAsync(file, Cancellation);
            StoredItem.Check(item, content);
            var text = Encoding.UTF8.GetString(content);
            Assert.Matches(StateComplete(), text);
            var changed = StateComplete().Replace(text, "\"state\":\"incomplete\"");
            await File.WriteAllBytesAsync(file, ItemText.WithRightChecksum(changed), Cancellation);
        }
    }

    private ExperimentReport Read(string id) => ExperimentForms.Kind.Read(File.ReadAllBytes(In("runs", id, "report.json")));
}
