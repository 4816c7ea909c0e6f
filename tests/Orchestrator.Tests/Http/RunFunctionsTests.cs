namespace ScaleOut.Orchestrator.Tests.Http;

/// <summary>
/// Runs over HTTP, from the request to the engine and back; what the interface responds in all its cases is tested where it is made.
/// </summary>
public sealed class RunFunctionsTests
{
    private const string Small = """{"id": "small", "documents": 100, "workers": 2, "container": {"throughput": 1000}}""";

    private static readonly Dictionary<string, string?> UsualLimits = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_Run_StartsItUnderItsOwnIdAndReportsItInEveryForm()
    {
        await using var app = await TestApp.StartAsync(leg => ScriptedLeg.Finish(leg), UsualLimits);

        var (started, text) = await app.PostAsync("/api/runs", Small);
        await app.EndOfAsync("small");
        var list = await app.StatusAsync("/api/runs");

        Assert.Equal(202, (int)started.StatusCode);
        Assert.EndsWith("/api/runs/small", started.Headers.Location!.ToString(), StringComparison.Ordinal);
        Assert.NotNull(started.Headers.RetryAfter);
        Assert.Equal("small", (string?)JsonNode.Parse(text)!["id"]);
        Assert.Equal("small", (string?)list["runs"]![0]!["id"]);
        foreach (var (form, type) in new[]
        {
            ("json", "application/json"), ("html", "text/html"), ("md", "text/markdown"), ("csv", "text/csv"),
        })
        {
            var (report, body) = await app.GetAsync($"/api/runs/small/report?format={form}");
            Assert.Equal((200, type), ((int)report.StatusCode, report.Content.Headers.ContentType!.MediaType));
            Assert.NotEmpty(body);
        }
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Get_RunThatHasEnded_ShowsTheFiguresOfItsReport()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        await app.PostAsync("/api/runs", Small);
        await app.EndOfAsync("small");

        var status = await app.StatusAsync("/api/runs/small");

        Assert.Equal(("complete", 100, 100), ((string?)status["state"], (int)status["asked"]!, (int)status["done"]!));
        Assert.NotNull(status["startedAt"]);
        Assert.NotNull(status["elapsedSeconds"]);
    }

    /// <summary>Each read is a request to storage, and a client that follows a run reads its status every few seconds.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Get_Run_ReadsNoItemOfTheStoreTwice()
    {
        var held = new TaskCompletionSource();
        await using var app = await TestApp.StartAsync(
            async leg =>
            {
                await held.Task.WaitAsync(Cancellation);
                return ScriptedLeg.Finish(leg);
            },
            UsualLimits);
        await app.PostAsync("/api/runs", Small);
        while (app.Legs.All.Count < 2)
            await Task.Delay(20, Cancellation);

        var running = await ReadsAsync();
        held.SetResult();
        await app.EndOfAsync("small");
        var ended = await ReadsAsync();

        Assert.All([running, ended], reads => Assert.Contains(RunFiles.SpecName, reads));
        Assert.All([running, ended], reads => Assert.Equal(reads.Distinct(), reads));

        async Task<IReadOnlyCollection<string>> ReadsAsync()
        {
            var reads = new ConcurrentQueue<string>();
            app.Store.BeforeRead = reads.Enqueue;
            await app.StatusAsync("/api/runs/small");
            app.Store.BeforeRead = _ => { };
            return reads;
        }
    }

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("true", true)]
    [InlineData("false", false)]
    public async Task Get_RunOnASimulatedAccount_IsLabelledSo(string setting, bool simulated)
    {
        var (begun, held) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var app = await TestApp.StartAsync(
            async leg =>
            {
                begun.TrySetResult();
                await held.Task.WaitAsync(Cancellation);
                return ScriptedLeg.Finish(leg);
            },
            new Dictionary<string, string?> { ["COSMOS_SIMULATED"] = setting, ["WORKER_CAPACITY"] = "1" });
        await app.PostAsync("/api/runs", """{"id": "before", "documents": 1, "workers": 1, "container": {"throughput": 1000}}""");
        // It has the app's only place then, so that the next one is not prepared.
        await begun.Task.WaitAsync(Cancellation);
        await app.PostAsync("/api/runs", """{"id": "behind", "documents": 1, "workers": 1, "container": {"throughput": 1000}}""");

        // Before the run's container is prepared, only the app's settings say it.
        var status = await app.StatusAsync("/api/runs/behind");
        held.SetResult();
        await app.EndOfAsync("behind");

        Assert.Equal(simulated, (bool)status["simulated"]!);
    }

    /// <summary>The stack trace of an exception does not help to find the item.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Get_RunWithADamagedItem_IsAConflictAndAWarningThatNamesTheItem()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        await app.Store.WriteAsync("broken", RunFiles.SpecName, "{"u8.ToArray(), Cancellation);

        var (response, _) = await app.GetAsync("/api/runs/broken");

        Assert.Equal(HttpStatusCode.Conflict, response.StatusCode);
        Assert.Single(app.Host.Warnings, line => line.Contains(
            "GET /api/runs/broken failed: broken/spec.json is damaged", StringComparison.Ordinal));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_SameIdTwice_IsAConflictTheSecondTime()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        await app.PostAsync("/api/runs", Small);
        await app.EndOfAsync("small");

        var (second, _) = await app.PostAsync("/api/runs", Small);

        Assert.Equal((409, "application/problem+json"), ((int)second.StatusCode, second.Content.Headers.ContentType!.MediaType));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_SpecWithoutLegDuration_GetsThatOfAzure()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);

        await app.PostAsync("/api/runs", Small);
        await app.PostAsync(
            "/api/runs", """{"id": "own", "documents": 10, "workers": 1, "legDuration": "00:00:10", "container": {"throughput": 1000}}""");

        Assert.Equal(TimeSpan.FromMinutes(5), await LegDurationAsync(app, "small"));
        Assert.Equal(TimeSpan.FromSeconds(10), await LegDurationAsync(app, "own"));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_TelemetryBeyondTheQuotaOfTheDeployment_IsStartedWithAWarning()
    {
        await using var app = await TestApp.StartAsync(
            ScriptedLeg.Finish, new Dictionary<string, string?> { ["TELEMETRY_DAILY_QUOTA_GB"] = "1" });

        var (response, text) = await app.PostAsync(
            "/api/runs", """{"documents": 200000000, "workers": 2, "container": {"throughput": 20000}}""");

        Assert.Equal(202, (int)response.StatusCode);
        Assert.Contains(
            JsonNode.Parse(text)!["warnings"]!.AsArray(),
            warning => ((string?)warning)!.StartsWith("TELEMETRY_DAILY_QUOTA_GB: ", StringComparison.Ordinal));
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_ManyErrors_NamesAllOfThemAndTheSettings()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);

        var (response, text) = await app.PostAsync(
            "/api/runs", """{"documents": 0, "workers": 101, "container": {"throughput": 20100}, "colour": "red"}""");

        Assert.Equal(400, (int)response.StatusCode);
        var errors = JsonNode.Parse(text)!["errors"]!.AsObject();
        Assert.Equal(
            ["colour", "container.throughput", "documents", "workers"], errors.Select(error => error.Key).Order(StringComparer.Ordinal));
        Assert.Contains("MAX_WORKERS", errors["workers"]!.ToJsonString(), StringComparison.Ordinal);
        Assert.Contains("MAX_RUS", errors["container.throughput"]!.ToJsonString(), StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_StepsWithoutTheRight_AreRejectedBeforeTheClaim()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        const string spec = """
            {"id": "steps", "documents": 10, "workers": 1,
             "container": {"throughput": 1000, "throughputSteps": [{"afterSeconds": 1, "throughput": 2000}]}}
            """;
        app.Containers.MayChangeThroughput = false;

        var (rejected, text) = await app.PostAsync("/api/runs", spec);
        app.Containers.MayChangeThroughput = true;
        var (accepted, _) = await app.PostAsync("/api/runs", spec);

        Assert.Equal((400, 202), ((int)rejected.StatusCode, (int)accepted.StatusCode));
        Assert.Contains(
            "may not change RU/s",
            JsonNode.Parse(text)!["errors"]!["container.throughputSteps"]!.ToJsonString(), StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_Estimate_HasACostAtThePricesOfTheApp()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);

        var (_, text) = await app.PostAsync("/api/runs", Small);

        var cost = JsonNode.Parse(text)!["estimate"]!["cost"]!;
        Assert.Equal("USD", (string?)cost["currency"]);
        Assert.True((double)cost["amount"]! > 0);
        Assert.Equal("Provisioned throughput", (string?)cost["items"]![0]!["name"]);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task PostStop_UnknownAndEnded_AreReportedApart()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        await app.PostAsync("/api/runs", Small);
        await app.EndOfAsync("small");

        Assert.Equal(404, (int)(await app.PostAsync("/api/runs/other/stop")).Response.StatusCode);
        Assert.Equal(409, (int)(await app.PostAsync("/api/runs/small/stop")).Response.StatusCode);
        Assert.Equal(405, (int)(await app.GetAsync("/api/runs/small/stop")).Response.StatusCode);
    }

    /// <summary>
    /// A function key opens one function. A caller with a key for those that read must not start, stop or resume anything by any method.
    /// </summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Post_ToFunctionsThatRead_ChangesNothing()
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);
        HostedFunction Of(string name) => app.Host.Functions[name];

        Assert.All(["ListRuns", "ListExperiments"], name => Assert.False(Of(name).Accepts(HttpMethod.Post)));
        Assert.All(["StartRun", "StartExperiment"], name => Assert.False(Of(name).Accepts(HttpMethod.Get)));
        foreach (var path in new[]
        {
            "/api/runs/small", "/api/runs/small/report", "/api/experiments/small", "/api/experiments/small/report", "/api/compare",
        })
        {
            var (response, _) = await app.PostAsync(path, Small);
            Assert.Equal((405, "GET, HEAD"), ((int)response.StatusCode, string.Join(", ", response.Content.Headers.Allow)));
        }

        Assert.Empty(app.Legs.All);
    }

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("/api/runs")]
    [InlineData("/api/experiments")]
    public async Task Delete_Collection_NamesTheMethodsOfBothFunctions(string path)
    {
        await using var app = await TestApp.StartAsync(ScriptedLeg.Finish, UsualLimits);

        var (response, _) = await app.Host.SendAsync(HttpMethod.Delete, path);
        var (head, _) = await app.Host.SendAsync(HttpMethod.Head, path);

        Assert.Equal((405, "GET, HEAD, POST"), ((int)response.StatusCode, string.Join(", ", response.Content.Headers.Allow)));
        Assert.Equal(200, (int)head.StatusCode);
    }

    private static async Task<TimeSpan> LegDurationAsync(TestApp app, string id) =>
        (await new RunFiles(app.Store, id).ReadClaimedAsync(Cancellation))!.LegDuration;
}
