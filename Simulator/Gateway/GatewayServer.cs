using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>
/// The Gateway front end: straight on the server, without routing or an HttpContext, because its CPU is part of what is measured.
/// </summary>
internal sealed class GatewayServer(AccountContext account) : IHttpApplication<GatewayExchange>
{
    private readonly PublicPages _pages = new(account);

    /// <summary>Gives each connection an exchange of its own: HTTP/1.1 has one request at a time.</summary>
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
            // The client has gone; nobody is left to respond to.
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
