using System.Reflection;
using DurableTask.Core;
using Grpc.Net.Client;
using Microsoft.ApplicationInsights.Extensibility;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Azure.Functions.Worker;
using Microsoft.DurableTask.Client;
using Microsoft.DurableTask.Client.Grpc;
using Microsoft.DurableTask.Testing.Sidecar;
using Microsoft.DurableTask.Testing.Sidecar.Grpc;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>
/// The Functions host of a test. It speaks the host's protocol with the app as the app is built by its own program, and hands it the work
/// items of a Durable Task engine in this process. So every input and output goes through the converters, middleware and options that the
/// app registers; a test only replaces services at the app's own boundaries, such as where documents go.
/// </summary>
internal sealed class FunctionsHost : IAsyncDisposable
{
    /// <summary>A run that hangs must fail its test. Other runs take seconds, and on a busy machine minutes.</summary>
    public const int MaxTestMs = 600_000;

    private readonly WebApplication _host;
    private readonly WorkerChannel _channel;
    private readonly Uri _address;
    private readonly GrpcChannel _grpc;
    private readonly CancellationTokenSource _ended = new();
    private IHost _app = null!;
    private Task _working = Task.CompletedTask;
    private Uri? _appAddress;

    private FunctionsHost(WebApplication host, WorkerChannel channel, Uri address)
    {
        (_host, _channel, _address) = (host, channel, address);
        _grpc = GrpcChannel.ForAddress(address, new GrpcChannelOptions { MaxReceiveMessageSize = null, MaxSendMessageSize = null });
        WorkItems = new WorkItems(this, _grpc);
    }

    /// <summary>Functions of the app by name.</summary>
    public IReadOnlyDictionary<string, HostedFunction> Functions { get; private set; } = new Dictionary<string, HostedFunction>();

    public IServiceProvider Services => _app.Services;

    /// <summary>The work items between the engine and the app.</summary>
    public WorkItems WorkItems { get; }

    /// <summary>A client of the engine that does not convert inputs and outputs as the app does.</summary>
    public DurableTaskClient Engine { get; private set; } = null!;

    /// <summary>What clients ask the engine to start.</summary>
    public EngineStarts Starts => _host.Services.GetRequiredService<EngineStarts>();

    /// <summary>Address of the app's own web server.</summary>
    public Uri AppAddress => _appAddress!;

    /// <summary>What the app logged at level Warning and above.</summary>
    public IEnumerable<string> Warnings => _channel.Warnings;

    /// <summary>Waits for the end of an orchestration, whose input and output are read, too.</summary>
    public async Task<OrchestrationMetadata> EndOfAsync(string instanceId)
    {
        var end = Engine.WaitForInstanceCompletionAsync(
            instanceId, getInputsAndOutputs: true, TestContext.Current.CancellationToken);
        await await Task.WhenAny(end, WorkItems.Failure);
        return await end;
    }

    /// <summary>Starts the app in this process, and indexes and loads its functions.</summary>
    /// <param name="configure">Replaces services of the app.</param>
    /// <param name="settings">Settings that are added to the usual ones or replace them.</param>
    public static async Task<FunctionsHost> StartAsync(
        Action<IServiceCollection>? configure = null, IReadOnlyDictionary<string, string?>? settings = null)
    {
        Assert.True(
            Environment.ProcessorCount >= 64,
            "The engine runs as many activities at once as there are cores. Set DOTNET_PROCESSOR_COUNT as launchSettings.json does.");
        var channel = new WorkerChannel();
        var web = await StartEngineAsync(channel);
        var host = new FunctionsHost(web, channel, new Uri(AddressOf(web.Services)));
        try
        {
            await host.StartAppAsync(configure, settings ?? new Dictionary<string, string?>());
            return host;
        }
        catch
        {
            await host.DisposeAsync();
            throw;
        }
    }

    /// <summary>Invokes a function by its trigger.</summary>
    /// <returns>The invocation response with its status.</returns>
    public Task<JsonObject> InvokeAsync(
        HostedFunction function, JsonObject trigger, string? invocationId = null, JsonObject? metadata = null)
    {
        invocationId ??= Guid.NewGuid().ToString();
        var inputs = new JsonArray(new JsonObject { ["name"] = function.Trigger.Key, ["data"] = trigger });
        foreach (var (name, _) in function.Bindings.Where(binding => HostedFunction.TypeOf(binding.Value) == "durableClient"))
            inputs.Add(new JsonObject { ["name"] = name, ["data"] = new JsonObject { ["string"] = ClientBinding() } });
        var request = new JsonObject
        {
            ["invocationId"] = invocationId,
            ["functionId"] = function.Id,
            ["inputData"] = inputs,
            ["traceContext"] =
                new JsonObject { ["traceParent"] = $"00-{ActivityTraceId.CreateRandom()}-{ActivitySpanId.CreateRandom()}-01" },
        };
        if (metadata is not null)
            request["triggerMetadata"] = metadata;
        return _channel.AskAsync("invocationRequest", request, invocationId);
    }

    /// <summary>
    /// Sends a request to the app as its host does: the function is invoked, and the request itself is forwarded to the app's own server.
    /// </summary>
    public async Task<(HttpResponseMessage Response, string Text)> SendAsync(HttpMethod method, string path, string? body = null)
    {
        var function = Functions.Values.Single(f => f.TriggerType == "httpTrigger" && f.Accepts(method)
            && Matches((string)f.Trigger.Value["route"]!, path.Split('?')[0]));
        var invocationId = Guid.NewGuid().ToString();
        var url = $"https://app.example{path}";
        var invocation = InvokeAsync(
            function, new JsonObject { ["http"] = new JsonObject { ["method"] = method.Method, ["url"] = url } }, invocationId);
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(method, new Uri(_appAddress!, path));
        request.Headers.Host = "app.example";
        request.Headers.Add("x-ms-invocation-id", invocationId);
        if (body is not null)
            request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var response = await http.SendAsync(request, TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        AssertSucceeded(await invocation);
        return (response, text);
    }

    /// <summary>Fails the test unless an invocation succeeded.</summary>
    public static void AssertSucceeded(JsonObject response) =>
        Assert.True(Succeeded(response), (response["result"]?["exception"] ?? response).ToJsonString());

    /// <summary>Whether an invocation succeeded. JSON leaves out the status of a failure, which is the first value of its enum.</summary>
    public static bool Succeeded(JsonObject response) => (string?)response["result"]?["status"] == "Success";

    /// <summary>What a function returned, as text; null when it returned nothing.</summary>
    public static string? ReturnOf(JsonObject response) => response["returnValue"] is not JsonObject { Count: > 0 } value ? null
        : value.ContainsKey("bytes") ? Encoding.UTF8.GetString(Convert.FromBase64String((string)value["bytes"]!))
        : (string?)(value["string"] ?? value["json"]);

    /// <summary>Ends the host without a word to the app, as a kill does.</summary>
    public ValueTask KillAsync() => _host.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        await _working.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_app is not null)
        {
            await _app.StopAsync().WaitAsync(TimeSpan.FromSeconds(10)).ContinueWith(_ => { }, TaskScheduler.Default);
            // Modules listen to the activities of all apps in this process. One without its configuration would fail another app's calls.
            foreach (var module in Services.GetServices<ITelemetryModule>().OfType<IDisposable>())
                module.Dispose();
            _app.Dispose();
        }

        _grpc.Dispose();
        await _host.DisposeAsync();
        _ended.Dispose();
    }

    private static async Task<WebApplication> StartEngineAsync(WorkerChannel channel)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            // A stream of messages is idle at times, and a busy machine reads it late.
            (kestrel.Limits.MinRequestBodyDataRate, kestrel.Limits.MinResponseDataRate) = (null, null);
        });
        builder.Services.AddGrpc(grpc =>
        {
            (grpc.MaxReceiveMessageSize, grpc.MaxSendMessageSize) = (null, null);
            grpc.Interceptors.Add<EngineStarts>();
        });
        builder.Services.AddSingleton<EngineStarts>();
        builder.Services.AddSingleton(services => new InMemoryOrchestrationService(services.GetRequiredService<ILoggerFactory>()));
        builder.Services.AddSingleton<IOrchestrationService>(services => services.GetRequiredService<InMemoryOrchestrationService>());
        builder.Services.AddSingleton<IOrchestrationServiceClient>(services => services.GetRequiredService<InMemoryOrchestrationService>());
        builder.Services.AddSingleton<TaskHubGrpcServer>();
        var web = builder.Build();
        channel.Map(web);
        web.MapGrpcService<TaskHubGrpcServer>();
        await web.StartAsync();
        return web;
    }

    private static string AddressOf(IServiceProvider server) =>
        server.GetRequiredService<IServer>().Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();

    private static bool Matches(string route, string path)
    {
        var (wanted, given) = ($"api/{route}".Split('/'), path.Trim('/').Split('/'));
        return wanted.Length == given.Length && wanted.Zip(given).All(pair => pair.First.StartsWith('{') || pair.First == pair.Second);
    }

    private async Task StartAppAsync(Action<IServiceCollection>? configure, IReadOnlyDictionary<string, string?> settings)
    {
        _ = _host.Services.GetRequiredService<TaskHubGrpcServer>();
        // The Functions host sets this path, where the worker finds host.json.
        Environment.SetEnvironmentVariable("FUNCTIONS_APPLICATION_DIRECTORY", AppContext.BaseDirectory);
        // Where the worker looks for the files that the SDK generates.
        Assembly.SetEntryAssembly(typeof(FunctionApp).Assembly);
        var builder = FunctionApp.CreateBuilder([.. AppSettings.HostArguments(_address), .. AppSettings.Arguments(settings)]);
        // The worker library chooses one free port for each process and takes it later. Here each app takes a port as it starts.
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        configure?.Invoke(builder.Services);
        _app = builder.Build();
        await _app.StartAsync(TestContext.Current.CancellationToken);
        Services.GetRequiredService<IOptions<WorkerOptions>>().Value.Capabilities["HttpUri"] = AddressOf(Services);
        await _channel.Connected.WaitAsync(TestContext.Current.CancellationToken);

        var capabilities = new JsonObject
        {
            ["EnableHttpProxying"] = "true",
            ["RpcHttpTriggerMetadataRemoved"] = "true",
            ["RpcHttpBodyOnly"] = "true",
            ["HandlesInvocationCancelMessage"] = "true",
        };
        var init = await _channel.AskAsync("workerInitRequest", new JsonObject
        {
            ["hostVersion"] = "4.1000.0",
            ["workerDirectory"] = AppContext.BaseDirectory,
            ["functionAppDirectory"] = AppContext.BaseDirectory,
            ["capabilities"] = capabilities,
        });
        _appAddress = new Uri((string)init["capabilities"]!["HttpUri"]!);
        var described = await _channel.AskAsync(
            "functionsMetadataRequest", new JsonObject { ["functionAppDirectory"] = AppContext.BaseDirectory });
        var metadata = described["functionMetadataResults"]!.AsArray().Select(one => one!.AsObject()).ToList();
        Functions = metadata.Select(HostedFunction.From).ToDictionary(function => function.Name);
        await Task.WhenAll(metadata.Select(async one =>
        {
            var function = Functions[(string)one["name"]!];
            AssertSucceeded(await _channel.AskAsync(
                "functionLoadRequest",
                new JsonObject { ["functionId"] = function.Id, ["metadata"] = one.DeepClone() },
                $"load:{function.Id}"));
        }));

        Engine = new GrpcDurableTaskClient(
            "test", new GrpcDurableTaskClientOptions { Channel = _grpc }, Services.GetRequiredService<ILogger<FunctionsHost>>());
        _working = WorkItems.RunAsync(_ended.Token);
    }

    /// <summary>The input of a function that has a client of the engine as parameter.</summary>
    private string ClientBinding() => new JsonObject
    {
        ["rpcBaseUrl"] = _address.AbsoluteUri,
        ["taskHubName"] = "scaleout",
        ["connectionName"] = "",
        ["requiredQueryStringParameters"] = "code=key",
        ["httpBaseUrl"] = "https://app.example/runtime/webhooks/durabletask",
        ["maxGrpcMessageSizeInBytes"] = int.MaxValue,
        ["grpcHttpClientTimeout"] = "\"00:01:40\"",
    }.ToJsonString();
}
