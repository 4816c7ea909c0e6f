using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Operations;

/// <summary>Shows the requests that the SDK sends for a query to the operation's tally; other requests pass.</summary>
internal sealed class QueryCallHandler : RequestHandler
{
    /// <inheritdoc/>
    public override async Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken);
        QueryTally.Current?.Count(request, response);
        return response;
    }
}
