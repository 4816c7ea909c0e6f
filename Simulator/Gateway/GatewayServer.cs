using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Puts the Gateway front end together on ASP.NET Core.</summary>
internal static class GatewayServer
{
    /// <summary>Gives each connection an exchange of its own: HTTP/1.1 has one request at a time.</summary>
    public static void Listen(ListenOptions listen, AccountContext account) => listen.Use(next => async connection =>
    {
        using var exchange = new GatewayExchange(account);
        connection.Features.Set(exchange);
        await next(connection).ConfigureAwait(false);
    });

    public static void Configure(WebApplication app, AccountContext account)
    {
        app.Use((context, next) => LogErrorsAsync(context, next, account));
        app.Use(CollapseSlashes);
        app.UseRouting();
        app.MapGateway();
    }

    private static async Task LogErrorsAsync(HttpContext context, RequestDelegate next, AccountContext account)
    {
        try
        {
            await next(context).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The client has gone; nobody is left to respond to.
            GatewayLog.Disconnected(account.Logger, context.Connection.RemotePort, e.Message);
            context.Abort();
        }
        catch (Exception e)
        {
            GatewayLog.RequestFailed(account.Logger, context.Request.Method, context.Request.Path, e);
            throw;
        }
    }

    /// <summary>Clients put the path behind an endpoint that ends in a slash: <c>//addresses/</c>.</summary>
    private static Task CollapseSlashes(HttpContext context, RequestDelegate next)
    {
        string path = context.Request.Path.Value ?? "";
        if (path.Contains("//", StringComparison.Ordinal))
            context.Request.Path = "/" + string.Join('/', path.Split('/', StringSplitOptions.RemoveEmptyEntries));
        return next(context);
    }
}
