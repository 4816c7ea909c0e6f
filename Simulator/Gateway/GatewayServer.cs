using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The Gateway front end. It uses the server without routing or an HttpContext, because its CPU time is measured.</summary>
internal sealed class GatewayServer(AccountContext account) : IHttpApplication<GatewayExchange>
{
    private readonly PublicPages _pages = new(account);

    /// <summary>Gives each connection its own exchange: HTTP/1.1 has one request at a time.</summary>
    public void Listen(ListenOptions listen) => listen.Use(next => async connection =>
    {
        using var exchange = new GatewayExchange(account);
        connection.Features.Set(exchange);
        await next(connection).ConfigureAwait(false);
    });

    public GatewayExchange CreateContext(IFeatureCollection contextFeatures)
    {
        GatewayExchange exchange = contextFeatures.GetRequiredFeature<GatewayExchange>();
        exchange.Begin(contextFeatures);
        return exchange;
    }

    public void DisposeContext(GatewayExchange context, Exception? exception)
    {
    }

    public async Task ProcessRequestAsync(GatewayExchange context)
    {
        try
        {
            if (PublicPages.Have(context.Target))
            {
                await _pages.RespondAsync(context.Features).ConfigureAwait(false);
                return;
            }

            context.Decode();
            await context.ProcessAsync().ConfigureAwait(false);
            account.Engine.Delays.Record(context.Delay);
            await context.WriteAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The client has gone.
            GatewayLog.Disconnected(account.Logger, context.RemotePort, e.Message);
            context.Abort();
        }
        catch (Exception e)
        {
            GatewayLog.RequestFailed(account.Logger, context.Method, context.Target, e);
            throw;
        }
    }
}

internal static partial class GatewayLog
{
    [LoggerMessage(6, LogLevel.Error, "The Gateway request {Method} {Path} could not be processed.")]
    public static partial void RequestFailed(ILogger logger, string method, string path, Exception exception);

    [LoggerMessage(7, LogLevel.Debug, "The Gateway client on port {Port} has gone: {Reason}")]
    public static partial void Disconnected(ILogger logger, int port, string reason);
}

/// <summary>
/// The pages that need no key: <c>/health</c> for supervisors, and the account's certificate for clients, at the path of Azure's emulator.
/// </summary>
internal sealed class PublicPages(AccountContext account)
{
    private const string Health = "/health";
    private const string Certificate = "/_explorer/account.pem";

    /// <summary>Whether a target is one of them. It looks at one character first, because it is called for every request.</summary>
    public static bool Have(string target) => target.Length > 1 && target[1] is 'h' or '_' && PathOf(target) is Health or Certificate;

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
