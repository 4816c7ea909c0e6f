using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
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
        await next(connection).ConfigureAwait(false);
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
