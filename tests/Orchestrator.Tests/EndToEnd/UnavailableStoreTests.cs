using ScaleOut.Tests.Support;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>The storage account of the run store does not respond, or not yet to the app's identity.</summary>
public sealed class UnavailableStoreTests
{
    private const string Account = "devstoreaccount1";

    private static readonly string Key = Convert.ToBase64String(new byte[64]);

    [Theory(Timeout = FunctionsHost.MaxTestMs)]
    [InlineData("GET", "/api/runs/first", null)]
    [InlineData("GET", "/api/runs", null)]
    [InlineData("GET", "/api/runs/first/report", null)]
    [InlineData("POST", "/api/runs", """{"id": "first", "documents": 10, "workers": 1, "container": {"throughput": 1000}}""")]
    public async Task Request_RunStoreIsAway_NamesItAndWhenToAskAgain(string method, string path, string? body)
    {
        var address = ClosedPort.New();
        await using var host = await FunctionsHost.StartAsync(settings: SettingsFor(address));

        var (response, text) = await host.SendAsync(new HttpMethod(method), path, body);

        var problem = JsonNode.Parse(text)!;
        Assert.Equal((503, "application/problem+json"), ((int)response.StatusCode, response.Content.Headers.ContentType!.MediaType));
        Assert.Equal("The run store is not available", (string?)problem["title"]);
        Assert.Contains($"Connection refused ({address.Authority})", (string?)problem["detail"], StringComparison.Ordinal);
        Assert.NotNull(response.Headers.RetryAfter);
        Assert.DoesNotContain(Key, text, StringComparison.Ordinal);
    }

    [Fact(Timeout = FunctionsHost.MaxTestMs)]
    public async Task Request_RoleDoesNotHoldYet_NamesTheStore()
    {
        await using var storage = await LoopbackServer.StartAsync(context =>
        {
            context.Response.StatusCode = 403;
            context.Response.Headers["x-ms-error-code"] = "AuthorizationPermissionMismatch";
            return Task.CompletedTask;
        });
        await using var host = await FunctionsHost.StartAsync(settings: SettingsFor(storage.Endpoint));

        var (response, text) = await host.SendAsync(HttpMethod.Get, "/api/runs/first");

        Assert.Equal(503, (int)response.StatusCode);
        Assert.Contains("403 AuthorizationPermissionMismatch", (string?)JsonNode.Parse(text)!["detail"], StringComparison.Ordinal);
    }

    private static Dictionary<string, string?> SettingsFor(Uri storage) => new()
    {
        ["RunStore"] = $"AccountName={Account};AccountKey={Key};BlobEndpoint={storage.Scheme}://{storage.Authority}/{Account};"
            + $"QueueEndpoint={storage.Scheme}://{storage.Authority}/{Account}",
    };
}
