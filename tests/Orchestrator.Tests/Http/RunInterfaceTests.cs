using System.Text;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Routing;
using Microsoft.DurableTask.Client;
using Microsoft.Extensions.Logging.Abstractions;
using ScaleOut.Orchestrator.Http;
using ScaleOut.Orchestrator.Tests.Engine;
using ScaleOut.Orchestrator.Tests.Experiments;
using ScaleOut.Storage;
using ScaleOut.Tests.Orchestration;
using ScaleOut.Tests.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Hosting;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Orchestrator.Tests.Http;

/// <summary>The interface on ASP.NET Core's requests and the real engine; what it answers in all its cases is tested where it is made.</summary>
public sealed class RunInterfaceTests
{
    private const string Small = """{"id": "small", "documents": 100, "workers": 2, "container": {"throughput": 1000}}""";

    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Post_Run_StartsItUnderItsOwnIdAndReportsIt()
    {
        await using var engine = await TestEngine.StartAsync(new FakeActivities(ScriptedLeg.Finish) { Store = _store });

        var started = await AskAsync(engine, "POST", "/api/runs", Small);
        await engine.EndOfAsync("small");
        var status = await AskAsync(engine, "GET", "/api/runs/small");
        var report = await AskAsync(engine, "GET", "/api/runs/small/report", query: "?format=md");

        Assert.Equal(202, started.Status);
        Assert.Equal("https://app.example/api/runs/small", started.Headers.Location.ToString());
        Assert.NotEmpty(started.Headers.RetryAfter.ToString());
        Assert.Equal(200, status.Status);
        Assert.Equal((200, "text/markdown; charset=utf-8"), (report.Status, report.Headers.ContentType.ToString()));
        Assert.Contains("small", report.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Post_SameIdTwice_IsRefusedTheSecondTime()
    {
        await using var engine = await TestEngine.StartAsync(new FakeActivities(ScriptedLeg.Finish));
        await AskAsync(engine, "POST", "/api/runs", Small);
        await engine.EndOfAsync("small");

        var second = await AskAsync(engine, "POST", "/api/runs", Small);

        Assert.Equal((409, "application/problem+json; charset=utf-8"), (second.Status, second.Headers.ContentType.ToString()));
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task Post_PlanWithoutLegDuration_GetsThatOfAzure()
    {
        await using var engine = await TestEngine.StartAsync(new FakeActivities(ScriptedLeg.Finish));

        await AskAsync(engine, "POST", "/api/runs", Small);
        await AskAsync(engine, "POST", "/api/runs", """{"id": "own", "documents": 10, "workers": 1, "legDuration": "00:00:10", "container": {"throughput": 1000}}""");

        Assert.Equal(TimeSpan.FromMinutes(5), await LegDurationAsync("small"));
        Assert.Equal(TimeSpan.FromSeconds(10), await LegDurationAsync("own"));
    }

    [Theory(Timeout = TestEngine.LongestTestMs)]
    [InlineData("""{"workers": 101, "container": {"throughput": 1000}}""", "workers", "MAX_WORKERS")]
    [InlineData("""{"container": {"throughput": 20100}}""", "container.throughput", "MAX_RUS")]
    public async Task Post_OverALimit_NamesTheSetting(string plan, string field, string setting)
    {
        await using var engine = await TestEngine.StartAsync(new FakeActivities(ScriptedLeg.Finish));

        var answer = await AskAsync(engine, "POST", "/api/runs", plan);

        Assert.Equal(400, answer.Status);
        Assert.Contains(setting, JsonNode.Parse(answer.Text)!["errors"]![field]![0]!.ToString(), StringComparison.Ordinal);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task PostResume_ExperimentWithARunThatFailed_GoesOnWithThatRun()
    {
        var failures = 1;
        var activities = new FakeActivities(leg => Interlocked.Decrement(ref failures) < 0 ? ScriptedLeg.Finish(leg) : ScriptedLeg.Insert(leg, 0, Orchestration.LegEnd.Refused)) { Store = _store };
        await using var engine = await TestExperiments.StartAsync(_store, _catalog, activities);
        const string path = "/api/experiments/again";
        var started = await AskAsync(engine, "POST", "/api/experiments", System.Text.Json.JsonSerializer.Serialize(TestExperiments.Pair("again"), Json.ScaleOutJson.Compact));
        await engine.Client.WaitForInstanceCompletionAsync("experiment:again", TestContext.Current.CancellationToken);
        var before = await AskAsync(engine, "GET", path);

        var resumed = await AskAsync(engine, "POST", path + "/resume");
        await engine.Client.WaitForInstanceCompletionAsync("experiment:again:2", TestContext.Current.CancellationToken);
        var after = await AskAsync(engine, "GET", path);
        var run = await AskAsync(engine, "GET", "/api/runs/again-v01-r01");
        var nothingLeft = await AskAsync(engine, "POST", path + "/resume");
        var unknown = await AskAsync(engine, "POST", "/api/experiments/other/resume");

        Assert.Equal((202, 202, 409, 404), (started.Status, resumed.Status, nothingLeft.Status, unknown.Status));
        Assert.Equal("https://app.example" + path, resumed.Headers.Location.ToString());
        Assert.Equal(("incomplete", "complete", "complete"), (StateIn(before.Text), StateIn(after.Text), StateIn(run.Text)));
        Assert.Equal(5, activities.Legs.Count);
    }

    [Fact(Timeout = TestEngine.LongestTestMs)]
    public async Task PostStop_RunUnderWay_SetsTheFlagThatLegsLookAt()
    {
        var held = new TaskCompletionSource();
        await using var engine = await TestEngine.StartAsync(new FakeActivities(async leg =>
        {
            await held.Task.WaitAsync(TestContext.Current.CancellationToken);
            return ScriptedLeg.Insert(leg, 5, Orchestration.LegEnd.Stopped);
        }) { Store = _store });
        await AskAsync(engine, "POST", "/api/runs", Small);
        await engine.Client.WaitForInstanceStartAsync("small", TestContext.Current.CancellationToken);

        var unknown = await new DurableRunHost(engine.Client, _store, Settings, TimeProvider.System).StopAsync("other", TestContext.Current.CancellationToken);
        var stopping = await new DurableRunHost(engine.Client, _store, Settings, TimeProvider.System).StopAsync("small", TestContext.Current.CancellationToken);
        var requested = await new RunFiles(_store, "small").IsStopRequestedAsync(TestContext.Current.CancellationToken);
        held.SetResult();
        await engine.EndOfAsync("small");
        var late = await AskAsync(engine, "POST", "/api/runs/small/stop");

        Assert.Equal((ScaleOut.Http.StopAnswer.Unknown, ScaleOut.Http.StopAnswer.Stopping, true, 409), (unknown, stopping, requested, late.Status));
    }

    private static HostSettings Settings { get; } = new()
    {
        Account = new AccountConnection { Endpoint = new Uri("https://account.documents.azure.com/") },
        RunStore = new StorageConnection { ConnectionString = "UseDevelopmentStorage=true" },
    };

    private async Task<TimeSpan> LegDurationAsync(string id) => (await new RunFiles(_store, id).ReadClaimedAsync(TestContext.Current.CancellationToken))!.LegDuration;

    private async Task<(int Status, IHeaderDictionary Headers, string Text)> AskAsync(TestEngine engine, string method, string path, string? body = null, string query = "")
    {
        using var answer = new MemoryStream();
        var context = new DefaultHttpContext();
        (context.Request.Scheme, context.Request.Host, context.Request.Method, context.Request.Path) = ("https", new HostString("app.example"), method, path);
        context.Request.QueryString = new QueryString(query);
        if (body is not null)
        {
            context.Request.ContentType = "application/json";
            context.Request.Body = new MemoryStream(Encoding.UTF8.GetBytes(body));
        }

        context.Response.Body = answer;
        var runs = new RunInterface(_store, _catalog, Settings, TimeProvider.System, NullLogger<RunInterface>.Instance);
        var result = await runs.AnswerAsync(context.Request, engine.Client, TestContext.Current.CancellationToken);
        await result.ExecuteResultAsync(new ActionContext(context, new RouteData(), new Microsoft.AspNetCore.Mvc.Abstractions.ActionDescriptor()));
        return (context.Response.StatusCode, context.Response.Headers, Encoding.UTF8.GetString(answer.ToArray()));
    }

    private static string? StateIn(string status) => (string?)JsonNode.Parse(status)!["state"];
}
