using ScaleOut.Orchestrator.Experiments;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>Experiments that are resumed over HTTP.</summary>
public sealed class ExperimentResumeTests
{
    private const string Id = "again";
    private const string Path = "/api/experiments/again";

    private static readonly ExperimentSpec Spec = TestExperiments.Pair(Id);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_StoppedInItsSecondRun_MeasuresWhatIsLeftAndNothingAgain()
    {
        var stops = 1;
        TestApp? app = null;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            if (leg.Assignment.RunId != "again-v02-r01" || Interlocked.Decrement(ref stops) < 0)
                return ScriptedLeg.Finish(leg);
            Assert.Equal(202, (int)(await app!.PostAsync(Path + "/stop")).Response.StatusCode);
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await TestExperiments.StartAsync(app, Spec);
        await EndOfAsync(app, attempt: 1);
        var before = await StateAsync(app);
        var files = new ExperimentFiles(app.Store, Id);
        var (former, measured) = (await files.ReadReportAsync("report.json", Cancellation), await ReportOfAsync(app, "again-v01-r01"));

        var responses = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => app.PostAsync(Path + "/resume")));
        await EndOfAsync(app, attempt: 2);

        Assert.Equal(("stopped", "complete"), (before, await StateAsync(app)));
        Assert.Single(responses, response => (int)response.Response.StatusCode == 202);
        Assert.All(responses.Where(response => (int)response.Response.StatusCode != 202), response => Assert.Equal(
            409, (int)response.Response.StatusCode));
        Assert.Equal(
            ["again-v01-r01", "again-v02-r01", "again-v02-r01", "again-v02-r02", "again-v01-r02"],
            app.Legs.All.Select(leg => leg.Assignment.RunId));
        Assert.Equal(measured, await ReportOfAsync(app, "again-v01-r01"));
        Assert.NotEqual(former, await files.ReadReportAsync("report.json", Cancellation));
        Assert.False(await files.IsStopRequestedAsync(Cancellation));
        Assert.Equal((4, 4, 0), (
            (await files.ReadStatusAsync(Cancellation))!.Outcome!.Runs,
            (await files.ReadStatusAsync(Cancellation))!.Outcome!.Complete,
            (await files.ReadStatusAsync(Cancellation))!.NotComplete));
        Assert.Equal(409, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);

        // A run that began twice has two orchestrations, each with its own workers. Its status is that of the second.
        Assert.Equal("complete", (string?)(await app.StatusAsync("/api/runs/again-v02-r01"))["state"]);
        Assert.All(["again-v02-r01:worker-0000", "again-v02-r01:again-2:worker-0000"], id => Assert.Contains(
            id, app.Host.WorkItems.Instances.Keys));
        Assert.Equal(
            "again-v02-r01:again-2", app.Legs.All.Where(leg => leg.Assignment.RunId == "again-v02-r01").Last().Assignment.RunInstanceId);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_StoppedOverAndOver_GoesOnEachTime()
    {
        TestApp? app = null;
        var stops = 3;
        await using var started = app = await TestApp.StartAsync(async leg =>
        {
            if (Interlocked.Decrement(ref stops) < 0)
                return ScriptedLeg.Finish(leg);
            await app!.PostAsync(Path + "/stop");
            return ScriptedLeg.Insert(leg, 5, LegEnd.Stopped);
        });
        await TestExperiments.StartAsync(app, Spec);
        for (var attempt = 1; attempt <= 3; attempt++)
        {
            await EndOfAsync(app, attempt);
            Assert.Equal("stopped", await StateAsync(app));
            Assert.Equal(202, (int)(await app.PostAsync(Path + "/resume")).Response.StatusCode);
        }

        await EndOfAsync(app, attempt: 4);

        Assert.Equal("complete", await StateAsync(app));
        Assert.Equal(7, app.Legs.All.Count);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_RunThatFailed_IsMeasuredOnceMore()
    {
        var failures = 1;
        await using var app = await TestApp.StartAsync(
            leg => leg.Assignment.RunId == "again-v01-r02" && Interlocked.Decrement(ref failures) >= 0
            ? ScriptedLeg.Insert(leg, 0, LegEnd.Rejected) with { Reason = "not today" }
            : ScriptedLeg.Finish(leg));
        await TestExperiments.StartAsync(app, Spec);
        await EndOfAsync(app, attempt: 1);
        var before = await StateAsync(app);

        var (resumed, _) = await app.PostAsync(Path + "/resume");
        await EndOfAsync(app, attempt: 2);

        Assert.Equal((202, "incomplete", "complete"), ((int)resumed.StatusCode, before, await StateAsync(app)));
        Assert.EndsWith(Path, resumed.Headers.Location!.ToString(), StringComparison.Ordinal);
        Assert.Equal(5, app.Legs.All.Count);
        Assert.Equal(404, (int)(await app.PostAsync("/api/experiments/other/resume")).Response.StatusCode);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Resume_RunOfItStillUnderWay_IsAConflict()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await TestExperiments.StartAsync(app, Spec);
        while (app.Legs.All.Count == 0)
            await Task.Delay(20, Cancellation);
        await app.Host.Engine.TerminateInstanceAsync(ExperimentIds.InstanceId(Id), Cancellation);
        await app.Host.EndOfAsync(ExperimentIds.InstanceId(Id));

        var (early, text) = await app.PostAsync(Path + "/resume");
        held.SetResult();
        await app.EndOfAsync("again-v01-r01");
        var (accepted, _) = await app.PostAsync(Path + "/resume");
        await EndOfAsync(app, attempt: 2);

        Assert.Equal((409, 202), ((int)early.StatusCode, (int)accepted.StatusCode));
        Assert.Contains("'again-v01-r01' of the experiment 'again' is still running", text, StringComparison.Ordinal);
        Assert.Equal("complete", await StateAsync(app));
        Assert.Equal(4, app.Legs.All.Count);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Start_ClaimedButNotScheduled_IsQueuedAndLaterResumed()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var files = new ExperimentFiles(app.Store, Id);
        await files.TryClaimAsync(Spec, Cancellation);
        await files.TryClaimAttemptAsync(new JobAttempt(1, DateTimeOffset.UtcNow), Cancellation);
        var (early, state) = ((int)(await app.PostAsync(Path + "/resume")).Response.StatusCode, await StateAsync(app));

        // The app was down for an hour before it could schedule the experiment.
        await app.Store.DeleteAsync(Id, name => name.StartsWith("attempts/", StringComparison.Ordinal), Cancellation);
        await files.TryClaimAttemptAsync(new JobAttempt(1, DateTimeOffset.UtcNow.AddHours(-1)), Cancellation);
        var (resumed, _) = await app.PostAsync(Path + "/resume");
        await EndOfAsync(app, attempt: 2);

        Assert.Equal((409, "queued", 202, "complete"), (early, state, (int)resumed.StatusCode, await StateAsync(app)));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Claim_CalledTwice_DiscardsWhatWasThereOnce()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var activities = ActivatorUtilities.CreateInstance<ExperimentActivities>(app.Host.Services);
        var run = new GridPlanner(Spec).All[0].Spec;
        var files = new RunFiles(app.Store, run.Id!);
        await activities.ClaimRunAsync(new ExperimentRunRequest(run, Id, 1), Cancellation);
        await files.RequestStopAsync(Cancellation);
        await files.MarkReadyAsync(0, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Outcome(run.Id!, RunState.Stopped), DateTimeOffset.UnixEpoch), Cancellation);

        var first = await activities.ClaimRunAsync(new ExperimentRunRequest(run, Id, 2), Cancellation);
        var cleared = (await files.IsStopRequestedAsync(Cancellation), (await files.ListReadyAsync(Cancellation)).Count,
            await files.ReadEndedAsync(Cancellation), await files.IsContainerGoneAsync(Cancellation));
        await files.MarkReadyAsync(0, Cancellation);
        var second = await activities.ClaimRunAsync(new ExperimentRunRequest(run, Id, 2), Cancellation);

        Assert.Equal((first, (false, 0, null, false), 1), (second, cleared, (await files.ListReadyAsync(Cancellation)).Count));
        Assert.Equal(new ExperimentRunClaim { InstanceId = $"{run.Id}:again-2" }, first);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Claim_ExperimentWasJustAskedToStop_StopsTheRunToo()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var run = new GridPlanner(Spec).All[0].Spec;
        var files = new RunFiles(app.Store, run.Id!);
        await files.TryClaimAsync(run, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Outcome(run.Id!, RunState.Failed), DateTimeOffset.UnixEpoch), Cancellation);
        await new ExperimentFiles(app.Store, Id).RequestStopAsync(Cancellation);

        await ActivatorUtilities.CreateInstance<ExperimentActivities>(app.Host.Services)
            .ClaimRunAsync(new ExperimentRunRequest(run, Id, 2), Cancellation);

        Assert.Null(await files.ReadEndedAsync(Cancellation));
        Assert.True(await files.IsStopRequestedAsync(Cancellation));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Claim_MeasuredOrAnothers_IsLeftAsItIs()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var activities = ActivatorUtilities.CreateInstance<ExperimentActivities>(app.Host.Services);
        var runs = new GridPlanner(Spec).All.Select(run => run.Spec).ToList();
        var (measured, other) = (new RunFiles(app.Store, runs[0].Id!), new RunFiles(app.Store, runs[1].Id!));
        await measured.TryClaimAsync(runs[0], Cancellation);
        await measured.MarkReadyAsync(0, Cancellation);
        await measured.WriteEndedAsync(new RunEnded(Outcome(runs[0].Id!, RunState.Complete), DateTimeOffset.UnixEpoch), Cancellation);
        await other.TryClaimAsync(runs[1] with { Seed = 4711 }, Cancellation);
        await other.MarkReadyAsync(0, Cancellation);

        var found = await activities.ClaimRunAsync(new ExperimentRunRequest(runs[0], Id, 2), Cancellation);
        var taken = await activities.ClaimRunAsync(new ExperimentRunRequest(runs[1], Id, 2), Cancellation);

        Assert.Equal((RunState.Complete, true), (found.Measured!.State, taken.IdInUse));
        Assert.Equal((1, 1), ((await measured.ListReadyAsync(Cancellation)).Count, (await other.ListReadyAsync(Cancellation)).Count));
    }

    /// <summary>A run without a report does not show whether its rate held.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Claim_RunOfASearchDidNotCount_IsMeasuredAgainOnce()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        var activities = ActivatorUtilities.CreateInstance<ExperimentActivities>(app.Host.Services);
        var planned = new LimitPlanner(new() { Id = Id, Base = [], Limit = new LimitSpec() }).RunAt(100, 1);
        var question = new RateQuestion(new LimitSpec(), planned.End(RunState.Complete, reason: null));
        var request = new ExperimentRunRequest(planned.Spec, Id, 2) { Question = question };
        var files = new RunFiles(app.Store, planned.Spec.Id!);
        await files.TryClaimAsync(planned.Spec, Cancellation);
        await files.WriteEndedAsync(new RunEnded(Outcome(planned.Spec.Id!, RunState.Complete), DateTimeOffset.UnixEpoch), Cancellation);

        var first = await activities.ClaimRunAsync(request, Cancellation);
        var isDiscarded = await files.ReadEndedAsync(Cancellation) is null;
        await files.WriteEndedAsync(new RunEnded(Outcome(planned.Spec.Id!, RunState.Complete), DateTimeOffset.UnixEpoch), Cancellation);
        var second = await activities.ClaimRunAsync(request, Cancellation);

        Assert.Equal((null, $"{planned.Spec.Id}:again-2", true), (first.Measured, first.InstanceId, isDiscarded));
        Assert.Equal(RunState.Complete, second.Measured?.State);
    }

    private static RunOutcome Outcome(string id, RunState state) =>
        new() { RunId = id, State = state, Remaining = 0 };

    private static Task<string> EndOfAsync(TestApp app, int attempt) => app.OutputOfAsync(ExperimentIds.InstanceId(Id, attempt));

    private static async Task<string?> StateAsync(TestApp app) => (string?)(await app.StatusAsync(Path))["state"];

    private static Task<byte[]?> ReportOfAsync(TestApp app, string runId) =>
        new RunFiles(app.Store, runId).ReadReportAsync("report.json", Cancellation);
}
