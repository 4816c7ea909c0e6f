using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Tests.Support.Telemetry;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Runs that are resumed over HTTP.</summary>
[Collection(nameof(Alone))]
public sealed class RunResumeTests
{
    private const string Id = "again";
    private const string Path = "/api/runs/again";
    private const string Second = "again:resumed-2";

    private static readonly RunSpec Spec = new() { Id = Id, Documents = 300, Workers = 2 };

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_OrchestrationsEndedByHand_GoesOnAfterTheLegsThatAreDoneAndOnlyOnce()
    {
        await using var app = await InterruptAsync();
        var before = await StateAsync(app);

        var responses = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => app.PostAsync(Path + "/resume")));
        var outcome = await app.EndOfAsync(Second);

        var accepted = Assert.Single(responses, response => (int)response.Response.StatusCode == 202);
        Assert.EndsWith(Path, accepted.Response.Headers.Location!.ToString(), StringComparison.Ordinal);
        Assert.All(responses.Where(response => response != accepted), response => Assert.Equal(409, (int)response.Response.StatusCode));
        Assert.Equal(("interrupted", "complete"), (before, await StateAsync(app)));
        Assert.Equal((RunState.Complete, 300L, 300L), (outcome.State, outcome.Counts.Inserted, outcome.Verified));
        Assert.Equal([1, 1, 2, 2, 2, 2], app.Legs.All.Select(leg => leg.Leg).Order());
        Assert.All(
            app.Legs.All.TakeLast(2), leg => Assert.Equal((50L, Second), (leg.Before.Counts.Inserted, leg.Assignment.RunInstanceId)));
        Assert.Equal(["run-again"], app.Containers.Deleted);

        // No rate includes the time between.
        var report = RunForms.Kind.Read((await Files(app).ReadReportAsync("report.json", Cancellation))!);
        Assert.Empty(report.TimeErrors);
        Assert.NotNull(Assert.Single(report.Interruptions).ResumedAt);
        Assert.Equal(2, (await Files(app).ReadBegunAsync(Cancellation)).Count);
        Assert.Contains("nothing to resume", (await ConflictAsync(app)).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_WithTelemetry_IsARequestOfItsOwnInTheOperationThatItsOrchestrationsHaveToo()
    {
        await using var ingestion = await Ingestion.StartAsync();
        await using var app = await InterruptAsync(new Dictionary<string, string?>
        {
            ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = ingestion.ConnectionString, ["MAX_RUS"] = "60000",
        });

        await app.PostAsync(Path + "/resume");
        await app.EndOfAsync(Second);
        while (ingestion.Records.All(record => record.Field("name") != "RunEnded"))
            await Task.Delay(20, Cancellation);

        var operation = RunOperation.IdOf(Id);
        Assert.Equal([Id, Second], app.Host.Starts.All.Select(start => start.InstanceId));
        Assert.All(app.Host.Starts.All, start => Assert.StartsWith(
            $"00-{operation}-", start.ParentTraceContext.TraceParent, StringComparison.Ordinal));
        var request = Assert.Single(ingestion.Records, record => record.Type == "RequestData");
        var ended = Assert.Single(ingestion.Records, record => record.Field("name") == "RunEnded");
        Assert.Equal((RunOperation.RequestIdOf(Second), operation), (request.Field("id"), request.Tag("ai.operation.id")));
        Assert.Equal((request.Field("id"), operation), (ended.Tag("ai.operation.parentId"), ended.Tag("ai.operation.id")));
        Assert.Equal(operation, (string?)(await app.StatusAsync(Path))["traceId"]);
        Assert.Matches("^[0-9a-f]{32}$", ended.Dimension("traceId"));
        Assert.Equal((Id, ended.Dimension("traceId")), (request.Dimension("runId"), request.Dimension("traceId")));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_RunThatIsUnknownOrUnderWay_IsNotPossible()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await app.StartRunAsync(Spec);

        Assert.Equal(404, (int)(await app.PostAsync("/api/runs/other/resume")).Response.StatusCode);
        Assert.Equal(405, (int)(await app.GetAsync(Path + "/resume")).Response.StatusCode);
        Assert.Contains("under-way", (await ConflictAsync(app)).Text, StringComparison.Ordinal);
        held.SetResult();
        await app.EndOfAsync(Id);
    }

    /// <summary>The stop flag that ends the former workers does not stop the resumed run.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_WorkersStillAtWork_WaitsForTheirStopAndGoesOn()
    {
        TestApp? app = null;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            if (leg.Leg > 1)
                return ScriptedLeg.Finish(leg);
            while (!await Files(app!).IsStopRequestedAsync(Cancellation))
                await Task.Delay(20, Cancellation);
            return ScriptedLeg.Insert(leg, 50, LegEnd.Stopped);
        });
        await app.StartRunAsync(Spec);
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);
        await TerminateAsync(app, Id);

        var early = await ConflictAsync(app);
        await app.PostAsync(Path + "/stop");
        foreach (var worker in new[] { 0, 1 })
            await app.Host.EndOfAsync(ChildIds.Worker(Id, worker));
        var (resumed, text) = await app.PostAsync(Path + "/resume");
        Assert.True((int)resumed.StatusCode == 202, text);
        var outcome = await app.EndOfAsync(Second);

        Assert.Contains("still at work", early.Text, StringComparison.Ordinal);
        Assert.Equal((RunState.Complete, 300L), (outcome.State, outcome.Counts.Inserted));
        Assert.Equal(4, app.Legs.All.Count);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_RunThatCouldNotStart_StartsWhenItCan()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Containers.Rejection = "no key";
        await app.RunAsync(Spec);
        var before = await app.StatusAsync(Path);
        Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        await app.EndOfAsync(Second);
        var still = (await Files(app).ReadEndedAsync(Cancellation))!.Outcome;

        app.Containers.Rejection = null;
        Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        var outcome = await app.EndOfAsync("again:resumed-3");

        Assert.Equal("failed", (string?)before["state"]);
        Assert.Equal((RunState.Failed, RunState.Complete), (still.State, outcome.State));
        Assert.Equal("complete", await StateAsync(app));
    }

    /// <summary>An interrupted run that cannot go on keeps its stop flag and all other items.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_ContainerCannotBeHad_ChangesNothingAndGoesOnLater()
    {
        await using var app = await InterruptAsync();
        await Files(app).RequestStopAsync(Cancellation);
        var kept = await KeptAsync(app);
        app.Containers.Rejection = "no key";

        Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        var failed = await app.EndOfAsync(Second);
        var status = await app.StatusAsync(Path);
        var after = await KeptAsync(app);
        app.Containers.Rejection = null;
        await app.PostAsync(Path + "/resume");
        var outcome = await app.EndOfAsync("again:resumed-3");

        Assert.Equal((true, "failed", "The run could not go on: no key"), (
            failed.NothingChanged, (string?)status["state"], (string?)status["reasons"]![0]));
        Assert.Equal(kept, after);
        Assert.Contains("stop", kept.Keys);
        Assert.Equal((RunState.Complete, 300L), (outcome.State, outcome.Counts.Inserted));
    }

    /// <summary>The run has its ending, so only the steps after that are repeated.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_ReportWithoutItsEnd_IsConcludedWithoutALeg()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        await app.RunAsync(Spec);
        var report = await Files(app).ReadReportAsync("report.json", Cancellation);
        await app.Store.DeleteAsync(Id, name => name is "ended.json" or "report.html", Cancellation);

        Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        await app.EndOfAsync(Second);

        Assert.Equal(2, app.Legs.All.Count);
        Assert.Equal(["run-again"], app.Containers.Deleted);
        Assert.Equal(report, await Files(app).ReadReportAsync("report.json", Cancellation));
        Assert.NotNull(await Files(app).ReadReportAsync("report.html", Cancellation));
        Assert.Equal("complete", await StateAsync(app));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_LegsWithoutTheirContainer_IsNotPossible()
    {
        await using var app = await InterruptAsync();
        await app.Store.DeleteAsync(Id, name => name == RunFiles.PreparedName, Cancellation);

        Assert.Contains("prepared.json is missing", (await ConflictAsync(app)).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Start_ClaimedButNotScheduled_IsQueuedAndLaterResumed()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        await Files(app).TryClaimAsync(Spec, Cancellation);
        await Files(app).TryClaimAttemptAsync(new JobAttempt(1, DateTimeOffset.UtcNow), Cancellation);
        await ConflictAsync(app);
        var state = await StateAsync(app);

        // The app was down for an hour before it could schedule the run.
        await app.Store.DeleteAsync(Id, name => name.StartsWith("attempts/", StringComparison.Ordinal), Cancellation);
        await Files(app).TryClaimAttemptAsync(new JobAttempt(1, DateTimeOffset.UtcNow.AddHours(-1)), Cancellation);
        Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        await app.EndOfAsync(Second);

        Assert.Equal(("queued", "complete"), (state, await StateAsync(app)));
    }

    /// <summary>A run of two workers, each with one leg done, whose orchestrations were ended by hand.</summary>
    private static async Task<TestApp> InterruptAsync(IReadOnlyDictionary<string, string?>? settings = null)
    {
        var (held, interrupted) = (new TaskCompletionSource(), false);
        var app = await TestApp.StartAsync(
            async leg =>
            {
                if (leg.Leg == 1)
                    return ScriptedLeg.Insert(leg, 50);
                if (!interrupted)
                {
                    await held.Task.WaitAsync(Cancellation);
                    throw new IOException("the instance is gone");
                }

                return ScriptedLeg.Finish(leg);
            },
            settings);
        await app.StartRunAsync(Spec);
        while (app.Legs.All.Count < 4)
            await Task.Delay(20, Cancellation);
        foreach (var instance in new[] { Id, ChildIds.Worker(Id, 0), ChildIds.Worker(Id, 1) })
            await TerminateAsync(app, instance);
        interrupted = true;
        held.SetResult();
        // The second in which the first legs ended has passed.
        await Task.Delay(TimeSpan.FromSeconds(2), Cancellation);
        return app;
    }

    private static async Task TerminateAsync(TestApp app, string instance)
    {
        await app.Host.Engine.TerminateInstanceAsync(instance, "ended by hand", Cancellation);
        await app.Host.EndOfAsync(instance);
    }

    private static async Task<(HttpResponseMessage Response, string Text)> ConflictAsync(TestApp app)
    {
        var response = await app.PostAsync(Path + "/resume");
        Assert.Equal(409, (int)response.Response.StatusCode);
        return response;
    }

    /// <summary>All items of the run except the one with its last attempt.</summary>
    private static async Task<SortedDictionary<string, string>> KeptAsync(TestApp app)
    {
        var items = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var name in await app.Store.ListAsync(Id, "", Cancellation))
        {
            if (name != "resumption.json" && !name.StartsWith("attempts/", StringComparison.Ordinal))
                items[name] = Convert.ToHexString((await app.Store.ReadAsync(Id, name, Cancellation))!);
        }

        return items;
    }

    private static RunFiles Files(TestApp app) => new(app.Store, Id);

    private static async Task<string?> StateAsync(TestApp app) => (string?)(await app.StatusAsync(Path))["state"];
}
