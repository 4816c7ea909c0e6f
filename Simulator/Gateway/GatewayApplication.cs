using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The Gateway front end: straight on the server, without routing or an HttpContext, because its CPU is part of what is measured.</summary>
internal sealed class GatewayApplication(AccountEngine account) : IHttpApplication<GatewayExchange>
{
    public GatewayExchange CreateContext(IFeatureCollection contextFeatures)
    {
        GatewayExchange exchange;
        if (contextFeatures is IHostContextContainer<GatewayExchange> connection)
            exchange = connection.HostContext ??= new GatewayExchange(account);
        else
            exchange = new GatewayExchange(account);
        exchange.Begin(contextFeatures);
        return exchange;
    }

    public void DisposeContext(GatewayExchange context, Exception? exception) => context.End();

    public async Task ProcessRequestAsync(GatewayExchange context)
    {
        account.CountWireRequest();
        try
        {
            await ProcessAsync(context).ConfigureAwait(false);
        }
        catch (RequestException e)
        {
            await WriteErrorAsync(context, e.Status, e.SubStatus, e.Message).ConfigureAwait(false);
        }
        catch (QueryException e)
        {
            await RejectAsync(context, 400, e.Message).ConfigureAwait(false);
        }
        catch (BadHttpRequestException e)
        {
            await RejectAsync(context, e.StatusCode, e.Message).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The client has gone; nobody is left to answer.
            context.Abort();
        }
    }

    private async ValueTask ProcessAsync(GatewayExchange context)
    {
        int unauthorized = context.Authenticate(out string? fault);
        if (unauthorized != 0)
        {
            await RejectAsync(context, unauthorized, fault).ConfigureAwait(false);
            return;
        }

        await context.ReadBodyAsync().ConfigureAwait(false);
        if (context.Header(GatewayHeaders.ConsistencyLevel) is { } level)
            CheckConsistency(level);
        await DispatchAsync(context).ConfigureAwait(false);
    }

    private ValueTask DispatchAsync(GatewayExchange context) => context.Target.Kind switch
    {
        ResourceKind.Documents or ResourceKind.Document => DocumentEndpoint.ProcessAsync(context),
        ResourceKind.Account => AccountEndpoint.ProcessAsync(context),
        ResourceKind.Databases or ResourceKind.Database => DatabaseEndpoint.ProcessAsync(context),
        ResourceKind.Containers or ResourceKind.Container => ContainerEndpoint.ProcessAsync(context),
        ResourceKind.Ranges => RangeEndpoint.ProcessAsync(context),
        ResourceKind.Addresses => AddressEndpoint.ProcessAsync(context),
        ResourceKind.Offers or ResourceKind.Offer => OfferEndpoint.ProcessAsync(context),
        _ => RejectAsync(context, 400, "The request's path names nothing that is simulated."),
    };

    private void CheckConsistency(string text)
    {
        if (!Enum.TryParse(text, ignoreCase: true, out ConsistencyLevel level) || !Enum.IsDefined(level))
            throw RequestException.BadRequest($"'{text}' is no consistency level.");
        if (level < account.Consistency)
            throw RequestException.BadRequest($"ConsistencyLevel {level} specified in the request is invalid when service is configured with consistency level {account.Consistency}. Ensure the request consistency level is not stronger than the service consistency level.");
    }

    private ValueTask RejectAsync(GatewayExchange context, int status, string? message)
    {
        account.CountRejectedRequest();
        return WriteErrorAsync(context, status, 0, message);
    }

    private static ValueTask WriteErrorAsync(GatewayExchange context, int status, int subStatus, string? message)
    {
        if (!context.HasStarted)
            return context.WriteErrorAsync(status, subStatus, message);
        context.Abort();
        return ValueTask.CompletedTask;
    }
}
