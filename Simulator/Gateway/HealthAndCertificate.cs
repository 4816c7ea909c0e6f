namespace ScaleOut.Simulator.Gateway;

/// <summary>
/// The pages that need no key: <c>/health</c> for supervisors, and the account's certificate for clients, at the path of Azure's emulator.
/// </summary>
internal sealed class HealthAndCertificate(AccountContext account)
{
    private const string Health = "/health";
    private const string Certificate = "/_explorer/account.pem";

    /// <summary>Whether a target is one of these pages. Looks at one character first, because it is called for every request.</summary>
    public static bool Have(string target) => target.Length > 1 && target[1] is 'h' or '_' && PathOf(target) is Health or Certificate;

    public async ValueTask RespondAsync(IFeatureCollection features)
    {
        var request = features.GetRequiredFeature<IHttpRequestFeature>();
        var response = features.GetRequiredFeature<IHttpResponseFeature>();
        var isGet = HttpMethods.IsGet(request.Method);
        (var status, var type, var text) = (isGet || HttpMethods.IsHead(request.Method)) switch
        {
            false => (StatusCodes.Status405MethodNotAllowed, "text/plain", "Only GET is served here.\n"),
            true when PathOf(request.RawTarget) is Health => (StatusCodes.Status200OK, "application/json", "{\"status\":\"healthy\"}\n"),
            true => (StatusCodes.Status200OK, "application/x-pem-file", account.CertificatePem),
        };
        response.StatusCode = status;
        response.Headers[GatewayResponse.SimulatedAccountHeader] = GatewayResponse.SimulatedAccountName;
        response.Headers.ContentType = type;
        response.Headers.ContentLength = text.Length;
        response.Headers.CacheControl = "no-store";
        response.Headers["X-Content-Type-Options"] = "nosniff";
        if (!isGet && status != StatusCodes.Status200OK)
            response.Headers.Allow = "GET, HEAD";
        if (!HttpMethods.IsHead(request.Method))
            await features.GetRequiredFeature<IHttpResponseBodyFeature>().Writer.WriteAsync(Encoding.ASCII.GetBytes(text));
    }

    private static string PathOf(string target) => target.Split('?', 2)[0];
}
