using Azure.Core;
using Azure.Core.Pipeline;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>
/// A stand-in for Azure Resource Manager with one account, over HTTPS on loopback. It keeps what is written. A change can be an operation
/// that goes on after its response, and a call can get a scripted response instead.
/// </summary>
internal sealed class ResourceManagerStandIn : IAsyncDisposable
{
    public const string AccountPath =
        "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/tests/providers/Microsoft.DocumentDB/databaseAccounts/books";

    public const string Token = "token-of-the-stand-in";

    private readonly X509Certificate2 _certificate = SelfSigned.Create();
    private readonly ConcurrentDictionary<string, Queue<Func<HttpContext, Task>>> _overrides = new(StringComparer.Ordinal);
    private LoopbackServer? _server;
    private int _pollsLeft;

    /// <summary>Bodies of the resources by path.</summary>
    public ConcurrentDictionary<string, JsonNode> Resources { get; } = new(StringComparer.Ordinal);

    /// <summary>Every request as method, path and query, and body.</summary>
    public ConcurrentQueue<(string Call, string Body)> Calls { get; } = [];

    /// <summary>Header that holds the address of a change's progress. With null the change is done when the response comes.</summary>
    public string? ProgressHeader { get; set; }

    /// <summary>How many times the progress is unfinished before the change ends.</summary>
    public int UnfinishedPolls { get; set; } = 2;

    /// <summary>Body of the progress once the change has ended.</summary>
    public string EndOfOperation { get; set; } = """{"status":"Succeeded"}""";

    /// <summary>Address of the progress; null means this server's own.</summary>
    public string? ProgressAddress { get; set; }

    public string[] CallsOf(string method) =>
        [.. Calls.Where(call => call.Call.StartsWith(method + " ", StringComparison.Ordinal)).Select(call => call.Call)];

    public static async Task<ResourceManagerStandIn> StartAsync()
    {
        var standIn = new ResourceManagerStandIn();
        standIn._server = await LoopbackServer.StartAsync(standIn.ResponseAsync, standIn._certificate);
        return standIn;
    }

    /// <summary>Sets the response to the next call of a method and path.</summary>
    public void RespondOnce(string call, int status, string body, params (string Name, string Value)[] headers) =>
        _overrides.GetOrAdd(call, _ => new()).Enqueue(async context =>
        {
            context.Response.StatusCode = status;
            foreach (var (name, value) in headers)
                context.Response.Headers[name] = value;
            await context.Response.WriteAsync(body);
        });

    /// <param name="time">Null for the system's clock.</param>
    public ResourceManagerClient CreateClient(TimeProvider? time = null)
    {
        var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) =>
            certificate!.GetCertHashString() == _certificate.GetCertHashString();
        var options = new ResourceManagerClientOptions
        {
            Transport = new HttpClientTransport(new HttpClient(handler)),
            PollInterval = TimeSpan.FromMilliseconds(10),
            Time = time ?? TimeProvider.System,
            Retry = { Delay = TimeSpan.FromMilliseconds(10), MaxDelay = TimeSpan.FromMilliseconds(50) },
        };
        return new ResourceManagerClient(_server!.Endpoint, new FixedToken(), options);
    }

    public async ValueTask DisposeAsync()
    {
        await _server!.DisposeAsync();
        _certificate.Dispose();
    }

    private async Task ResponseAsync(HttpContext context)
    {
        var request = context.Request;
        var path = request.Path.Value!;
        using var reader = new StreamReader(request.Body);
        Calls.Enqueue(($"{request.Method} {path}{request.QueryString}", await reader.ReadToEndAsync(context.RequestAborted)));
        if (request.Headers.Authorization != "Bearer " + Token)
        {
            context.Response.StatusCode = 401;
            return;
        }

        if (_overrides.TryGetValue($"{request.Method} {path}", out var queue) && queue.TryDequeue(out var responseAsync))
            await responseAsync(context);
        else if (path.StartsWith("/operations/", StringComparison.Ordinal))
            await ResponseProgressAsync(context);
        else if (HttpMethods.IsGet(request.Method))
            await ResponseGetAsync(context, path);
        else
            Change(context, path);
    }

    private async Task ResponseGetAsync(HttpContext context, string path)
    {
        var body = """{"code":"NotFound","message":"Message: {\"Errors\":[\"Resource Not Found.\"]}\r\nActivityId: 0"}""";
        if (Resources.TryGetValue(path, out var resource))
            body = new JsonObject { ["id"] = path, ["properties"] = new JsonObject { ["resource"] = resource.DeepClone() } }.ToJsonString();
        else
            context.Response.StatusCode = 404;
        await context.Response.WriteAsync(body);
    }

    private void Change(HttpContext context, string path)
    {
        if (HttpMethods.IsDelete(context.Request.Method))
            Resources.TryRemove(path, out _);
        else
            Keep(path, JsonNode.Parse(Calls.Last().Body)!["properties"]!);

        if (ProgressHeader is not null)
        {
            _pollsLeft = UnfinishedPolls;
            context.Response.StatusCode = 202;
            context.Response.Headers[ProgressHeader] = ProgressAddress ?? $"{_server!.Endpoint}operations/1?api-version=x";
            context.Response.Headers.RetryAfter = "0";
            return;
        }

        context.Response.StatusCode = HttpMethods.IsDelete(context.Request.Method) ? 204 : 200;
    }

    private void Keep(string path, JsonNode properties)
    {
        Resources[path] = properties["resource"]!.DeepClone();
        if (properties["options"] is JsonObject { Count: > 0 } options)
            Resources[path + "/throughputSettings/default"] = options.DeepClone();
    }

    private async Task ResponseProgressAsync(HttpContext context)
    {
        var unfinished = _pollsLeft-- > 0;
        if (ProgressHeader == "Location")
        {
            context.Response.StatusCode = unfinished ? 202 : 200;
            return;
        }

        await context.Response.WriteAsync(unfinished ? """{"status":"InProgress"}""" : EndOfOperation);
    }

    private sealed class FixedToken : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            requestContext.Scopes is [var scope] && scope.EndsWith("/.default", StringComparison.Ordinal)
                ? new AccessToken(Token, DateTimeOffset.UtcNow.AddHours(1))
                : throw new InvalidOperationException(JsonSerializer.Serialize(requestContext.Scopes));

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(GetToken(requestContext, cancellationToken));
    }
}
