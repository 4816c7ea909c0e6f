using System.Net.Http.Json;
using Microsoft.Extensions.DependencyInjection;
using ScaleOut.Sizing;

namespace ScaleOut.Tests.DevBox.Serving;

/// <summary>Sizing over the routes of the server.</summary>
public sealed class SizeHandlersTests : IAsyncLifetime
{
    private const string Question =
        """{"rate": 2000, "until": "p99<50ms", "cpuPerOperation": "0.25ms", "throughput": 20000, "document": "device", "mode": "Direct"}""";

    private readonly WorkQueue _queue = new();
    private readonly TaskCompletionSource _searching = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _abandoned = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private LocalServer _server = null!;
    private HttpClient _client = null!;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        var store = new MemoryRunStore();
        _server = await LocalServer.StartAsync(
            port: 0,
            services => services.AddSingleton<IRunStore>(store).AddSingleton<IRunCatalog>(new MemoryRunCatalog())
                .AddSingleton<IRunHost>(new ScriptedHost(store)).AddSingleton<IExperimentHost>(new ScriptedExperimentHost(store))
                .AddSingleton(new HostRules()).AddSingleton(_queue)
                .AddSingleton<SizeResponder>(Watch(new SizeRequests(store).RespondAsync)).AddSingleton<SizeHandlers>(),
            Cancellation);
        _client = new HttpClient { BaseAddress = _server.Address };
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _server.DisposeAsync();
        _queue.Dispose();
    }

    [Fact]
    public async Task Post_Question_ReturnsTheResultAndTheReportOfTheCommand()
    {
        var (response, outcome) = await AskAsync(Question);

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal((string)outcome["reportUri"]!, response.Headers.Location!.ToString());
        Assert.Equal(2_000, (double)outcome["result"]!["rate"]!);
        Assert.Equal("achievedShare>=0.95 && (p99<50ms)", (string?)outcome["result"]!["until"]);
        Assert.Equal(20_000, (int)outcome["result"]!["settings"]!["throughput"]!);
        if ((bool)outcome["result"]!["reached"]!)
            Assert.NotNull(RunSpecReader.Read(outcome["spec"]!.ToJsonString(), RunTarget.OtherAccount).Value);

        var report = await _client.GetAsync(new Uri($"{outcome["reportUri"]}?format=html", UriKind.Relative), Cancellation);
        var html = await report.Content.ReadAsStringAsync(Cancellation);
        Assert.Equal("text/html; charset=utf-8", report.Content.Headers.ContentType!.ToString());
        Assert.Equal(ScaleOut.Api.ApiEndpoints.ReportPolicy, report.Headers.GetValues("Content-Security-Policy").Single());
        string[] parts =
        [
            "devbox size --rate 2000 --until \"p99<50ms\" --cpu-per-operation 0.25ms",
            SizePage.From(outcome["result"].Deserialize<SizeResult>(ScaleOutJson.Compact)!).Result[0],
        ];
        Assert.All(parts, part => Assert.Contains(part, WebUtility.HtmlDecode(html), StringComparison.Ordinal));
        Assert.Contains(
            "# Size of a fleet", await _client.GetStringAsync($"{outcome["reportUri"]}?format=md", Cancellation), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_SeveralErrors_AreNamedByField()
    {
        var errors = await ErrorsAsync(
            """
            {"rate": "many", "until": "p99<", "cpuPerOperation": "1 h", "throughput": 450, "document": "nothing", "cpu": 1, "prices": "x"}
            """);
        Assert.Equal(
            ["cpu", "cpuPerOperation", "document", "prices", "rate", "throughput", "until"], errors.Select(error => error.Key).Order());
        Assert.DoesNotContain("--", errors.Root.ToJsonString(), StringComparison.Ordinal);
        Assert.Equal("'many' is not a number from 0.01 to 1,000,000,000", (string?)errors["rate"]![0]);
    }

    [Theory]
    [InlineData("{}", "rate")]
    [InlineData("""{"rate": 1, "workers": 2}""", "rate")]
    [InlineData("""{"workers": 2, "minutes": 1, "headroom": 0.1, "cpuPerOperation": "1ms"}""", "headroom")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "spec": {"document": {"kind": "csv", "csv": "/x", "keyColumn": "a"}}}""",
        "document.csv")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "csv": "/x"}""", "csv")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "run": "../etc"}""", "run")]
    [InlineData("""{"rate": 10, "document": "/etc/passwd"}""", "document")]
    [InlineData("""{"rate": 10, "cpuPerOperation": [1]}""", "cpuPerOperation")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "--odd-": 1}""", "odd")]
    [InlineData("[]", "")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "retention": "0"}""", "retention")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "mix": "insert=0,read=0"}""", "mix")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "within": "2h"}""", "within")]
    [InlineData("""{"within": "2h", "cpuPerOperation": "1ms", "mix": "insert=95,read=5"}""", "within")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "arrivals": "never"}""", "arrivals")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "bytes": 900, "document": "device"}""", "bytes")]
    [InlineData("""{"rate": 10, "cpuPerOperation": "1ms", "prices": {"currency": "EUR"}}""", "prices")]
    [InlineData("{", "")]
    [InlineData("null", "")]
    [InlineData("""{"rate": 10, "rate": 20}""", "rate")]
    [InlineData("""{"rate": 10, "spec": {"client": {"mode": "Direct", "mode": "Gateway"}}}""", "spec.client.mode")]
    public async Task Post_InvalidQuestion_IsRejectedAtItsField(string question, string field)
    {
        Assert.Contains(field, (await ErrorsAsync(question)).Select(error => error.Key));
    }

    [Fact]
    public async Task Post_SpecOrDocumentOfItsOwn_IsSized()
    {
        var (_, outcome) = await AskAsync(
            """
            {"workers": 2, "minutes": 0.25, "cpuPerOperation": "1ms", "spec": {"client": {"concurrency": 3}},
             "document": {"id": "{{id}}", "customer": "{{key}}"}}
            """);
        var result = outcome["result"]!;

        Assert.Equal((2, 3), ((int)result["settings"]!["workers"]!, (int)result["settings"]!["concurrency"]!));
        Assert.Contains("customer", (string)result["spec"]!["document"]!["template"]!.ToString(), StringComparison.Ordinal);
    }

    /// <summary>
    /// The busiest half of a day: 400 inserts a second of 2,000 bytes for eight hours and 40 for four, and a million documents that are
    /// there for the reads.
    /// </summary>
    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Post_BytesMixAndPrices_DecideStorageAndCost()
    {
        var (_, outcome) = await AskAsync(
            """
            {"rate": 500, "bytes": 2000, "partitionKey": "/deviceId", "mix": "insert=80,read=20", "retention": "12h", "peak": "8h",
             "idleRate": 50, "until": "Insert.p99 < 40ms", "cpuPerOperation": "0.25ms", "mode": "Direct",
             "prices": {"currency": "EUR", "requestUnitPerSecondHour": 0.0001, "gigabyteSecond": 0.00003, "storageGigabyteMonth": 0.5}}
            """);
        var result = outcome["result"]!;
        var gigabytes = ((400 * 3_600 * (8 + (4 * 0.1))) + 1_000_000) * 2_000.0 / 1e9;

        Assert.True((bool)result["reached"]!);
        Assert.Equal(gigabytes, (double)result["growth"]!["gigabytes"]!, 0.001 * gigabytes);
        // Today the preloaded million is stored, and once grown all that is kept for twelve hours, too.
        Assert.Equal(0.5 * 2, (double)result["cost"]!["storage"]!, 0.01);
        Assert.Equal(0.5 * gigabytes, (double)result["grownCost"]!["storage"]!, 0.001 * gigabytes);
        Assert.Equal((double)result["cost"]!["compute"]!, (double)result["grownCost"]!["compute"]!);
        Assert.Equal("EUR", (string?)result["cost"]!["currency"]);
        Assert.NotNull(result["cost"]!["autoscaleWithPeak"]);
        Assert.Equal("/deviceId", (string?)outcome["spec"]!["container"]!["partitionKeyPath"]);
    }

    [Fact]
    public async Task Post_MeasurementDuringARun_IsRejectedWithTheReason()
    {
        var run = new WaitingWork();
        _queue.Add(run);
        try
        {
            var errors = await ErrorsAsync("""{"rate": 100}""");
            Assert.StartsWith("a run is under way", (string?)errors["cpuPerOperation"]![0], StringComparison.Ordinal);
        }
        finally
        {
            run.Stop();
        }
    }

    [Fact]
    public async Task Post_FullQueue_IsRejected()
    {
        var measuring = new MeasuringWork(ended => Task.Delay(Timeout.Infinite, ended).ContinueWith(
            _ => new RunSample().Build(), TaskScheduler.Default));
        _queue.Add(measuring);
        await Until.HoldsAsync(() => _queue.Running == measuring, "the first measurement");
        while (_queue.WhyFull is null)
            _queue.Add(new MeasuringWork(_ => Task.FromResult(new RunSample().Build())));

        var (response, problem) = await AskAsync("""{"rate": 100}""");

        Assert.Equal((503, "The queue is full"), ((int)response.StatusCode, (string?)problem["title"]));
        measuring.Stop();
    }

    /// <summary>The second measurement begins when the first has ended.</summary>
    [Fact]
    public async Task Measurements_AtTheSameTime_WaitForOneAnother()
    {
        var (first, begun) = (new TaskCompletionSource<RunReport>(), new List<int>());
        var one = new MeasuringWork(_ => Begin(1, first.Task));
        var two = new MeasuringWork(_ => Begin(2, Task.FromResult(new RunSample().Build())));
        _queue.Add(one);
        _queue.Add(two);
        await Until.HoldsAsync(() => Has(1), "the first measurement");

        Assert.False(Has(2));
        first.SetResult(new RunSample().Build());
        await one.Report;
        await two.Report;
        Assert.True(Has(2));

        Task<RunReport> Begin(int number, Task<RunReport> report)
        {
            lock (begun)
                begun.Add(number);
            return report;
        }

        bool Has(int number)
        {
            lock (begun)
                return begun.Contains(number);
        }
    }

    [Fact]
    public async Task Get_UnknownResultOrFormat_IsAProblem()
    {
        Assert.Equal(HttpStatusCode.NotFound, (await _client.GetAsync("api/size/s-nothing", Cancellation)).StatusCode);
        var uri = (await AskAsync(Question)).Body["reportUri"];
        Assert.Equal(HttpStatusCode.BadRequest, (await _client.GetAsync($"{uri}?format=pdf", Cancellation)).StatusCode);
        using var text = new StringContent("{}");
        Assert.Equal(HttpStatusCode.UnsupportedMediaType, (await _client.PostAsync("api/size", text, Cancellation)).StatusCode);
    }

    private async Task<(HttpResponseMessage Response, JsonObject Body)> AskAsync(string question)
    {
        var response = await _client.PostAsync("api/size", new StringContent(question, Encoding.UTF8, "application/json"), Cancellation);
        return (response, (await response.Content.ReadFromJsonAsync<JsonObject>(Cancellation))!);
    }

    /// <summary>A search over hundreds of workers goes on for longer than a client that leaves takes to be noticed.</summary>
    [Fact]
    public async Task Post_ClientLeaves_EndsTheSearch()
    {
        using var leaving = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        using var question = new StringContent(
            Question.Replace("2000,", "400000,", StringComparison.Ordinal).Replace("\"throughput\": 20000, ", "", StringComparison.Ordinal),
            Encoding.UTF8, "application/json");
        var asking = _client.PostAsync("api/size", question, leaving.Token);
        await _searching.Task.WaitAsync(Cancellation);

        await leaving.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking);
        await _abandoned.Task.WaitAsync(TimeSpan.FromMinutes(1), Cancellation);
    }

    private async Task<JsonObject> ErrorsAsync(string question)
    {
        var (response, problem) = await AskAsync(question);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        return problem["errors"]!.AsObject();
    }

    private SizeResponder Watch(SizeResponder respondAsync) => async (question, measureAsync, cancellationToken) =>
    {
        _searching.TrySetResult();
        try
        {
            return await respondAsync(question, measureAsync, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            _abandoned.TrySetResult();
            throw;
        }
    };

    private sealed class WaitingWork : IHostedWork
    {
        private readonly TaskCompletionSource _ended = new();

        public string Id => "a-run";

        public Task RunAsync() => _ended.Task;

        public Task GiveUpAsync() => Task.CompletedTask;

        public void Stop() => _ended.TrySetResult();

        public void Kill() => Stop();

        public void Dispose()
        {
        }
    }
}
