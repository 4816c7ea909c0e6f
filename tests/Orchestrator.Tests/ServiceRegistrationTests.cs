using System.Reflection;
using Microsoft.ApplicationInsights;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScaleOut.Tests.Support.Telemetry;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Orchestrator.Tests;

[Collection(nameof(Alone))]
public sealed class ServiceRegistrationTests
{
    private const string ConnectionString =
        "InstrumentationKey=00000000-0000-0000-0000-000000000001;IngestionEndpoint=https://127.0.0.1:9/";

    private static readonly Dictionary<string, string?> WithTelemetry =
        new() { ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = ConnectionString };

    /// <summary>The classes with functions, of which each call has its own instance.</summary>
    public static TheoryData<Type> FunctionClasses =>
        [.. typeof(FunctionApp).Assembly.GetTypes().Where(type => FunctionsOf(type).Any(method => !method.IsStatic))];

    [Theory]
    [MemberData(nameof(FunctionClasses))]
    public void Services_OfEveryFunctionClass_CanBeMade(Type functions)
    {
        using var app = Build();

        Assert.NotNull(ActivatorUtilities.CreateInstance(app.Services, functions));
    }

    /// <summary>Durable Functions reads inputs with one of these serializers and writes everything with the other.</summary>
    [Fact]
    public void Services_JsonOptionsAndSerializer_AreThoseOfTheProject()
    {
        using var app = Build();
        var options = app.Services.GetRequiredService<IOptions<JsonSerializerOptions>>().Value;
        var serializer = app.Services.GetRequiredService<IOptions<WorkerOptions>>().Value.Serializer!;
        var spec =
            new RunSpec { Id = "r1", Client = new() { ConnectionMode = ConnectionMode.Gateway }, Container = new() { Name = "mine" } };

        var text = JsonSerializer.Serialize(spec, ScaleOutJson.Compact);

        Assert.Equal(text, JsonSerializer.Serialize(spec, options));
        Assert.Equal(text, serializer.Serialize(spec, cancellationToken: TestContext.Current.CancellationToken).ToString());
        Assert.Equal(text, JsonSerializer.Serialize(JsonSerializer.Deserialize<RunSpec>(text, options), options));
    }

    [Fact]
    public void Services_WithApplicationInsights_ReceiveLegsAndRunsBesideTheMetrics()
    {
        using var with = Build(WithTelemetry);
        using var without = Build();

        Assert.Equal(
            [typeof(MetricsTelemetry), typeof(ApplicationInsightsTelemetry)],
            with.Services.GetServices<IRunTelemetry>().Select(one => one.GetType()));
        Assert.Equal([typeof(MetricsTelemetry)], without.Services.GetServices<IRunTelemetry>().Select(one => one.GetType()));
    }

    /// <summary>Tracking of each HTTP call would slow Gateway mode down, but not Direct mode.</summary>
    [Fact]
    public async Task Services_WithApplicationInsights_TrackNoCallsByThemselves()
    {
        await using var ingestion = await Ingestion.StartAsync();
        await using var account = await LoopbackServer.StartAsync(_ => Task.CompletedTask);
        using var app = Build(
            new() { ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = $"{ingestion.ConnectionString};LiveEndpoint={account.Endpoint}" });
        var telemetry = app.Services.GetRequiredService<TelemetryClient>();
        using (var http = new HttpClient())
        {
            // Calls to the host of the ingestion endpoint, which is localhost, are never tracked.
            await http.GetAsync(new UriBuilder(account.Endpoint) { Host = "127.0.0.1" }.Uri, TestContext.Current.CancellationToken);
        }

        telemetry.TrackTrace("the last record");

        await telemetry.FlushAsync(TestContext.Current.CancellationToken);

        // The trace shows that tracked records arrive.
        while (!ingestion.Text.Contains("the last record", StringComparison.Ordinal))
            await Task.Delay(20, TestContext.Current.CancellationToken);
        Assert.DoesNotContain(ingestion.Records, record => record.Type == "RemoteDependencyData");
    }

    [Fact]
    public async Task Start_SettingsWrong_NamesAllOfThem()
    {
        var settings = new Dictionary<string, string?>
        {
            ["COSMOS_CONNECTION_STRING"] = null,
            ["RunStore"] = null,
            ["MAX_RUS"] = "lots",
            ["WORKER_CAPACITY"] = "0",
        };

        // No server listens there, and the app must not try to connect.
        var host = AppSettings.HostArguments(new Uri("http://127.0.0.1:9/"));
        using var app = FunctionApp.CreateBuilder([.. host, .. AppSettings.Arguments(settings)]).Build();

        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => app.StartAsync(TestContext.Current.CancellationToken));

        Assert.All(["COSMOS_ENDPOINT", "RunStore__blobServiceUri", "MAX_RUS", "WORKER_CAPACITY"], name => Assert.Contains(
            name, error.Message, StringComparison.Ordinal));
    }

    private static IEnumerable<MethodInfo> FunctionsOf(Type type) =>
        type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static)
            .Where(method => method.GetCustomAttribute<FunctionAttribute>() is not null);

    private static IHost Build(Dictionary<string, string?>? settings = null) =>
        FunctionApp.CreateBuilder([.. AppSettings.Arguments(settings ?? [])]).Build();
}
