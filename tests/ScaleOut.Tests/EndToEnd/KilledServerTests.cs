using ScaleOut.Tests.DevBox.Serving;
using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>The server dies with runs under way or waiting, and they end all the same.</summary>
public sealed class KilledServerTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>
    /// The disk is full when the report's page is to be written, and then the server is killed: the state between the report and the
    /// deletion of the container.
    /// </summary>
    [Fact]
    public async Task Serve_KilledBetweenReportAndCleanUp_RunIsInterruptedUntilItIsResumed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no limit for the files of a process.");
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        string[] options = ["--out", Path.Combine(folder.Path, "runs"), .. Target(account)];
        using (var server = await ServeProcess.StartAsync(options, Key(account), KilobytesWithoutThePage))
        {
            using var http = server.Client();
            using var plan = new StringContent("""{"id":"served","documents":500,"workers":1}""", Encoding.UTF8, "application/json");
            await http.PostAsync("api/runs", plan, Cancellation);
            await Until.HoldsAsync(() => StateIn(http).GetAwaiter().GetResult() == "failed", "the failure of the report");
            Assert.True(Signals.Send(server.Process.Id, Signals.Kill));
            await server.Process.WaitAsync();
        }

        Assert.False(ContainerOf(account, "served").Deleted);
        using var second = await ServeProcess.StartAsync(options, Key(account));
        using var client = second.Client();
        Assert.Equal("interrupted", await StateIn(client));
        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "served"], Key(account));

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        Assert.Equal("complete", await StateIn(client));
        AssertComplete(folder.Path, "served", 500, ContainerOf(account, "served"));
    }

    [Fact]
    public async Task Serve_KilledWhileARunWaits_RunIsResumedOnItsAccount()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        using (var server = await ServeProcess.StartAsync(["--out", Path.Combine(folder.Path, "runs"), .. Target(account)], Key(account)))
        {
            using var http = server.Client();
            const string first = """{"id":"first","documents":10000000,"workers":1,"client":{"rate":10}}""";
            foreach (var plan in (string[])[first, """{"id":"waiting","documents":100,"workers":1}"""])
            {
                using var content = new StringContent(plan, Encoding.UTF8, "application/json");
                Assert.True((await http.PostAsync("api/runs", content, Cancellation)).IsSuccessStatusCode);
            }

            Assert.True(Signals.Send(server.Process.Id, Signals.Kill));
            await server.Process.WaitAsync();
        }

        using var resumed = await DevBoxProcess.RunAsync(folder.Path, ["resume", "waiting"], Key(account));

        Assert.True(resumed.ExitCode == 0, resumed.Output + resumed.Errors);
        AssertComplete(folder.Path, "waiting", 100, ContainerOf(account, "waiting"));
    }

    [Fact]
    public async Task Serve_StartedAfterOneThatWasKilled_SaysWhyRunsWaitAndStopsOrResumesThem()
    {
        await using var account = await StartAccountAsync();
        using var folder = new TemporaryFolder();
        string[] options = ["--out", Path.Combine(folder.Path, "runs"), .. Target(account)];
        using (var server = await ServeProcess.StartAsync(options, Key(account)))
        {
            using var http = server.Client();
            Assert.Equal(HttpStatusCode.Accepted, await PostAsync(
                http, "runs", """{"id":"first","documents":10000000,"workers":1,"client":{"rate":10}}"""));
            Assert.Equal(HttpStatusCode.Accepted, await PostAsync(http, "runs", """{"id":"waiting","documents":100,"workers":1}"""));
            Assert.Equal(HttpStatusCode.Accepted, await PostAsync(http, "runs", """{"id":"unwanted","documents":100,"workers":1}"""));
            await Until.HoldsAsync(
                () => File.Exists(Path.Combine(folder.Path, "runs", "first", "prepared.json")), "the first run to be prepared");
            Assert.True(Signals.Send(server.Process.Id, Signals.Kill));
            await server.Process.WaitAsync();
        }

        using var second = await ServeProcess.StartAsync(options, Key(account));
        using var client = second.Client();
        var (first, waiting) = (await RunAsync(client, "first"), await RunAsync(client, "waiting"));
        var stopBegun = await PostAsync(client, "runs/first/stop", "{}");
        var stopUnwanted = await PostAsync(client, "runs/unwanted/stop", "{}");
        var resume = await PostAsync(client, "runs/waiting/resume", "{}");
        await Until.HoldsAsync(() => (string?)RunAsync(client, "waiting").GetAwaiter().GetResult()["state"] == "complete", "the run's end");
        var again = await PostAsync(client, "runs/waiting/resume", "{}");

        Assert.Equal(("interrupted", "interrupted"), ((string?)first["state"], (string?)waiting["state"]));
        Assert.Contains("Resume it to go on", (string?)first["reasons"]![0], StringComparison.Ordinal);
        Assert.Contains("ended before the run began", (string?)waiting["reasons"]![0], StringComparison.Ordinal);
        Assert.Equal((HttpStatusCode.Conflict, HttpStatusCode.Accepted), (stopBegun, stopUnwanted));
        Assert.Equal("stopped", (string?)(await RunAsync(client, "unwanted"))["state"]);
        Assert.Equal((HttpStatusCode.Accepted, HttpStatusCode.Conflict), (resume, again));
        AssertComplete(folder.Path, "waiting", 100, ContainerOf(account, "waiting"));
    }

    private static async Task<JsonNode> RunAsync(HttpClient http, string id) =>
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
