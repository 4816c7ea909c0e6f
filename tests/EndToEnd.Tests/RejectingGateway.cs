namespace ScaleOut.Tests.EndToEnd;

/// <summary>A gateway in front of an account that rejects some requests with a lasting error.</summary>
internal sealed class RejectingGateway : IAsyncDisposable
{
    // No client waits that long.
    private const string RetryAfterMs = "600000";

    private readonly AccountRelay _account;
    private readonly X509Certificate2 _certificate = SelfSigned.Create();
    private readonly string _key;
    private LoopbackServer? _server;

    private RejectingGateway(SimulatedAccount account)
    {
        _account = new AccountRelay(account);
        _key = account.Key;
    }

    public AccountConnection Connection => new()
    {
        Endpoint = _server!.Endpoint, Key = _key, CertificateThumbprint = SelfSigned.Thumbprint(_certificate),
    };

    /// <param name="account">Receives all other requests.</param>
    /// <param name="status">The HTTP status of the error.</param>
    /// <param name="isRejected">Whether a request gets the error.</param>
    public static async Task<RejectingGateway> StartAsync(SimulatedAccount account, int status, Func<HttpRequest, bool> isRejected)
    {
        var gateway = new RejectingGateway(account);
        gateway._server = await LoopbackServer.StartAsync(
            context => isRejected(context.Request) ? RejectAsync(context.Response, status) : gateway._account.PassOnAsync(context),
            gateway._certificate);
        return gateway;
    }

    /// <summary>Whether a request writes, or deletes, a document.</summary>
    public static bool IsWriteOfDocument(HttpRequest request) =>
        request.Path.Value!.Contains("/docs", StringComparison.Ordinal) && request.Method != HttpMethods.Get
        && !request.Headers.ContainsKey("x-ms-documentdb-isquery") && !request.Headers.ContainsKey("x-ms-cosmos-is-query-plan-request");

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
        _certificate.Dispose();
        _account.Dispose();
    }

    private static Task RejectAsync(HttpResponse response, int status)
    {
        response.StatusCode = status;
        response.Headers["x-ms-retry-after-ms"] = RetryAfterMs;
        return response.WriteAsync("""{"code":"Error","message":"not today"}""");
    }
}
