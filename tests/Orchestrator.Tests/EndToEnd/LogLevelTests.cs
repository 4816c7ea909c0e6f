using System.Reflection;
using Microsoft.ApplicationInsights;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.Configuration;
using ScaleOut.Tests.Support.Telemetry;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>What the Functions host and the app send to Application Insights although nothing has happened.</summary>
[Collection(nameof(Alone))]
public sealed class LogLevelTests(ITestOutputHelper output)
{
    /// <summary>Reads, which clients poll, and the messages of the workers.</summary>
    private static readonly string[] Quiet = ["Experiment", "ExperimentReport", "KeepProgress", "Run", "RunReport"];

    public static TheoryData<string> Functions =>
    [
        .. typeof(FunctionApp).Assembly.GetTypes().SelectMany(type => type.GetMethods())
            .Select(method => method.GetCustomAttribute<FunctionAttribute>()?.Name).OfType<string>(),
    ];

    /// <summary>
    /// The host writes two lines for each call of a function in a category that begins with the function's name, and a level also counts
    /// for all names that begin with it.
    /// </summary>
    [Theory, MemberData(nameof(Functions))]
    public void HostJson_LinesOfAFunction_AreSentUnlessItIsPolled(string function) =>
        Assert.Equal(!Quiet.Contains(function), IsSent($"Function.{function}"));

    /// <summary>The host writes the request of every call, by which the alert on a silent timer sees it, in this category.</summary>
    [Fact]
    public void HostJson_RequestsOfAllFunctions_AreSent() => Assert.True(IsSent("Host.Results"));

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Poll_OfAStatus_SendsNoLineOfTheWebServer()
    {
        await using var ingestion = await Ingestion.StartAsync();
        await using var app = await TestApp.StartAsync(
            ScriptedLeg.Finish, new Dictionary<string, string?> { ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = ingestion.ConnectionString });

        var (response, _) = await app.GetAsync("/api/runs/none");

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        var telemetry = app.Host.Services.GetRequiredService<TelemetryClient>();
        telemetry.TrackTrace("the last record");
        await telemetry.FlushAsync(TestContext.Current.CancellationToken);
        while (!ingestion.Text.Contains("the last record", StringComparison.Ordinal))
            await Task.Delay(20, TestContext.Current.CancellationToken);
        // Kestrel warns of addresses when it starts.
        Assert.DoesNotMatch(@"Microsoft\.AspNetCore\.(?!Server\.Kestrel)", ingestion.Text);
    }

    /// <summary>
    /// What the app itself sends for a poll of a run's status, and for a worker's message. The host adds the request of the call, and lines
    /// of its own if <c>host.json</c> lets them through, which the other tests see.
    /// </summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task PollAndMessage_OfARunUnderWay_AreAtMostOneRecordEach()
    {
        const int calls = 5;
        var held = new TaskCompletionSource();
        await using var ingestion = await Ingestion.StartAsync();
        await using var app = await TestApp.StartAsync(
            async leg =>
            {
                await held.Task.WaitAsync(TestContext.Current.CancellationToken);
                return ScriptedLeg.Finish(leg);
            },
            new Dictionary<string, string?> { ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = ingestion.ConnectionString });
        await app.StartRunAsync(new RunSpec { Id = "polled", Documents = 10, Workers = 1, Container = new() { Throughput = 1_000 } });
        while (app.Legs.All.Count == 0)
            await Task.Delay(20, TestContext.Current.CancellationToken);
        var before = await RecordsAsync("the run is under way");

        for (var call = 0; call < calls; call++)
            Assert.Equal("running", (string?)(await app.StatusAsync("/api/runs/polled"))["state"]);
        var polled = await RecordsAsync("it was polled");
        for (var sequence = 0; sequence < calls; sequence++)
        {
            var message = WorkerProgress.From(app.Legs.All.First(), 1, sequence, WorkerState.Running, DateTimeOffset.UtcNow);
            FunctionsHost.AssertSucceeded(await app.Host.InvokeAsync(
                app.Host.Functions["KeepProgress"], new JsonObject { ["string"] = ProgressMessage.Write(message) }));
        }

        var reported = await RecordsAsync("its worker reported");
        held.SetResult();
        await app.EndOfAsync("polled");

        Assert.InRange(polled - before - 1, 0, calls);
        Assert.InRange(reported - polled - 1, 0, calls);
        output.WriteLine($"{polled - before - 1} and {reported - polled - 1} records of {calls} calls each");

        async Task<int> RecordsAsync(string last)
        {
            var telemetry = app.Host.Services.GetRequiredService<TelemetryClient>();
            telemetry.TrackTrace(last);
            await telemetry.FlushAsync(TestContext.Current.CancellationToken);
            while (!ingestion.Text.Contains(last, StringComparison.Ordinal))
                await Task.Delay(20, TestContext.Current.CancellationToken);
            return ingestion.Records.Count;
        }
    }

    private static bool IsSent(string category)
    {
        var host = new ConfigurationBuilder().AddJsonFile(Path.Combine(AppContext.BaseDirectory, "host.json")).Build();
        using var loggers = LoggerFactory.Create(logging => logging.AddConfiguration(host.GetSection("logging")).AddConsole());
        return loggers.CreateLogger(category).IsEnabled(LogLevel.Information);
    }
}
