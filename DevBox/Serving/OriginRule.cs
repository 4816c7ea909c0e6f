using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace ScaleOut.DevBox.Serving;

/// <summary>
/// Who may call a server on this machine. A page of any site can send requests to it through its visitor's browser: under another name that leads here
/// (DNS rebinding), or across origins. The browser says so in headers that the page cannot change.
/// </summary>
internal static class OriginRule
{
    private static readonly string[] Names = ["localhost", "127.0.0.1", "[::1]"];

    /// <summary>Why a request is turned down; null when it is not.</summary>
    public static string? Refusal(HttpRequest request, int port)
    {
        var own = Names.Select(name => $"{name}:{port.ToString(CultureInfo.InvariantCulture)}").ToList();
        if (port == 80)
            own.AddRange(Names);
        var host = request.Headers.Host.ToString();
        if (!own.Contains(host, StringComparer.OrdinalIgnoreCase))
            return $"This server answers to {own[0]} and {own[1]} alone.";
        if (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method))
            return null;

        var origin = request.Headers.Origin;
        if (origin.Count > 0 && (origin.Count > 1 || !string.Equals(origin[0], $"http://{host}", StringComparison.OrdinalIgnoreCase)))
            return "A page of another origin can neither start nor stop runs.";
        var site = request.Headers["Sec-Fetch-Site"];
        return site.Count > 0 && site.ToString() is not ("same-origin" or "none") ? "A page of another site can neither start nor stop runs." : null;
    }
}
