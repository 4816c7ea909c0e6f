using Microsoft.DurableTask.Client;
using Engine = Microsoft.DurableTask.Protobuf.OrchestrationStatus;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>
/// The engine does not accept the orchestration of a job whose id is claimed, such as in the minutes before the app's role on it holds.
/// </summary>
public sealed class FailedStartTests
{
    private const string Run = """{"id": "job", "documents": 100, "workers": 1, "container": {"throughput": 1000}}""";

    private const string Experiment =
        """{"id": "job", "base": {"documents": 100, "workers": 1}, "repeats": 1, "variants": [{"name": "a"}, {"name": "b"}]}""";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("runs", Run, "job")]
    [InlineData("experiments", Experiment, "experiment:job")]
    public async Task Post_SameSpecAfterAFailedStart_StartsIt(string jobs, string spec, string instanceId)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Host.Starts.AreRejected = true;
        var (failed, problem) = await app.PostAsync($"/api/{jobs}", spec);
        var (again, _) = await app.PostAsync($"/api/{jobs}", spec);
        var status = await app.StatusAsync($"/api/{jobs}/job");
        app.Host.Starts.AreRejected = false;

        var (other, _) = await app.PostAsync($"/api/{jobs}", spec.Replace("100", "200", StringComparison.Ordinal));
        var (started, text) = await app.PostAsync($"/api/{jobs}", spec);
        await app.OutputOfAsync(instanceId);
        var (last, _) = await app.PostAsync($"/api/{jobs}", spec);

        Assert.Equal((503, 503, "failed"), ((int)failed.StatusCode, (int)again.StatusCode, (string?)status["state"]));
        Assert.Contains("engine of orchestrations", problem, StringComparison.Ordinal);
        Assert.NotNull(failed.Headers.RetryAfter);
        Assert.Equal((409, 202, 409), ((int)other.StatusCode, (int)started.StatusCode, (int)last.StatusCode));
        Assert.Contains("This request has started it", (string?)JsonNode.Parse(text)!["note"], StringComparison.Ordinal);
        Assert.Equal("complete", (string?)(await app.StatusAsync($"/api/{jobs}/job"))["state"]);
    }

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("runs", Run, "job")]
    [InlineData("experiments", Experiment, "experiment:job")]
    public async Task PostResume_AfterFailedStartAndFailedResumption_StartsIt(string jobs, string spec, string instanceId)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Host.Starts.AreRejected = true;
        await app.PostAsync($"/api/{jobs}", spec);
        var (failed, _) = await app.PostAsync($"/api/{jobs}/job/resume");
        app.Host.Starts.AreRejected = false;

        var (resumed, text) = await app.PostAsync($"/api/{jobs}/job/resume");
        await app.OutputOfAsync(instanceId);

        Assert.Equal((503, 202), ((int)failed.StatusCode, (int)resumed.StatusCode));
        Assert.Null(JsonNode.Parse(text)!["note"]);
        Assert.Equal("complete", (string?)(await app.StatusAsync($"/api/{jobs}/job"))["state"]);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_SameSpecAtOnceAfterAFailedStart_OneStartsIt()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        app.Host.Starts.AreRejected = true;
        await app.PostAsync("/api/runs", Run);
        app.Host.Starts.AreRejected = false;
        var before = app.Host.Starts.All.Count;

        var responses = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => app.PostAsync("/api/runs", Run)));
        await app.EndOfAsync("job");

        Assert.Equal([202, .. Enumerable.Repeat(409, 7)], responses.Select(one => (int)one.Response.StatusCode).Order());
        Assert.Equal(before + 1, app.Host.Starts.All.Count);
    }

    /// <summary>The engine has the orchestration, but the app does not know that.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_ResponseOfTheEngineIsLost_RunsOnce()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        app.Host.Starts.LoseResponses = true;
        var (failed, _) = await app.PostAsync("/api/runs", Run);
        app.Host.Starts.LoseResponses = false;
        while (app.Legs.All.Count == 0)
            await Task.Delay(20, Cancellation);

        var (again, _) = await app.PostAsync("/api/runs", Run);
        var status = await app.StatusAsync("/api/runs/job");
        held.SetResult();
        var outcome = await app.EndOfAsync("job");

        Assert.Equal((503, 409, "running"), ((int)failed.StatusCode, (int)again.StatusCode, (string?)status["state"]));
        Assert.Equal((RunState.Complete, 1), (outcome.State, app.Legs.All.Count));
    }

    /// <summary>A run that was started before is not started a second time under the same instance id.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_OrchestrationOfThatIdIsUnderWay_LeavesItAlone()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(async leg =>
        {
            await held.Task.WaitAsync(Cancellation);
            return ScriptedLeg.Finish(leg);
        });
        await app.Host.Engine.ScheduleNewOrchestrationInstanceAsync(
            FunctionNames.RunOrchestrator, JsonNode.Parse(Run), new Microsoft.DurableTask.StartOrchestrationOptions("job"), Cancellation);
        while (app.Legs.All.Count == 0)
            await Task.Delay(20, Cancellation);
        var before = await app.Host.Engine.GetInstanceAsync("job", Cancellation);

        var (started, text) = await app.PostAsync("/api/runs", Run);
        var after = await app.Host.Engine.GetInstanceAsync("job", Cancellation);
        held.SetResult();
        await app.EndOfAsync("job");

        Assert.True((int)started.StatusCode == 202, text);
        Assert.Equal(before!.CreatedAt, after!.CreatedAt);
        Assert.Single(app.Legs.All);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_Jobs_TagTheirOrchestrationsWithTheirIds()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish);
        await app.PostAsync("/api/runs", Run);
        await app.PostAsync("/api/experiments", Experiment.Replace("job", "many", StringComparison.Ordinal));
        await app.EndOfAsync("job");
        await app.OutputOfAsync("experiment:many");

        Assert.Equal(
            [("run", "job"), ("experiment", "many")],
            app.Host.Starts.All.Select(start => start.Tags.Single()).Select(tag => (tag.Key, tag.Value)));
        Assert.All(app.Host.Starts.All, start => Assert.Equal(
            new[] { Engine.Completed, Engine.Failed, Engine.Terminated, Engine.Canceled }.Order(),
            start.OrchestrationIdReusePolicy.ReplaceableStatus.Order()));
    }
}
