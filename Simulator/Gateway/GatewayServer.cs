using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The Gateway front end. It uses the server without routing or an HttpContext, because its CPU time is measured.</summary>
internal sealed class GatewayServer(AccountContext account) : IHttpApplication<GatewayExchange>
{
    private readonly HealthAndCertificate _pages = new(account);

    /// <summary>Gives each connection its own exchange: HTTP/1.1 has one request at a time.</summary>
    public void Listen(ListenOptions listen) => listen.Use(next => async connection =>
    {
        using var exchange = new GatewayExchange(account);
        connection.Features.Set(exchange);
        await next(connection);
    });

    public GatewayExchange CreateContext(IFeatureCollection contextFeatures)
    {
        var exchange = contextFeatures.GetRequiredFeature<GatewayExchange>();
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
            if (HealthAndCertificate.Have(context.Target))
            {
                await _pages.RespondAsync(context.Features);
                return;
            }

            context.Decode();
            await context.ProcessAsync();
            account.Engine.Delays.Record(context.Delay);
            await context.WriteAsync();
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The client has disconnected.
            account.Logger.GatewayClientGone(context.RemotePort, e.Message);
            context.Abort();
        }
        catch (Exception e)
        {
            account.Logger.GatewayRequestFailed(context.Method, context.Target, e);
            throw;
        }
    }
}
