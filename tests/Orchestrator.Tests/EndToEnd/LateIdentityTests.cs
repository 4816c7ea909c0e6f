using ScaleOut.Tests.Support.Storage;
using ScaleOut.Workers.Containers;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>
/// A managed identity that an instance does not have yet, as in the first minutes of a deployment. A server in the place of the platform's
/// identity endpoint responds as the platform does then.
/// </summary>
[Collection(nameof(Alone))]
public sealed class LateIdentityTests : IAsyncLifetime
{
    private const string Spec = """{"id": "late", "documents": 100, "workers": 1, "container": {"throughput": 4000}}""";

    private SimulatedAccount _account = null!;
    private LoopbackServer _identity = null!;
    private AccountConnection _way = null!;
    private FunctionsHost _host = null!;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _account = await SimulatedAccount.StartAsync(new AccountSettings { Latency = LatencyProfile.None }, Cancellation);
        _way = _account.Connection() with { Key = null };
        _identity = await LoopbackServer.StartAsync(async context =>
        {
            context.Response.StatusCode = 400;
            await context.Response.WriteAsJsonAsync(
                new { statusCode = 400, message = "No User Assigned or Delegated Managed Identity found" }, Cancellation);
        });
        _host = await FunctionsHost.StartAsync(
            services =>
            {
                services.AddSingleton<IRunStore>(new MemoryRunStore());
                services.AddSingleton<IRunCatalog>(new MemoryRunCatalog());
                services.AddSingleton<IProgressSink>(new NoProgress());
                services.AddSingleton<Func<IContainerControl>>(() => new ContainerControl(_way));
            },
            new Dictionary<string, string?>
            {
                ["COSMOS_CONNECTION_STRING"] = $"AccountEndpoint={_account.HttpsEndpoint};AccountKey={_account.Key}",
                ["COSMOS_CERTIFICATE_SHA256"] = _account.CertificateThumbprint,
                ["COSMOS_SIMULATED"] = "true",
            });
    }

    public async ValueTask DisposeAsync()
    {
        UseIdentity(null);
        await _host.DisposeAsync();
        await _identity.DisposeAsync();
        await _account.DisposeAsync();
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_ManagedIdentityIsNotFoundYet_IsWaitedFor()
    {
        UseIdentity(_identity.Endpoint);
        await _host.SendAsync(HttpMethod.Post, "/api/runs", Spec);
        while ((string?)JsonNode.Parse((await _host.SendAsync(HttpMethod.Get, "/api/runs/late")).Text)!["phase"] != "waitingForRoles")
            await Task.Delay(20, Cancellation);

        _way = _account.Connection();
        var outcome = await EndAsync();

        Assert.Equal((RunState.Complete, 100L), (outcome.State, outcome.Counts.Inserted));
    }

    /// <summary>On a dev box nobody gives the app an identity by itself.</summary>
    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Run_NobodyIsSignedIn_EndsAtOnce()
    {
        await _host.SendAsync(HttpMethod.Post, "/api/runs", Spec);

        var outcome = await EndAsync();

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Contains("sign in (az login)", Assert.Single(outcome.Reasons), StringComparison.Ordinal);
        Assert.Single(_host.WorkItems.Activities, call => call.Name == FunctionNames.PrepareContainer);
    }

    private async Task<RunOutcome> EndAsync()
    {
        var ended = await _host.EndOfAsync("late");
        return JsonSerializer.Deserialize<RunOutcome>(ended.SerializedOutput!, ScaleOutJson.Compact)!;
    }

    /// <summary>Sets what the platform gives an app with a managed identity.</summary>
    private static void UseIdentity(Uri? endpoint)
    {
        Environment.SetEnvironmentVariable("IDENTITY_ENDPOINT", endpoint?.AbsoluteUri);
        Environment.SetEnvironmentVariable("IDENTITY_HEADER", endpoint is null ? null : "header");
    }
}
