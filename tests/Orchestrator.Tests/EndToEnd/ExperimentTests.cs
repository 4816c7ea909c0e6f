using Microsoft.DurableTask;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Tests.Support.Telemetry;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

[Collection(nameof(Alone))]
public sealed class ExperimentTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_TwoVariantsTwice_MeasuresThemInterleavedAsRunsOfTheirOwn()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);

        var outcome = await RunAsync(app, "ladder");

        Assert.Equal((4, 0, 0), (outcome.Runs, outcome.NotTestable, 4 - outcome.Complete - outcome.NotComplete));
        Assert.Equal(
            ["ladder-v01-r01", "ladder-v02-r01", "ladder-v02-r02", "ladder-v01-r02"], app.Legs.All.Select(leg => leg.Assignment.RunId));
        Assert.Equal([ConnectionMode.Gateway, ConnectionMode.Direct, ConnectionMode.Direct, ConnectionMode.Gateway], app.Legs.All.Select(
            leg => leg.Assignment.Client.ConnectionMode));
        Assert.Equal(4, (await app.StatusAsync("/api/runs"))["runs"]!.AsArray().Count);
        Assert.Contains("ladder", (await app.GetAsync("/api/experiments/ladder/report?format=md")).Text, StringComparison.Ordinal);
        Assert.InRange(app.Host.WorkItems.LargestPayloads["status"], 1, 2_048);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_WithTelemetry_NamesTheExperimentInTheRecordsOfItsRuns()
    {
        await using var ingestion = await Ingestion.StartAsync();
        await using var app = await TestApp.StartAsync(
            ScriptedLeg.Finish, new Dictionary<string, string?> { ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = ingestion.ConnectionString });
        // The catalog of the test is in memory. That of the app keeps the listing beside the run.
        foreach (var run in new GridPlanner(TestExperiments.Pair("told")).All)
        {
            await new RunFiles(app.Store, run.Spec.Id!).CreateListingIfAbsentAsync(
                new RunListing(run.Spec.Id!, run.Spec.Name, DateTimeOffset.UnixEpoch) { Experiment = "told" }, Cancellation);
        }

        await RunAsync(app, "told");
        while (ingestion.Records.Count(record => record.Field("name") == "RunEnded") < 4)
            await Task.Delay(20, Cancellation);

        Assert.All(
            ingestion.Records.Where(record => record.Field("name") is "RunEnded" or "run"),
            record => Assert.Equal("told", record.Dimension("experimentId")));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_ManyRuns_HistoryHoldsOneRun()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);

        await RunAsync(app, TestExperiments.Pair("one") with { Variants = [TestExperiments.Pair("one").Variants[0]], Repeats = 1 });
        var outcome = await RunAsync(app, TestExperiments.Pair("many") with { Repeats = 4 });

        Assert.Equal((8, 8), (outcome.Runs, outcome.Complete));
        var instances = app.Host.WorkItems.Instances;
        Assert.InRange(
            instances[ExperimentIds.InstanceId("many")].Events, 1, instances[ExperimentIds.InstanceId("one")].Events);
        Assert.Equal("complete", (string?)(await app.StatusAsync("/api/experiments/many"))["state"]);
    }

    /// <summary>An app of this version continues what one before it started.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_OfVersionBefore_HasTheSpecAsItsInputAndDoesNotContinueAsNew()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var spec = TestExperiments.Pair("old");
        Assert.True(await new ExperimentFiles(app.Store, "old").TryClaimAsync(spec, Cancellation));
        var id = ExperimentIds.InstanceId("old");

        await app.Host.Engine.ScheduleNewOrchestrationInstanceAsync(
            ExperimentFunctionNames.ExperimentOrchestrator,
            JsonSerializer.SerializeToNode(spec, ScaleOutJson.Compact),
            new StartOrchestrationOptions(id) { Version = "1.1" },
            Cancellation);
        var outcome = JsonSerializer.Deserialize<ExperimentOutcome>(await app.OutputOfAsync(id), ScaleOutJson.Compact)!;

        Assert.Equal((4, 4), (outcome.Runs, outcome.Complete));
        Assert.InRange(app.Host.WorkItems.Instances[id].Events, 4 * 6, int.MaxValue);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_VariantThatBindsCores_IsListedAsNotTestable()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var spec = TestExperiments.Pair("cores");
        var change = new JsonObject { ["client"] = new JsonObject { ["cores"] = 1 } };

        var outcome = await RunAsync(app, spec with { Variants = [spec.Variants[0], spec.Variants[1] with { Change = change }] });

        Assert.Equal((4, 2, 2), (outcome.Runs, outcome.NotTestable, outcome.Complete));
        Assert.Equal(["cores-v01-r01", "cores-v01-r02"], app.Legs.All.Select(leg => leg.Assignment.RunId));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_RunThatWasMeasuredBefore_IsNotMeasuredAgain()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var files = new RunFiles(app.Store, "again-v02-r01");
        await files.TryClaimAsync(
            new GridPlanner(TestExperiments.Pair("again")).All[1].Spec with { LegDuration = TimeSpan.FromMinutes(5) }, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Complete("again-v02-r01"), DateTimeOffset.UnixEpoch), Cancellation);

        await RunAsync(app, "again");

        Assert.Equal(["again-v01-r01", "again-v02-r02", "again-v01-r02"], app.Legs.All.Select(leg => leg.Assignment.RunId));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_IdInUseByAnotherRun_HasFailedAndTakesNothingFromIt()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var other = new RunFiles(app.Store, "taken-v02-r01");
        await other.TryClaimAsync(new RunSpec { Id = "taken-v02-r01" }, Cancellation);
        var claimed = await other.ReadSpecAsync(Cancellation);
        await other.WriteEndedAsync(new RunEnded(Complete("taken-v02-r01"), DateTimeOffset.UnixEpoch), Cancellation);

        var outcome = await RunAsync(app, "taken");

        Assert.Equal(["taken-v01-r01", "taken-v02-r02", "taken-v01-r02"], app.Legs.All.Select(leg => leg.Assignment.RunId));
        Assert.Equal(ExperimentState.Incomplete, outcome.State);
        var json = await new ExperimentFiles(app.Store, "taken").ReadReportAsync("report.json", Cancellation);
        var run = ExperimentForms.Kind.Read(json!).Variants[1].Runs.Single(run => run.RunId == "taken-v02-r01");
        Assert.Equal((RunState.Failed, null), (run.State, run.Figures));
        Assert.Contains("in use by another run", run.Reason, StringComparison.Ordinal);
        Assert.Equal(claimed, await other.ReadSpecAsync(Cancellation));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Stop_RunUnderWay_StopsItAndEndsTheExperiment()
    {
        TestApp? app = null;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            while (!await new RunFiles(app!.Store, leg.Assignment.RunId).IsStopRequestedAsync(Cancellation))
                await Task.Delay(20, Cancellation);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await TestExperiments.StartAsync(app, TestExperiments.Pair("halted"));
        while (app.Legs.All.Count == 0)
            await Task.Delay(20, Cancellation);

        var (stop, _) = await app.PostAsync("/api/experiments/halted/stop");
        await app.OutputOfAsync(ExperimentIds.InstanceId("halted"));

        Assert.Equal(202, (int)stop.StatusCode);
        Assert.Equal("stopped", (string?)(await app.StatusAsync("/api/experiments/halted"))["state"]);
        Assert.Single(app.Legs.All);
        Assert.Equal((409, 404), (
            (int)(await app.PostAsync("/api/experiments/halted/stop")).Response.StatusCode,
            (int)(await app.PostAsync("/api/experiments/other/stop")).Response.StatusCode));
    }

    private static RunOutcome Complete(string id) => new() { RunId = id, State = RunState.Complete, Remaining = 0 };

    private static Task<ExperimentOutcome> RunAsync(TestApp app, string id) => RunAsync(app, TestExperiments.Pair(id));

    private static async Task<ExperimentOutcome> RunAsync(TestApp app, ExperimentSpec spec)
    {
        await TestExperiments.StartAsync(app, spec);
        return JsonSerializer.Deserialize<ExperimentOutcome>(
            await app.OutputOfAsync(ExperimentIds.InstanceId(spec.Id!)), ScaleOutJson.Compact)!;
    }
}
