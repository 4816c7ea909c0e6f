using System.Runtime.CompilerServices;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// The way of every request, whichever front end decoded it: authentication, what it names, the operation, errors. One per connection,
/// whose requests begin one behind the other: up to the first wait nothing else may use it.
/// </summary>
internal sealed class RequestProcessor(AccountContext account) : IDisposable
{
    private readonly RequestAuthenticator _authenticator = new(account.Key, account.Engine.Clock);
    private readonly ResourceLookup _lookup = new(account.Engine.Catalog);

    /// <summary>Fills the exchange's response; what is wrong with the request is part of that.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask ProcessAsync(Exchange exchange)
    {
        AccountRequest request = exchange.Request;
        account.Engine.CountWireRequest();
        bool isAuthenticated = false;
        try
        {
            if (request.Error is { PrecedesAuthentication: true } error)
                throw error;
            _authenticator.Check(request, exchange.SigningPrefixes);
            isAuthenticated = true;
            await exchange.ReadBodyAsync().ConfigureAwait(false);
            if (request.Error is not null)
                throw request.Error;
            ConsistencyLevels.Check(request.Consistency, account.Engine.Consistency);
            if (request.Resource == ResourceType.Document)
                await DocumentRequests.RunAsync(exchange, account.Engine, _lookup.FindContainer(request, asOwner: true))
                    .ConfigureAwait(false);
            else if (request.Resource == ResourceType.PartitionKey)
                await DocumentRequests.DeletePartitionKeyAsync(exchange, account.Engine, _lookup.FindContainer(request, asOwner: true))
                    .ConfigureAwait(false);
            else
                MetadataRequests.Respond(exchange, account, _lookup);
        }
        catch (RequestException e)
        {
            if (e.IsRejected)
                account.Engine.CountRejectedRequest();
            // A request for documents ended before it became an operation; one for metadata is charged all the same.
            exchange.Response.Charge = !isAuthenticated || request.Resource is ResourceType.Document or ResourceType.PartitionKey ? null
                : request.IsWrite ? RequestCharges.MetadataWrite : RequestCharges.MetadataRead;
            exchange.Response.Fail(e.Status, e.SubStatus, e.Message, e.AdditionalInfo);
        }

        // The gateway's own responses are not delayed.
        if (!exchange.IsDelayed && request.Mode == ConnectionMode.Direct)
            await account.Engine.Pipeline.DelayAsync(ConnectionMode.Direct).ConfigureAwait(false);
    }

    public void Dispose() => _authenticator.Dispose();
}
