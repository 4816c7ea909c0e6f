using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>
/// The two pages that need no key: <c>/health</c> for supervisors, and the account's certificate for clients that are to trust it, at the
/// path where Azure's emulator has its own.
/// </summary>
internal sealed class PublicPages(AccountContext account)
{
    private const string Health = "/health";
    private const string Certificate = "/_explorer/account.pem";

    /// <summary>Whether a request's target is one of these. Every request is asked, so it looks at one character first.</summary>
    public static bool Have(string target) =>
        target.Length > 1 && target[1] is 'h' or '_' && PathOf(target) is Health or Certificate;

    public async ValueTask RespondAsync(IFeatureCollection features)
    {
        IHttpRequestFeature request = features.GetRequiredFeature<IHttpRequestFeature>();
        IHttpResponseFeature response = features.GetRequiredFeature<IHttpResponseFeature>();
        bool isGet = HttpMethods.IsGet(request.Method);
        (int status, string type, string text) = (isGet || HttpMethods.IsHead(request.Method)) switch
        {
            false => (StatusCodes.Status405MethodNotAllowed, "text/plain", "Only GET is served here.\n"),
            true when PathOf(request.RawTarget) is Health => (StatusCodes.Status200OK, "application/json", "{\"status\":\"healthy\"}\n"),
            true => (StatusCodes.Status200OK, "application/x-pem-file", account.CertificatePem),
        };
        response.StatusCode = status;
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
