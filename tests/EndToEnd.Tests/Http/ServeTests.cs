namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>The parts of the server that only the dev box has: the queue, Ctrl+C, the check of callers, the page.</summary>
/// <param name="idle">A server without work.</param>
public sealed class ServeTests(IdleServer idle) : IClassFixture<IdleServer>
{
    private const string Small = """{"id":"small","documents":100,"workers":1}""";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Interrupt_RunsUnderWayAndWaiting_AreStoppedAndReported()
    {
        using var server = await ServeProcess.StartAsync();
        using var http = server.Client();
        await PostAsync(http, """{"id":"under-way","documents":10000000,"workers":1,"client":{"rate":50}}""");
        await PostAsync(http, """{"id":"waiting","documents":100,"workers":1}""");
        var waiting = await StatusAsync(http, "waiting");
        await Until.HoldsAsync(() => File.Exists(Path.Combine(server.Runs, "under-way", "start.json")), "the start");
        var account = Assert.NotNull(RunProcesses.Account(server.Folder, "under-way"));

        Signals.Send(server.Process.Id, Signals.Interrupt);
        await server.Process.WaitAsync();

        Assert.Equal(("queued", 1), ((string?)waiting["state"], (int?)waiting["runsAhead"]));
        Assert.Equal(130, server.Process.ExitCode);
        var finished = new FinishedRun(server.Runs, "under-way");
        Assert.Equal(RunState.Stopped, finished.Report.State);
        Assert.Equal(finished.Container.Documents.Created, finished.Report.Documents.Verified);
        Assert.Contains("Stopped: the run was stopped", server.Process.Output, StringComparison.Ordinal);
        Assert.True(new FinishedRun(server.Runs, "waiting").Has("ended.json"));
        await Until.HoldsAsync(() => !Signals.Lives(account), "the end of the account");
    }

    /// <summary>Two queues on one folder would run two runs at once, and each would report the other as load on the machine.</summary>
    [Fact]
    public async Task Start_FolderOfAnotherServer_IsRejectedUntilThatEnds()
    {
        using var server = await ServeProcess.StartAsync();

        var second = await DevBoxCommand.RunAsync(server.Folder, ["serve", "--port", "0"]);
        Signals.Send(server.Process.Id, Signals.Interrupt);
        await server.Process.WaitAsync();
        using var third = DevBoxProcess.Start(server.Folder, ["serve", "--port", "0"]);
        await Until.HoldsAsync(() => third.HasExited || third.Output.Contains("page", StringComparison.Ordinal), "the third server");

        Assert.Equal(2, second.ExitCode);
        Assert.Contains("runs: another server uses this folder", second.Errors, StringComparison.Ordinal);
        Assert.False(third.HasExited, third.Errors);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task PostRuns_MoreThanTheQueueOrMemoryHolds_AreProblemsAndLeaveNothing()
    {
        var small = new Dictionary<string, string> { ["DOTNET_GCHeapHardLimit"] = "0x40000000" };
        using var server = await ServeProcess.StartAsync([], small);
        using var http = server.Client();
        using var large = await PostAsync(http, """{"id":"large","documents":1000000000}""");
        await PostAsync(http, """{"id":"under-way","documents":1000000,"workers":1,"client":{"rate":1}}""");
        for (var waiting = 0; waiting < 95; waiting++)
            await PostAsync(http, $$"""{"id":"waiting-{{waiting}}","documents":100,"workers":1}""");
        var together = await Task.WhenAll(Enumerable.Range(0, 20).Select(async number =>
        {
            using var response = await PostAsync(http, $$"""{"id":"together-{{number}}","documents":100,"workers":1}""");
            return response.StatusCode;
        }));

        using var surplus = await PostAsync(http, Small);

        Assert.Equal(5, together.Count(status => status == HttpStatusCode.Accepted));
        Assert.Equal(15, together.Count(status => status == HttpStatusCode.ServiceUnavailable));
        Assert.Equal(HttpStatusCode.BadRequest, large.StatusCode);
        Assert.Contains("memory in the simulated account", await large.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, surplus.StatusCode);
        Assert.NotNull(surplus.Headers.RetryAfter);
        Assert.Contains("urn:scaleout:problem:queue-full", await surplus.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(server.Runs, "small")) || Directory.Exists(Path.Combine(server.Runs, "large")));
    }

    [Fact]
    public async Task Run_LegsThatCannotBegin_StatusAndLogSayWhy()
    {
        using var server = await ServeProcess.StartAsync();
        using var http = server.Client();
        Directory.CreateDirectory(Path.Combine(server.Runs, "small"));
        await File.WriteAllTextAsync(Path.Combine(server.Runs, "small", "legs"), "a file where a folder is to be", Cancellation);

        await PostAsync(http, Small);
        await Until.HoldsAsync(
            async () => (await StatusAsync(http, "small"))["warnings"]!.AsArray()
                .Any(warning => ((string?)warning!["text"])!.Contains(" of worker 0 could not begin: ", StringComparison.Ordinal)),
            "the warning in the status");
        await Until.HoldsAsync(() => server.Process.Output.Contains("run small: ", StringComparison.Ordinal), "the warning in the log");
    }

    [Fact]
    public async Task Interrupt_NothingUnderWay_EndsWithSuccess()
    {
        using var server = await ServeProcess.StartAsync();
        Signals.Send(server.Process.Id, Signals.Interrupt);
        await server.Process.WaitAsync();
        Assert.True(server.Process.ExitCode == 0, server.Process.Errors);
        Assert.Empty(server.Process.Errors);
    }

    [Fact]
    public async Task AnyRequest_FromElsewhere_IsRejectedWithAProblem()
    {
        var server = idle.Process;
        using var http = server.Client();
        using var rebound = new HttpRequestMessage(HttpMethod.Get, "api/runs");
        rebound.Headers.Host = $"rebound.example:{server.Address.Port}";
        using var foreign = new HttpRequestMessage(HttpMethod.Post, "api/runs");
        foreign.Content = new StringContent(Small, Encoding.UTF8, "application/json");
        foreign.Headers.Add("Origin", "http://evil.example");

        foreach (var request in (HttpRequestMessage[])[rebound, foreign])
        {
            using var response = await http.SendAsync(request, Cancellation);
            Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
            Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
            Assert.False(response.Headers.Contains("Access-Control-Allow-Origin"));
        }

        Assert.Equal(HttpStatusCode.NotFound, (await http.GetAsync("api/runs/small", Cancellation)).StatusCode);
    }

    [Fact]
    public async Task Page_Always_AllowsNothingFromElsewhere()
    {
        using var http = idle.Process.Client();

        using var page = await http.GetAsync("", Cancellation);
        var text = await page.Content.ReadAsStringAsync(Cancellation);

        Assert.Equal("text/html", page.Content.Headers.ContentType?.MediaType);
        var policy = Assert.Single(page.Headers.GetValues("Content-Security-Policy"));
        Assert.StartsWith("default-src 'none'; script-src 'self';", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("://", text, StringComparison.Ordinal);
        string[] files =
        [
            "dashboard.css", "charts.css", "api.js", "app.js", "charts.js", "comparison.js", "dom.js", "experiment.js", "facts.js",
            "figures.js", "form.js", "list.js", "place.js", "run.js", "spec.js", "watch.js",
        ];
        foreach (var file in files)
        {
            using var response = await http.GetAsync(file, Cancellation);
            Assert.Equal((file, HttpStatusCode.OK), (file, response.StatusCode));
            Assert.DoesNotContain("innerHTML", await response.Content.ReadAsStringAsync(Cancellation), StringComparison.OrdinalIgnoreCase);
        }
    }

    [Fact]
    public async Task Limits_Exceeded_AreErrorsThatNameTheOption()
    {
        using var server = await ServeProcess.StartAsync("--max-rus", "20000", "--max-workers", "2");
        using var http = server.Client();
        using var response = await PostAsync(http, """{"documents":100,"workers":3}""");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        var errors = JsonNode.Parse(await response.Content.ReadAsStringAsync(Cancellation))!["errors"]!;
        Assert.Contains("--max-workers", (string?)errors["workers"]![0], StringComparison.Ordinal);
        Assert.Contains("--max-rus", (string?)errors["container.throughput"]![0], StringComparison.Ordinal);
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_Ended_IsStillThereForTheNextServer()
    {
        using var folder = new TemporaryFolder();
        using (var first = await ServeProcess.StartAsync("--out", folder.Path))
        {
            using var http = first.Client();
            await PostAsync(http, Small);
            while ((string?)(await StatusAsync(http, "small"))["state"] is "queued" or "running")
                await Task.Delay(50, Cancellation);
            var status = await StatusAsync(http, "small");
            Assert.Equal("done", (string?)status["workers"]![0]!["state"]);
            Assert.NotEmpty(status["partitions"]!.AsArray());
        }

        using var second = await ServeProcess.StartAsync("--out", folder.Path);
        using var again = second.Client();
        var ended = await StatusAsync(again, "small");
        Assert.Equal(("complete", 100), ((string?)ended["state"], (int?)ended["done"]));
        Assert.Contains("small", await again.GetStringAsync("api/runs", Cancellation), StringComparison.Ordinal);
        AssertText.Has(await again.GetStringAsync("api/runs/small/report?format=html", Cancellation), "<!DOCTYPE html>");
    }

    [Fact]
    public async Task Options_Invalid_AreNamedAllAtOnce()
    {
        using var folder = new TemporaryFolder();
        var program = await DevBoxCommand.RunAsync(
            folder.Path, ["serve", "--port", "70000", "--max-rus", "0", "--max-workers", "x", "--out", " "]);
        Assert.Equal(2, program.ExitCode);
        Assert.All(
            ["--port", "--max-rus", "--max-workers", "--out"],
            option => Assert.Contains($"error: {option}:", program.Errors, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Port_InUse_IsAnError()
    {
        using var other = new TemporaryFolder();
        var second = await DevBoxCommand.RunAsync(other.Path, ["serve", "--port", $"{idle.Process.Address.Port}"]);
        Assert.Equal(2, second.ExitCode);
        Assert.Contains("in use by another process", second.Errors, StringComparison.Ordinal);
    }

    private static Task<HttpResponseMessage> PostAsync(HttpClient http, string spec) =>
        http.PostAsync("api/runs", new StringContent(spec, Encoding.UTF8, "application/json"), Cancellation);

    private static async Task<JsonNode> StatusAsync(HttpClient http, string id) =>
        JsonNode.Parse(await http.GetStringAsync($"api/runs/{id}", Cancellation))!;
}

/// <summary><c>DevBox serve</c> for all tests that do not change it.</summary>
public sealed class IdleServer : IAsyncLifetime
{
    internal ServeProcess Process { get; private set; } = null!;

    public async ValueTask InitializeAsync() => Process = await ServeProcess.StartAsync();

    public ValueTask DisposeAsync()
    {
        Process.Dispose();
        return ValueTask.CompletedTask;
    }
}
