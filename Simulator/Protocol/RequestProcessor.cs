namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// Processes the requests of both front ends: authentication, lookup, operation, errors. Each connection has its own. It must not be used
/// by two requests at once before their first wait, so a connection begins one request after the other.
/// </summary>
internal sealed class RequestProcessor(AccountContext account) : IDisposable
{
    private readonly RequestAuthenticator _authenticator = new(account.Key, account.Engine.Clock, account.AcceptsAnyToken);
    private readonly ResourceLookup _lookup = new(account.Engine.Catalog);

    /// <summary>Fills the exchange's response. Errors become responses, too.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask ProcessAsync(Exchange exchange)
    {
        var request = exchange.Request;
        account.Engine.CountWireRequest();
        var isAuthenticated = false;
        try
        {
            if (request.Error is { PrecedesAuthentication: true } error)
                throw error;
            _authenticator.Check(request, exchange.SigningPrefixes);
            isAuthenticated = true;
            await exchange.ReadBodyAsync();
            if (request.Error is not null)
                throw request.Error;
            ConsistencyLevels.Check(request.Consistency, account.Engine.Consistency);
            if (request.Resource == ResourceType.Document)
                await DocumentRequests.RunAsync(exchange, account.Engine, _lookup.FindContainer(request, asOwner: true));
            else if (request.Resource == ResourceType.PartitionKey)
                await DocumentRequests.DeletePartitionKeyAsync(exchange, account.Engine, _lookup.FindContainer(request, asOwner: true));
            else if (request.Operation == OperationType.Execute)
                await ScriptRequests.ExecuteAsync(exchange, account.Engine, _lookup.FindContainer(request, asOwner: true));
            else if (ScriptFeed.Of(request.Resource) is { } feed)
                ScriptRequests.Respond(exchange, feed, _lookup.FindContainer(request, asOwner: true), account.Engine.Clock);
            else
                MetadataRequests.Respond(exchange, account, _lookup);
        }
        catch (RequestException e)
        {
            if (e.IsRejected)
                account.Engine.CountRejectedRequest();
            exchange.Response.Charge = isAuthenticated ? ChargeOf(request, e) : null;
            exchange.Response.Fail(e, request.Operation);
        }

        // The gateway's own responses are not delayed.
        if (!exchange.IsDelayed && request.Mode == ConnectionMode.Direct)
            await account.Engine.Pipeline.DelayAsync(ConnectionMode.Direct);
    }

    public void Dispose() => _authenticator.Dispose();

    /// <summary>
    /// The charge of a failed request. One for documents never became an operation, and one that the gateway refused cost nothing.
    /// </summary>
    private static RequestUnits? ChargeOf(AccountRequest request, RequestException error) =>
        error.IsOfGateway || request.Resource is ResourceType.Document or ResourceType.PartitionKey ? null
        : error.Status == ServiceStatus.NotFound || !request.IsWrite ? RequestCharges.MetadataRead
        : request is { Resource: ResourceType.Container, Operation: OperationType.Create } ? RequestUnits.Zero
        : RequestCharges.MetadataRefused;
}

/// <summary>Shared by all connections of an account.</summary>
internal sealed record AccountContext(AccountEngine Engine, byte[] Key, ILogger Logger)
{
    /// <inheritdoc cref="Accounts.AccountSettings.AcceptsAnyToken"/>
    public bool AcceptsAnyToken { get; init; }

    /// <summary>Set before any front end listens.</summary>
    public IReplicaAddresses Replicas { get; set; } = null!;

    /// <summary>The certificate of the HTTPS and Direct front ends.</summary>
    public string CertificatePem { get; set; } = "";
}

/// <summary>Addresses of replicas for Direct clients; replica 0 is the primary.</summary>
internal interface IReplicaAddresses
{
    /// <summary>A replica of the partition of databases.</summary>
    string MasterAddress(int replica);

    string Address(ContainerResource container, PhysicalPartition partition, int replica);
}

/// <summary>One request and its response. A connection reuses its exchanges, so that their buffers and operations are made once.</summary>
internal abstract class Exchange(ConnectionMode mode)
{
    public AccountRequest Request { get; } = new(mode);

    public AccountResponse Response { get; } = new(mode);

    public SingleWork Single { get; } = new();

    public BulkWork Bulk => field ??= new BulkWork();

    public TransactionWork Transaction => field ??= new TransactionWork();

    /// <summary>Whether the operation pipeline delays the response. If not, the processor delays it over Direct.</summary>
    public bool IsDelayed { get; set; }

    /// <summary>The configured delay of the response; 0 ms if it is not delayed.</summary>
    public ResponseDelay Delay { get; set; }

    /// <summary>The texts that the signed text may begin with, up to the date: verb, resource type and link.</summary>
    public abstract ReadOnlySpan<ReadOnlyMemory<byte>> SigningPrefixes { get; }

    /// <summary>Reads the body if it is not there yet; called once the request is authenticated.</summary>
    public virtual ValueTask ReadBodyAsync() => ValueTask.CompletedTask;

    /// <summary>Clears everything that belongs to this request.</summary>
    public virtual void Reset()
    {
        IsDelayed = false;
        Delay = default;
        Request.Reset();
        Response.Reset();
    }
}
