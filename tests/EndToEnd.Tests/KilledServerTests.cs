using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>The server is killed while runs are under way or waiting. Resumed, the runs end all the same.</summary>
public sealed class KilledServerTests : ProgramInFolder
{
    private const string First = """{"id":"first","documents":10000000,"workers":1,"client":{"rate":10}}""";
    private const string Waiting = """{"id":"waiting","documents":100,"workers":1}""";

    /// <summary>The disk is full when the report's page is to be written, and then the server is killed.</summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Serve_KilledBetweenReportAndCleanUp_RunIsInterruptedUntilItIsResumed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        await using var account = await StartAccountAsync();
        string[] options = ["--out", Runs, .. Target(account)];
        using (var server = await ServeProcess.StartAsync(options, Key(account), KilobytesWithoutThePage))
        {
            using var http = server.Client();
            await AcceptedAsync(http, """{"id":"served","documents":500,"workers":1}""");
            await Until.HoldsAsync(() => StateIn(http).GetAwaiter().GetResult() == "failed", "the failure of the report");
            await SignalAsync(server.Process, Signals.Kill);
        }

        Assert.False(ContainerOf(account, "served").Deleted);
        using var second = await ServeProcess.StartAsync(options, Key(account));
        using var client = second.Client();
        Assert.Equal("interrupted", await StateIn(client));
        using var resumed = await RunAsync(["resume", "served"], Key(account));

        AssertEnded(resumed);
        Assert.Equal("complete", await StateIn(client));
        AssertComplete(Folder, "served", 500, ContainerOf(account, "served"));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Serve_KilledWhileARunWaits_RunIsResumedOnItsAccount()
    {
        await using var account = await StartAccountAsync();
        using (var server = await ServeProcess.StartAsync(["--out", Runs, .. Target(account)], Key(account)))
        {
            using var http = server.Client();
            await AcceptedAsync(http, First, Waiting);
            await SignalAsync(server.Process, Signals.Kill);
        }

        using var resumed = await RunAsync(["resume", "waiting"], Key(account));

        AssertEnded(resumed);
        AssertComplete(Folder, "waiting", 100, ContainerOf(account, "waiting"));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Serve_StartedAfterOneThatWasKilled_SaysWhyRunsWaitAndStopsOrResumesThem()
    {
        await using var account = await StartAccountAsync();
        string[] options = ["--out", Runs, .. Target(account)];
        using (var server = await ServeProcess.StartAsync(options, Key(account)))
        {
            using var http = server.Client();
            await AcceptedAsync(http, First, Waiting, """{"id":"unwanted","documents":100,"workers":1}""");
            await Until.HoldsAsync(() => File.Exists(In("runs", "first", "prepared.json")), "the first run to be prepared");
            await SignalAsync(server.Process, Signals.Kill);
        }

        using var second = await ServeProcess.StartAsync(options, Key(account));
        using var client = second.Client();
        var (first, waiting) = (await StatusAsync(client, "first"), await StatusAsync(client, "waiting"));
        var stopBegun = await PostAsync(client, "runs/first/stop", "{}");
        var stopUnwanted = await PostAsync(client, "runs/unwanted/stop", "{}");
        var resume = await PostAsync(client, "runs/waiting/resume", "{}");
        await Until.HoldsAsync(
            () => (string?)StatusAsync(client, "waiting").GetAwaiter().GetResult()["state"] == "complete", "the run's end");
        var again = await PostAsync(client, "runs/waiting/resume", "{}");

        Assert.Equal(("interrupted", "interrupted"), ((string?)first["state"], (string?)waiting["state"]));
        Assert.Contains("Resume it to go on", (string?)first["reasons"]![0], StringComparison.Ordinal);
        Assert.Contains("ended before the run began", (string?)waiting["reasons"]![0], StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.Conflict, HttpStatusCode.Accepted), (stopBegun, stopUnwanted));
        Assert.Equal("stopped", (string?)(await StatusAsync(client, "unwanted"))["state"]);
        Assert.Equal((HttpStatusCode.Accepted, HttpStatusCode.Conflict), (resume, again));
        AssertComplete(Folder, "waiting", 100, ContainerOf(account, "waiting"));
    }

    private static async Task AcceptedAsync(HttpClient http, params string[] plans)
    {
        foreach (var plan in plans)
            Assert.Equal(HttpStatusCode.Accepted, await PostAsync(http, "runs", plan));
    }

    private static async Task<JsonNode> StatusAsync(HttpClient http, string id) =>
        JsonNode.Parse(await http.GetStringAsync($"api/runs/{id}", Cancellation))!;

    private static async Task<HttpStatusCode> PostAsync(HttpClient http, string path, string body)
    {
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using var response = await http.PostAsync($"api/{path}", content, Cancellation);
        return response.StatusCode;
    }

    private static async Task<string?> StateIn(HttpClient http) =>
        (string?)JsonNode.Parse(await http.GetStringAsync("api/runs", Cancellation))!["runs"]!.AsArray().Single()!["state"];
}
