using ScaleOut.DevBox.Dashboard;

namespace ScaleOut.DevBox.Serving;

/// <summary>
/// Rejects requests that do not come from the server's own page or from programs of this machine. A page of any site can send requests to a
/// server on this machine through its visitor's browser: under another name that resolves to this address (DNS rebinding), or across
/// origins. The browser says so in headers that the page cannot change.
/// </summary>
internal sealed class OriginRule(RequestDelegate next)
{
    private static readonly string[] Names = ["localhost", "127.0.0.1", "[::1]"];

    public async Task InvokeAsync(HttpContext context)
    {
        context.Response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
        if (Rejection(context.Request, context.Connection.LocalPort) is { } reason)
            await Problems.Forbidden(context, reason).ExecuteAsync(context);
        else
            await next(context);
    }

    /// <summary>Why a request is rejected; null when it is not.</summary>
    public static string? Rejection(HttpRequest request, int port)
    {
        var own = Names.Select(name => $"{name}:{port.ToString(CultureInfo.InvariantCulture)}").ToList();
        if (port == 80)
            own.AddRange(Names);
        var host = request.Headers.Host.ToString();
        if (!own.Contains(host, StringComparer.OrdinalIgnoreCase))
            return $"This server accepts requests to {own[0]} and {own[1]} only.";
        if (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method))
            return null;

        var origin = request.Headers.Origin;
        if (origin.Count > 0 && (origin.Count > 1 || !string.Equals(origin[0], $"http://{host}", StringComparison.OrdinalIgnoreCase)))
            return "A page of another origin can neither start nor stop runs.";
        var site = request.Headers["Sec-Fetch-Site"];
        return site.Count > 0 && site.ToString() is not ("same-origin" or "none")
            ? "A page of another site can neither start nor stop runs."
            : null;
    }
}
