using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Explorer;

/// <summary>
/// What the account's endpoints serve to people and supervisors, without a key: <c>/health</c>, and the page <c>/_explorer/</c> with the
/// figures that it shows. The page reads only; it shows names and counts, never a document or the key.
/// </summary>
internal sealed class ExplorerPages(AccountContext account)
{
    private const string Health = "/health";
    private const string Root = "/_explorer";
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'";

    private static readonly string[] LocalNames = ["localhost", "127.0.0.1", "::1", "[::1]"];

    private static readonly Dictionary<string, (string Resource, string Type)> Files = new(StringComparer.Ordinal)
    {
        [$"{Root}/"] = ("explorer.index.html", "text/html; charset=utf-8"),
        [$"{Root}/index.html"] = ("explorer.index.html", "text/html; charset=utf-8"),
        [$"{Root}/explorer.css"] = ("explorer.explorer.css", "text/css; charset=utf-8"),
        [$"{Root}/explorer.js"] = ("explorer.explorer.js", "text/javascript; charset=utf-8"),
    };

    /// <summary>Whether a request's target is one of these; every request is asked, so it looks at two characters first.</summary>
    public static bool Have(string target) =>
        target.Length > 1
        && ((target[1] == 'h' && Is(target, Health)) || (target[1] == '_' && target.StartsWith(Root, StringComparison.Ordinal)));

    public async ValueTask RespondAsync(IFeatureCollection features)
    {
        IHttpRequestFeature request = features.GetRequiredFeature<IHttpRequestFeature>();
        IHttpResponseFeature response = features.GetRequiredFeature<IHttpResponseFeature>();
        string path = PathOf(request.RawTarget);
        response.Headers.CacheControl = "no-store";
        response.Headers["X-Content-Type-Options"] = "nosniff";
        if (!HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method))
        {
            response.Headers.Allow = "GET, HEAD";
            await WriteAsync(features, StatusCodes.Status405MethodNotAllowed, "text/plain", "Only GET is served here.\n"u8.ToArray());
        }
        else if (path == Health)
        {
            await WriteAsync(features, StatusCodes.Status200OK, "application/json", "{\"status\":\"healthy\"}\n"u8.ToArray());
        }
        else if (!LocalNames.Contains(new HostString(request.Headers.Host.ToString()).Host, StringComparer.OrdinalIgnoreCase))
        {
            // A page of any site reaches this server under a name of its own that resolves to this address.
            await WriteAsync(
                features, StatusCodes.Status403Forbidden, "text/plain",
                "The explorer is served to localhost and 127.0.0.1 only.\n"u8.ToArray());
        }
        else
        {
            await RespondExplorerAsync(features, response, path);
        }
    }

    private async Task RespondExplorerAsync(IFeatureCollection features, IHttpResponseFeature response, string path)
    {
        response.Headers.ContentSecurityPolicy = Policy;
        response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
        response.Headers["Referrer-Policy"] = "no-referrer";
        if (path == Root)
        {
            response.Headers.Location = Root + "/";
            await WriteAsync(features, StatusCodes.Status307TemporaryRedirect, "text/plain", []);
        }
        else if (path == $"{Root}/data")
        {
            byte[] json = JsonSerializer.SerializeToUtf8Bytes(ExplorerData.Read(account), ScaleOutJson.Compact);
            await WriteAsync(features, StatusCodes.Status200OK, "application/json", json);
        }
        else if (path == $"{Root}/account.pem")
        {
            await WriteAsync(features, StatusCodes.Status200OK, "application/x-pem-file", Encoding.ASCII.GetBytes(account.CertificatePem));
        }
        else if (Files.TryGetValue(path, out (string Resource, string Type) file))
        {
            using Stream stream = typeof(ExplorerPages).Assembly.GetManifestResourceStream(file.Resource)!;
            byte[] content = new byte[stream.Length];
            await stream.ReadExactlyAsync(content);
            await WriteAsync(features, StatusCodes.Status200OK, file.Type, content);
        }
        else
        {
            await WriteAsync(features, StatusCodes.Status404NotFound, "text/plain", "There is no such page.\n"u8.ToArray());
        }
    }

    private static async Task WriteAsync(IFeatureCollection features, int status, string type, byte[] content)
    {
        IHttpResponseFeature response = features.GetRequiredFeature<IHttpResponseFeature>();
        response.StatusCode = status;
        response.Headers.ContentType = type;
        response.Headers.ContentLength = content.Length;
        if (content.Length > 0 && !HttpMethods.IsHead(features.GetRequiredFeature<IHttpRequestFeature>().Method))
            await features.GetRequiredFeature<IHttpResponseBodyFeature>().Writer.WriteAsync(content);
    }

    private static bool Is(string target, string path) =>
        target.StartsWith(path, StringComparison.Ordinal) && (target.Length == path.Length || target[path.Length] == '?');

    private static string PathOf(string target)
    {
        int query = target.IndexOf('?', StringComparison.Ordinal);
        return query < 0 ? target : target[..query];
    }
}
